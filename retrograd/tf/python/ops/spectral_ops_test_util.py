"""The names of ``tensorflow.python.ops.spectral_ops_test_util``."""

from contextlib import nullcontext as fft_kernel_label_map

from retrograd.faces import missing

__getattr__ = missing(__name__)
