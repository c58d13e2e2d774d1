"""The names of ``tensorflow.contrib.seq2seq.python.ops.beam_search_decoder``."""

from retrograd.faces import missing
from retrograd.nn.seq2seq.beam_search import (
    BeamSearchDecoder,
    BeamSearchDecoderOutput,
    BeamSearchDecoderState,
    FinalBeamSearchDecoderOutput,
    gather_tree_from_array,
    tile_batch,
)
from retrograd.nn.seq2seq.decoder_layers import BeamSearchDecoderV2

__getattr__ = missing(__name__)
