"""The names of ``tensorflow.python.tpu.tpu_function``."""

from retrograd.estimator.tpu import TpuContext, get_tpu_context
from retrograd.faces import missing

__getattr__ = missing(__name__)
