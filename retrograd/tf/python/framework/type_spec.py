"""The names of ``tensorflow.python.framework.type_spec``."""

from retrograd.faces import missing
from retrograd.graph.module_names import LazyLoader
from retrograd.graph.specs import (
    BatchableTypeSpec,
    TypeSpec,
    register_type_spec_from_value_converter,
    type_spec_from_value,
)

__getattr__ = missing(__name__)
