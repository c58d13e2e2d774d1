"""The names of ``tensorflow.python.keras.utils.kernelized_utils``."""

from retrograd.faces import missing
from retrograd.keras.kernels import exact_gaussian_kernel, exact_laplacian_kernel, inner_product

__getattr__ = missing(__name__)
