"""The names of ``tensorflow.flags.tf_decorator``."""

import __future__

from retrograd.faces import missing
from retrograd.graph.decorators import TFDecorator, make_decorator, rewrap, unwrap

absolute_import = __future__.absolute_import
division = __future__.division
print_function = __future__.print_function

__getattr__ = missing(__name__)
