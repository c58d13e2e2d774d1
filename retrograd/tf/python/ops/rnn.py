"""The names of ``tensorflow.python.ops.rnn``."""

from retrograd.faces import missing
from retrograd.nn.rnn import (
    best_effort_input_batch_size as _best_effort_input_batch_size,
)
from retrograd.nn.rnn import (
    bidirectional_dynamic_rnn,
    dynamic_rnn,
    raw_rnn,
    static_bidirectional_rnn,
    static_rnn,
    static_state_saving_rnn,
)
from retrograd.nn.rnn import (
    transpose_batch_time as _transpose_batch_time,
)
from retrograd.nn.rnn_cells import joined_sizes as _concat
from retrograd.tf.python.ops import rnn_cell_impl

__getattr__ = missing(__name__)
