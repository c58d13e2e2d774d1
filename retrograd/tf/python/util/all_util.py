"""The names of ``tensorflow.python.util.all_util``."""

from retrograd.faces import missing
from retrograd.graph.module_names import make_all, remove_undocumented, reveal_undocumented

__getattr__ = missing(__name__)
