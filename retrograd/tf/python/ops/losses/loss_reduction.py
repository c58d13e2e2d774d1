"""The names of ``tensorflow.python.ops.losses.loss_reduction``."""

from retrograd.faces import missing
from retrograd.keras.losses import Reduction as ReductionV2

__getattr__ = missing(__name__)
