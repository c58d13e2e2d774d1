"""The names of ``tensorflow.contrib.data.python.ops.threadpool``."""

from retrograd.faces import missing

_LAZY = {
    "PrivateThreadPool": "retrograd.tf.python.data.experimental.ops.threadpool",
    "override_threadpool": "retrograd.tf.python.data.experimental.ops.threadpool",
}
__getattr__ = missing(__name__, _LAZY)
