"""The names of ``tensorflow.python.training.session_manager``."""

from retrograd.faces import missing
from retrograd.sessions.manager import SessionManager

__getattr__ = missing(__name__)
