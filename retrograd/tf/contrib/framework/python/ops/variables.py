"""The names of ``tensorflow.contrib.framework.python.ops.variables``."""

from retrograd.faces import missing
from retrograd.train.training_util import get_global_step, get_or_create_global_step

__getattr__ = missing(__name__)
