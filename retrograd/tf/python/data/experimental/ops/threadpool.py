"""The names of ``tensorflow.python.data.experimental.ops.threadpool``."""

from retrograd.data.dividing import (
    PrivateThreadPool,
    override_threadpool,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
