"""The names of ``tensorflow.python.framework.kernels``."""

from retrograd.faces import missing

_LAZY = {
    "get_all_registered_kernels": "retrograd.run.kernel_lists",
    "get_registered_kernels_for_op": "retrograd.run.kernel_lists",
}
__getattr__ = missing(__name__, _LAZY)
