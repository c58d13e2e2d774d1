"""The names of ``tensorflow.python.autograph.lang.directives``."""

from retrograd.autograph.converting import set_loop_options
from retrograd.faces import missing

__getattr__ = missing(__name__)
