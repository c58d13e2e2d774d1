"""The names of ``tensorflow.python.client.session``."""

from retrograd.faces import missing
from retrograd.run.session import BaseSession, InteractiveSession, Session

__getattr__ = missing(__name__)
