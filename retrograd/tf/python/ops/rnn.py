"""The names of ``tensorflow.python.ops.rnn``."""

from retrograd.faces import missing
from retrograd.nn.rnn import (
    bidirectional_dynamic_rnn,
    dynamic_rnn,
    raw_rnn,
    static_bidirectional_rnn,
    static_rnn,
    static_state_saving_rnn,
)

__getattr__ = missing(__name__)
