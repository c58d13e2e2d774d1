"""The names of ``tensorflow.user_ops``."""

from retrograd.faces import missing
from retrograd.ops.strings import my_fact

__getattr__ = missing(__name__)
