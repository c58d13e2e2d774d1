"""The names of ``tensorflow.contrib.libsvm.python.ops.libsvm_ops``."""

from retrograd.faces import missing
from retrograd.ops.libsvm import decode_libsvm

__getattr__ = missing(__name__)
