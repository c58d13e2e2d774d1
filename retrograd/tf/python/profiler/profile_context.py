"""The names of ``tensorflow.python.profiler.profile_context``."""

from retrograd.faces import missing
from retrograd.sessions.profile_contexts import ProfileContext

__getattr__ = missing(__name__)
