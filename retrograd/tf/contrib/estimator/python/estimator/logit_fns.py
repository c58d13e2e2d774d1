"""The names of ``tensorflow.contrib.estimator.python.estimator.logit_fns``."""

from retrograd.estimator.specs import call_logit_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
