"""The names of ``tensorflow.contrib.libsvm``."""

from retrograd.faces import missing
from retrograd.ops.libsvm import decode_libsvm

__getattr__ = missing(__name__)
