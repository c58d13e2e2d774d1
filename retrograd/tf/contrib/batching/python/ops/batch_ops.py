"""The names of ``tensorflow.contrib.batching.python.ops.batch_ops``."""

from retrograd.faces import missing
from retrograd.state.batched_calls import batch_function

__getattr__ = missing(__name__)
