"""The names of ``tensorflow.spectral``."""

from retrograd.faces import missing
from retrograd.nn.signals import dct, idct
from retrograd.ops.fourier import (
    fft,
    fft2d,
    fft3d,
    ifft,
    ifft2d,
    ifft3d,
    irfft,
    irfft2d,
    irfft3d,
    rfft,
    rfft2d,
    rfft3d,
)

__getattr__ = missing(__name__)
