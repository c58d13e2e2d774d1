"""The names of ``tensorflow.compat.v2.signal``."""

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
from retrograd.ops.fourier import (
    fft,
    fft2d,
    fft3d,
    fftshift,
    ifft,
    ifft2d,
    ifft3d,
    ifftshift,
    irfft,
    irfft2d,
    irfft3d,
    rfft,
    rfft2d,
    rfft3d,
)

__getattr__ = missing(__name__)
