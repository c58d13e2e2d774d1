"""The names of ``tensorflow.contrib.crf``."""

from retrograd.faces import missing
from retrograd.nn.recurrent.fields import (
    CrfDecodeBackwardRnnCell,
    CrfDecodeForwardRnnCell,
    CrfForwardRnnCell,
    crf_binary_score,
    crf_decode,
    crf_log_likelihood,
    crf_log_norm,
    crf_multitag_sequence_score,
    crf_sequence_score,
    crf_unary_score,
    viterbi_decode,
)

__getattr__ = missing(__name__)
