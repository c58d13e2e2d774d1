"""The names of ``tensorflow.python.keras.optimizer_v2.optimizer_v2``."""

from retrograd.faces import missing
from retrograd.keras.optimizer_v2 import OptimizerV2

__getattr__ = missing(__name__)
