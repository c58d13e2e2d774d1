"""The names of ``tensorflow.python.profiler.option_builder``."""

from retrograd.faces import missing
from retrograd.sessions.profiling import ProfileOptionBuilder

__getattr__ = missing(__name__)
