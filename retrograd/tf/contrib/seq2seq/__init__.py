"""The names of ``tensorflow.contrib.seq2seq``."""

from retrograd.faces import missing
from retrograd.nn.seq2seq.attention import (
    AttentionMechanism,
    BahdanauAttention,
    BahdanauMonotonicAttention,
    LuongAttention,
    LuongMonotonicAttention,
    hardmax,
    monotonic_attention,
    safe_cumprod,
)
from retrograd.nn.seq2seq.attention_wrapper import AttentionWrapper, AttentionWrapperState
from retrograd.nn.seq2seq.beam_search import BeamSearchDecoder, FinalBeamSearchDecoderOutput, tile_batch
from retrograd.nn.seq2seq.beam_steps import BeamSearchDecoderOutput, BeamSearchDecoderState
from retrograd.nn.seq2seq.decoding import BasicDecoder, BasicDecoderOutput, Decoder, dynamic_decode
from retrograd.nn.seq2seq.helpers import (
    CustomHelper,
    GreedyEmbeddingHelper,
    Helper,
    InferenceHelper,
    SampleEmbeddingHelper,
    ScheduledEmbeddingTrainingHelper,
    ScheduledOutputTrainingHelper,
    TrainingHelper,
)
from retrograd.nn.seq2seq.loss import sequence_loss
from retrograd.ops.beams import gather_tree

__getattr__ = missing(__name__)
