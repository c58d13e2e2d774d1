"""The names of ``tensorflow.python.tpu.ops.tpu_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
