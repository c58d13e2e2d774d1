"""The names of ``tensorflow.contrib.data.python.ops.iterator_ops``."""

from retrograd.faces import missing
from retrograd.sessions.input_hooks import CheckpointInputPipelineHook

__getattr__ = missing(__name__)
