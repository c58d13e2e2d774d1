"""The names of ``tensorflow.python.data.ops.iterator_ops``."""

from retrograd.data.iterators import (
    GET_NEXT_CALL_WARNING_MESSAGE,
    GET_NEXT_CALL_WARNING_THRESHOLD,
    Iterator,
)
from retrograd.data.optionals import get_next_as_optional
from retrograd.faces import missing

__getattr__ = missing(__name__)
