"""The names of ``tensorflow.python.platform.app``."""

from retrograd.command_line import run
from retrograd.faces import missing

__getattr__ = missing(__name__)
