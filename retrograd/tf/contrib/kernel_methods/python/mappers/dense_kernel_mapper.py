"""The names of ``tensorflow.contrib.kernel_methods.python.mappers.dense_kernel_mapper``."""

from retrograd.contrib.kernel_methods import DenseKernelMapper, InvalidShapeError
from retrograd.faces import missing

__getattr__ = missing(__name__)
