"""The names of ``tensorflow.app``."""

from retrograd.command_line import run
from retrograd.faces import missing
from retrograd.tf import flags

__getattr__ = missing(__name__)
