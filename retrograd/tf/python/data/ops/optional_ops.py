"""The names of ``tensorflow.python.data.ops.optional_ops``."""

from retrograd.data.optionals import Optional, OptionalSpec
from retrograd.data.optionals import Optional as _OptionalImpl
from retrograd.faces import missing

__getattr__ = missing(__name__)
