"""The names of ``tensorflow.python.training.moving_averages``."""

from retrograd.faces import missing
from retrograd.nn.moving_averages import assign_moving_average, weighted_moving_average
from retrograd.train.averages import ExponentialMovingAverage

__getattr__ = missing(__name__)
