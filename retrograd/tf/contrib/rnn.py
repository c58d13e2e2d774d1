"""The names of ``tensorflow.contrib.rnn``."""

from retrograd.faces import missing
from retrograd.nn.recurrent.wrappers import (
    AttentionCellWrapper,
    CompiledWrapper,
    EmbeddingWrapper,
    HighwayWrapper,
    InputProjectionWrapper,
    OutputProjectionWrapper,
)
from retrograd.nn.rnn import (
    best_effort_input_batch_size,
    static_bidirectional_rnn,
    static_rnn,
    static_state_saving_rnn,
    transpose_batch_time,
)
from retrograd.nn.rnn_cells import (
    BasicLSTMCell,
    BasicRNNCell,
    GRUCell,
    LayerRNNCell,
    LSTMCell,
    LSTMStateTuple,
    RNNCell,
    assert_like_rnncell,
)
from retrograd.nn.rnn_wrappers import DeviceWrapper, DropoutWrapper, MultiRNNCell, ResidualWrapper

__getattr__ = missing(__name__)
