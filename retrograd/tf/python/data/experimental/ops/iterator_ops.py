"""The names of ``tensorflow.python.data.experimental.ops.iterator_ops``."""

from retrograd.faces import missing
from retrograd.io.saved_iterators import make_saveable_from_iterator
from retrograd.sessions.input_hooks import CheckpointInputPipelineHook

__getattr__ = missing(__name__)
