"""The names of ``tensorflow.python.ops.functional_ops``."""

from retrograd.faces import missing
from retrograd.grad.functions import Gradient, symbolic_gradient
from retrograd.nn.functional import foldl, foldr, scan
from retrograd.state.function_calls import For, If, While, remote_call
from retrograd.state.partitioned_calls import partitioned_call

__getattr__ = missing(__name__)
