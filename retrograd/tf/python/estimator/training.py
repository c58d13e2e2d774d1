"""The names of ``tensorflow.python.estimator.training``."""

from retrograd.estimator.training import EvalSpec, TrainSpec, train_and_evaluate
from retrograd.faces import missing

__getattr__ = missing(__name__)
