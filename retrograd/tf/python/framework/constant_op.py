"""The names of ``tensorflow.python.framework.constant_op``."""

from retrograd.faces import missing
from retrograd.ops.constants import constant as constant_v1
from retrograd.ops.constants import constant_v2 as constant

__getattr__ = missing(__name__)
