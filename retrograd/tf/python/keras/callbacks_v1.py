"""The names of ``tensorflow.python.keras.callbacks_v1``."""

from retrograd.faces import missing
from retrograd.keras.tensorboard import TensorBoard

__getattr__ = missing(__name__)
