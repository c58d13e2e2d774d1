"""The names of ``tensorflow.python.ops.script_ops``."""

from retrograd.eager.python_functions import py_function
from retrograd.eager.python_functions import py_function as eager_py_func
from retrograd.faces import missing
from retrograd.ops.host import numpy_function, py_func

__getattr__ = missing(__name__)
