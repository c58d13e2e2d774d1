"""The names of ``tensorflow.python.keras.optimizer_v2.rmsprop``."""

from retrograd.faces import missing
from retrograd.keras.optimizers import RMSprop
from retrograd.keras.optimizers import RMSprop as RMSProp

__getattr__ = missing(__name__)
