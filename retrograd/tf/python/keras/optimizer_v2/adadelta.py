"""The names of ``tensorflow.python.keras.optimizer_v2.adadelta``."""

from retrograd.faces import missing
from retrograd.keras.optimizers import Adadelta

__getattr__ = missing(__name__)
