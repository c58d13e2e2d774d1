"""The names of ``tensorflow.python.ops.resources``."""

from retrograd.faces import missing
from retrograd.state.initialization import initialize_resources

__getattr__ = missing(__name__)
