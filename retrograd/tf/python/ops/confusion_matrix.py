"""The names of ``tensorflow.python.ops.confusion_matrix``."""

from retrograd.faces import missing
from retrograd.ops.confusion import (
    confusion_matrix,
    remove_squeezable_dimensions,
)
from retrograd.ops.confusion import (
    confusion_matrix as confusion_matrix_v1,
)

__getattr__ = missing(__name__)
