"""The names of ``tensorflow.python.util.tf_export``."""

from retrograd.faces import missing
from retrograd.graph.exported_names import (
    InvalidSymbolNameError,
    SymbolAlreadyExposedError,
    api_export,
    estimator_export,
    keras_export,
    tf_export,
)

__getattr__ = missing(__name__)
