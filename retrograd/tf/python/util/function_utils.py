"""The names of ``tensorflow.python.util.function_utils``."""

from retrograd.estimator.specs import fn_args
from retrograd.faces import missing

__getattr__ = missing(__name__)
