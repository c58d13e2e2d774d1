"""The names of ``tensorflow.python.keras.optimizer_v2.adam``."""

from retrograd.faces import missing
from retrograd.keras.optimizers import Adam

__getattr__ = missing(__name__)
