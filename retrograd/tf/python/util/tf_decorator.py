"""The names of ``tensorflow.python.util.tf_decorator``."""

from retrograd.faces import missing
from retrograd.graph.decorators import TFDecorator, make_decorator, rewrap, unwrap

__getattr__ = missing(__name__)
