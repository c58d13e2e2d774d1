"""The names of ``tensorflow.python.ops.gen_linalg_ops``."""

from retrograd.faces import missing
from retrograd.ops.orthogonal import qr

__getattr__ = missing(__name__, raw=True)
