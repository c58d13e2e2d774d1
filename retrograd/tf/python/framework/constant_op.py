"""The names of ``tensorflow.python.framework.constant_op``."""

from retrograd.faces import missing
from retrograd.ops.constants import constant
from retrograd.ops.constants import constant as constant_v1

__getattr__ = missing(__name__)
