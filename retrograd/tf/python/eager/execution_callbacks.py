"""The names of ``tensorflow.python.eager.execution_callbacks``."""

from retrograd.faces import missing
from retrograd.testing.execution_callbacks import ExecutionCallback, errstate

__getattr__ = missing(__name__)
