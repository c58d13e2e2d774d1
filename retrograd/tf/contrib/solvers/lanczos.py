"""The names of ``tensorflow.contrib.solvers.lanczos``."""

from retrograd.contrib.lanczos import bidiag_matmul, lanczos_bidiag
from retrograd.faces import missing

__getattr__ = missing(__name__)
