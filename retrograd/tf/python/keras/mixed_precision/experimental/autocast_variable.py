"""The names of ``tensorflow.python.keras.mixed_precision.experimental.autocast_variable``."""

from retrograd.faces import missing
from retrograd.state.autocast import AutoCastVariable

__getattr__ = missing(__name__)
