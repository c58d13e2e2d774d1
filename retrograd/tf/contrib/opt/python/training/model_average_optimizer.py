"""The names of ``tensorflow.contrib.opt.python.training.model_average_optimizer``."""

from retrograd.contrib.worker_averages import ModelAverageCustomGetter, ModelAverageOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
