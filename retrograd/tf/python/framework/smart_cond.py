"""The names of ``tensorflow.python.framework.smart_cond``."""

from retrograd.faces import missing
from retrograd.ops.cases import smart_case
from retrograd.ops.conditions import smart_cond, smart_constant_value

__getattr__ = missing(__name__)
