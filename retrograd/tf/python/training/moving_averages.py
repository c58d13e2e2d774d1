"""The names of ``tensorflow.python.training.moving_averages``."""

from retrograd.faces import missing
from retrograd.train.averages import ExponentialMovingAverage, assign_moving_average, weighted_moving_average

__getattr__ = missing(__name__)
