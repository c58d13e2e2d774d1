"""The names of ``tensorflow.contrib.framework.python.ops.script_ops``."""

from retrograd.faces import missing
from retrograd.nn.contrib.functions import py_func

__getattr__ = missing(__name__)
