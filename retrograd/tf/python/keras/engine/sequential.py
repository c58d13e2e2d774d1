"""The names of ``tensorflow.python.keras.engine.sequential``."""

from retrograd.faces import missing
from retrograd.keras.models import Sequential

__getattr__ = missing(__name__)
