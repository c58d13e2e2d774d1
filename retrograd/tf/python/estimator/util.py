"""The names of ``tensorflow.python.estimator.util``."""

from retrograd.estimator.preparing import parse_input_fn_result
from retrograd.estimator.specs import fn_args
from retrograd.faces import missing

__getattr__ = missing(__name__)
