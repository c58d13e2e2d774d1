"""The names of ``tensorflow.python.ops.rnn_cell_impl``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated
from retrograd.nn.rnn_cells import (
    _BIAS_VARIABLE_NAME,
    _WEIGHTS_VARIABLE_NAME,
    ASSERT_LIKE_RNNCELL_ERROR_REGEXP,
    BasicLSTMCell,
    BasicRNNCell,
    GRUCell,
    LayerRNNCell,
    LSTMCell,
    LSTMStateTuple,
    RNNCell,
    assert_like_rnncell,
)
from retrograd.nn.rnn_cells import (
    joined_sizes as _concat,
)
from retrograd.nn.rnn_cells import (
    zero_states as _zero_state_tensors,
)
from retrograd.nn.rnn_wrappers import DeviceWrapper, DropoutWrapper, MultiRNNCell, ResidualWrapper

__getattr__ = missing(__name__)
