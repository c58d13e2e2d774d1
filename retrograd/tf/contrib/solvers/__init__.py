"""The names of ``tensorflow.contrib.solvers``."""

import __future__

from retrograd.faces import missing

absolute_import = __future__.absolute_import
division = __future__.division
print_function = __future__.print_function

__getattr__ = missing(__name__)
