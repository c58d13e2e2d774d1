"""The names of ``tensorflow.contrib.autograph``."""

from retrograd.autograph.converting import convert, do_not_convert, set_loop_options, to_code, to_graph
from retrograd.autograph.options import Feature
from retrograd.faces import missing

__getattr__ = missing(__name__)
