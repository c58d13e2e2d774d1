"""The names of ``tensorflow.python.ops.template``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated
from retrograd.state.template import Template, make_template

__getattr__ = missing(__name__)
