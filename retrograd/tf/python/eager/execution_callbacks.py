"""The names of ``tensorflow.python.eager.execution_callbacks``."""

from retrograd.eager.watching import (
    ExecutionCallback,
    InfOrNanError,
    add_execution_callback,
    clear_execution_callbacks,
    errstate,
    inf_callback,
    inf_nan_callback,
    nan_callback,
    seterr,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
