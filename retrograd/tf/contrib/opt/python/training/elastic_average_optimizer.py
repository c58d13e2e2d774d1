"""The names of ``tensorflow.contrib.opt.python.training.elastic_average_optimizer``."""

from retrograd.contrib.worker_averages import ElasticAverageCustomGetter, ElasticAverageOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
