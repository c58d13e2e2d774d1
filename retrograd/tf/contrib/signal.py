"""The names of ``tensorflow.contrib.signal``."""

from retrograd.faces import missing
from retrograd.nn.signals import (
    dct,
    frame,
    hamming_window,
    hann_window,
    idct,
    inverse_stft,
    inverse_stft_window_fn,
    linear_to_mel_weight_matrix,
    mfccs_from_log_mel_spectrograms,
    overlap_and_add,
    stft,
)

__getattr__ = missing(__name__)
