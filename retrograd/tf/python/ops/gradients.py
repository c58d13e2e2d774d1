"""The names of ``tensorflow.python.ops.gradients``."""

from retrograd.derivatives.hessians import hessians
from retrograd.derivatives.tape import GradientTape
from retrograd.faces import missing
from retrograd.grad.aggregation import AggregationMethod
from retrograd.grad.gradients import UnconnectedGradients, gradients
from retrograd.state.custom_gradient import custom_gradient

__getattr__ = missing(__name__)
