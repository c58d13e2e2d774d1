"""The names of ``tensorflow.python.keras.optimizer_v2.gradient_descent``."""

from retrograd.faces import missing
from retrograd.keras.optimizers import SGD

__getattr__ = missing(__name__)
