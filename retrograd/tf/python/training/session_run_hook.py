"""The names of ``tensorflow.python.training.session_run_hook``."""

from retrograd.faces import missing
from retrograd.sessions.hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues

__getattr__ = missing(__name__)
