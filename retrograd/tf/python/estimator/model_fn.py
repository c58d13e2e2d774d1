"""The names of ``tensorflow.python.estimator.model_fn``."""

from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.faces import missing

__getattr__ = missing(__name__)
