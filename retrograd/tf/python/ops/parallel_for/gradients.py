"""The names of ``tensorflow.python.ops.parallel_for.gradients``."""

from retrograd.derivatives.parallel_gradients import batch_jacobian, jacobian
from retrograd.faces import missing

__getattr__ = missing(__name__)
