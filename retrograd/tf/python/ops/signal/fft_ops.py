"""The names of ``tensorflow.python.ops.signal.fft_ops``."""

from retrograd.faces import missing
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
