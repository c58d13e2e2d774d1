"""The names of ``tensorflow.keras.backend``."""

from retrograd.faces import missing
from retrograd.grad.gradients import gradients
from retrograd.graph.scopes import name_scope
from retrograd.ops.arrays import stop_gradient

__getattr__ = missing(__name__)
