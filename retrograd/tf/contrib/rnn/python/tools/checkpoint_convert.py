"""The names of ``tensorflow.contrib.rnn.python.tools.checkpoint_convert``."""

from retrograd.faces import missing
from retrograd.io.old_names import RNN_NAME_REPLACEMENTS, convert_names

__getattr__ = missing(__name__)
