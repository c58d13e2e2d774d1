"""The names of ``tensorflow.python.ops.manip_ops``."""

from retrograd.faces import missing
from retrograd.ops.permuting import roll

__getattr__ = missing(__name__)
