"""The names of ``tensorflow.python.framework.tensor_conversion_registry``."""

from retrograd.faces import missing
from retrograd.graph.convert import register_tensor_conversion_function

__getattr__ = missing(__name__)
