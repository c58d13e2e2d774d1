"""The names of ``tensorflow.python.ops.ctc_ops``."""

from retrograd.faces import missing
from retrograd.nn.ctc import (
    collapse_repeated,
    ctc_loss_dense,
    ctc_loss_v2,
    ctc_unique_labels,
    dense_labels_to_sparse,
)
from retrograd.ops.ctc import ctc_greedy_decoder, ctc_loss
from retrograd.ops.ctc_beams import ctc_beam_search_decoder, ctc_beam_search_decoder_v2

__getattr__ = missing(__name__)
