"""The names of ``tensorflow.contrib.kernel_methods.python.losses``."""

from retrograd.contrib.kernel_methods import sparse_multiclass_hinge_loss
from retrograd.faces import missing

__getattr__ = missing(__name__)
