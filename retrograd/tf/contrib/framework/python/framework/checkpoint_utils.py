"""The names of ``tensorflow.contrib.framework.python.framework.checkpoint_utils``."""

from retrograd.faces import missing
from retrograd.io.assigning import init_from_checkpoint, list_variables, load_checkpoint, load_variable

__getattr__ = missing(__name__)
