"""The names of ``tensorflow.python.eager.function``."""

from retrograd.faces import missing
from retrograd.grad.registry import register
from retrograd.state.concrete import ConcreteFunction
from retrograd.state.function_specs import FunctionSpec
from retrograd.state.inlining import Function, defun

__getattr__ = missing(__name__)
