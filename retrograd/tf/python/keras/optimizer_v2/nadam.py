"""The names of ``tensorflow.python.keras.optimizer_v2.nadam``."""

from retrograd.faces import missing
from retrograd.keras.optimizers import Nadam

__getattr__ = missing(__name__)
