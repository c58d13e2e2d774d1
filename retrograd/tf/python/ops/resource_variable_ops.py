"""The names of ``tensorflow.python.ops.resource_variable_ops``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated, deprecated_args
from retrograd.ops.resources import variable_shape
from retrograd.state.resource import BaseResourceVariable, ResourceVariable, is_resource_variable

__getattr__ = missing(__name__)
