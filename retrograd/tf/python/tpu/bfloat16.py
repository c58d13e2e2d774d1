"""The names of ``tensorflow.python.tpu.bfloat16``."""

from retrograd.estimator.tpu import bfloat16_scope
from retrograd.faces import missing

__getattr__ = missing(__name__)
