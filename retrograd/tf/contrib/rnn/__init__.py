"""The names of ``tensorflow.contrib.rnn``."""

from retrograd.faces import missing
from retrograd.nn.recurrent.blocks import (
    GRUBlockCell,
    GRUBlockCellV2,
    LSTMBlockCell,
    LSTMBlockFusedCell,
    LSTMBlockWrapper,
)
from retrograd.nn.recurrent.cells import IndRNNCell, IndyGRUCell, IntersectionRNNCell, SRUCell, UGRNNCell
from retrograd.nn.recurrent.convolutional_cells import (
    Conv1DLSTMCell,
    Conv2DLSTMCell,
    Conv3DLSTMCell,
    ConvLSTMCell,
)
from retrograd.nn.recurrent.grids import BidirectionalGridLSTMCell, GridLSTMCell, TimeFreqLSTMCell
from retrograd.nn.recurrent.lstms import (
    CoupledInputForgetGateLSTMCell,
    GLSTMCell,
    IndyLSTMCell,
    LayerNormBasicLSTMCell,
    NASCell,
    PhasedLSTMCell,
)
from retrograd.nn.recurrent.stacks import (
    FusedRNNCell,
    FusedRNNCellAdaptor,
    TimeReversedFusedRNN,
    stack_bidirectional_dynamic_rnn,
    stack_bidirectional_rnn,
)
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
