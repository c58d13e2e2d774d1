"""The names of ``tensorflow.python.keras.optimizer_v2.adagrad``."""

from retrograd.faces import missing
from retrograd.keras.optimizers import Adagrad

__getattr__ = missing(__name__)
