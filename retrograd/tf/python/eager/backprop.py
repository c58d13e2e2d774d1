"""The names of ``tensorflow.python.eager.backprop``."""

from retrograd.derivatives.functions import (
    gradients_function,
    make_vjp,
)
from retrograd.derivatives.functions import (
    implicit_gradients as implicit_grad,
)
from retrograd.derivatives.functions import (
    implicit_value_and_gradients as implicit_val_and_grad,
)
from retrograd.derivatives.functions import (
    value_and_gradients_function as val_and_grad_function,
)
from retrograd.derivatives.tape import GradientTape
from retrograd.faces import missing
from retrograd.grad.gradients import UnconnectedGradients
from retrograd.graph.module_names import LazyLoader

__getattr__ = missing(__name__)
