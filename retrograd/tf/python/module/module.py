"""The names of ``tensorflow.python.module.module``."""

from retrograd.faces import missing
from retrograd.io.modules import Module, camel_to_snake

__getattr__ = missing(__name__)
