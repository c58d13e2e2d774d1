"""The names of ``tensorflow.python.ops.gradients_util``."""

from retrograd.faces import missing
from retrograd.grad.aggregation import AggregationMethod
from retrograd.grad.gradients import UnconnectedGradients

__getattr__ = missing(__name__)
