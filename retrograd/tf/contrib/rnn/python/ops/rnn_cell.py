"""The names of ``tensorflow.contrib.rnn.python.ops.rnn_cell``."""

from retrograd.faces import missing
from retrograd.nn.recurrent.normed_cells import CFNCell, LayerNormLSTMCell, MinimalRNNCell, WeightNormLSTMCell
from retrograd.nn.recurrent.turing import NTMCell, NTMControllerState
from retrograd.tf.contrib.rnn import (
    AttentionCellWrapper,
    BidirectionalGridLSTMCell,
    CompiledWrapper,
    Conv1DLSTMCell,
    Conv2DLSTMCell,
    Conv3DLSTMCell,
    ConvLSTMCell,
    CoupledInputForgetGateLSTMCell,
    GLSTMCell,
    GridLSTMCell,
    HighwayWrapper,
    IndRNNCell,
    IndyGRUCell,
    IndyLSTMCell,
    IntersectionRNNCell,
    LayerNormBasicLSTMCell,
    NASCell,
    PhasedLSTMCell,
    SRUCell,
    TimeFreqLSTMCell,
    UGRNNCell,
)

__getattr__ = missing(__name__)
