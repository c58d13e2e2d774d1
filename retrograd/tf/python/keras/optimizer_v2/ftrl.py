"""The names of ``tensorflow.python.keras.optimizer_v2.ftrl``."""

from retrograd.faces import missing
from retrograd.keras.optimizers import Ftrl

__getattr__ = missing(__name__)
