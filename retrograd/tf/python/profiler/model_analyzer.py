"""The names of ``tensorflow.python.profiler.model_analyzer``."""

from retrograd.faces import missing
from retrograd.sessions.profiling import Profiler, advise, profile

__getattr__ = missing(__name__)
