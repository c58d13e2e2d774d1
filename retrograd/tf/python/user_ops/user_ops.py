"""The names of ``tensorflow.python.user_ops.user_ops``."""

from retrograd.faces import missing
from retrograd.ops.strings import my_fact

__getattr__ = missing(__name__)
