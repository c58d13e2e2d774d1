"""The names of ``tensorflow.autograph.experimental``."""

from retrograd.autograph.converting import do_not_convert, set_loop_options
from retrograd.autograph.options import Feature
from retrograd.faces import missing

__getattr__ = missing(__name__)
