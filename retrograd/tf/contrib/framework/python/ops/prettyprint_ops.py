"""The names of ``tensorflow.contrib.framework.python.ops.prettyprint_ops``."""

from retrograd.contrib.pretty_printing import print_op
from retrograd.faces import missing

__getattr__ = missing(__name__)
