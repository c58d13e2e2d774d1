"""The names of ``tensorflow.python.framework.tensor_spec``."""

from retrograd.faces import missing
from retrograd.graph.specs import BoundedTensorSpec, TensorSpec

__getattr__ = missing(__name__)
