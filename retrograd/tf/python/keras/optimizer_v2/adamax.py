"""The names of ``tensorflow.python.keras.optimizer_v2.adamax``."""

from retrograd.faces import missing
from retrograd.keras.optimizers import Adamax

__getattr__ = missing(__name__)
