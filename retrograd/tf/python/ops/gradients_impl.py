"""The names of ``tensorflow.python.ops.gradients_impl``."""

from retrograd.derivatives.hessians import hessians
from retrograd.derivatives.hessians import hessians_v2 as HessiansV2
from retrograd.derivatives.jacobians import hessian_vector_product as _hessian_vector_product
from retrograd.faces import missing
from retrograd.grad.gradients import UnconnectedGradients, gradients
from retrograd.nn.second import gradients as gradients_v2

__getattr__ = missing(__name__)
