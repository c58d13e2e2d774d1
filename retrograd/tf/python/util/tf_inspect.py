"""The names of ``tensorflow.python.util.tf_inspect``."""

import inspect as _inspect
from inspect import *

from retrograd.faces import missing
from retrograd.graph.decorators import ArgSpec, getargspec, getfullargspec

__getattr__ = missing(__name__)
