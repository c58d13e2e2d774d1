"""The names of ``tensorflow.contrib.hooks``."""

from retrograd.faces import missing
from retrograd.sessions.saving_hooks import ProfilerHook

__getattr__ = missing(__name__)
