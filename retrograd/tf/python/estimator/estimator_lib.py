"""The names of ``tensorflow.python.estimator.estimator_lib``."""

from retrograd.estimator.config import RunConfig
from retrograd.estimator.estimator import Estimator
from retrograd.faces import missing
from retrograd.tf.estimator import *

__getattr__ = missing(__name__)
