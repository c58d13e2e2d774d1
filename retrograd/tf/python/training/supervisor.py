"""The names of ``tensorflow.python.training.supervisor``."""

from retrograd.faces import missing
from retrograd.sessions.supervisor import Supervisor

__getattr__ = missing(__name__)
