"""The names of ``tensorflow.contrib.seq2seq.python.ops.attention_wrapper``."""

from retrograd.faces import missing
from retrograd.nn.rnn_cells import zero_states as _zero_state_tensors
from retrograd.nn.seq2seq.attention import (
    _bahdanau_score,
    _BaseAttentionMechanism,
    _BaseMonotonicAttentionMechanism,
    _luong_score,
    _monotonic_probability_fn,
)
from retrograd.nn.seq2seq.attention import (
    masked_memory as _prepare_memory,
)
from retrograd.nn.seq2seq.attention import (
    masked_score as _maybe_mask_score,
)
from retrograd.nn.seq2seq.attention_wrapper import _compute_attention
from retrograd.tf.contrib.seq2seq import *

__getattr__ = missing(__name__)
