"""The names of ``tensorflow.saved_model.main_op``."""

from retrograd.faces import missing
from retrograd.io.saved_model.builder import main_op, main_op_with_restore

__getattr__ = missing(__name__)
