"""The names of ``tensorflow.contrib.seq2seq.python.ops.beam_search_decoder``."""

from retrograd.faces import missing
from retrograd.nn.seq2seq.beam_search import (
    BeamSearchDecoder,
    FinalBeamSearchDecoderOutput,
    gather_tree_from_array,
    tile_batch,
)
from retrograd.nn.seq2seq.beam_search import (
    check_batch_beam as _check_batch_beam,
)
from retrograd.nn.seq2seq.beam_search import (
    check_static_batch_beam_maybe as _check_static_batch_beam_maybe,
)
from retrograd.nn.seq2seq.beam_steps import (
    BeamSearchDecoderOutput,
    BeamSearchDecoderState,
    attention_probs_from_attn_state,
    get_attention_probs,
)
from retrograd.nn.seq2seq.beam_steps import (
    beam_search_step as _beam_search_step,
)
from retrograd.nn.seq2seq.beam_steps import (
    get_scores as _get_scores,
)
from retrograd.nn.seq2seq.beam_steps import (
    known_rank as _check_ndims,
)
from retrograd.nn.seq2seq.beam_steps import (
    length_penalty as _length_penalty,
)
from retrograd.nn.seq2seq.beam_steps import (
    mask_probs as _mask_probs,
)
from retrograd.nn.seq2seq.beam_steps import (
    maybe_tensor_gather_helper as _maybe_tensor_gather_helper,
)
from retrograd.nn.seq2seq.beam_steps import (
    tensor_gather_helper as _tensor_gather_helper,
)
from retrograd.nn.seq2seq.decoder_layers import BeamSearchDecoderV2

__getattr__ = missing(__name__)
