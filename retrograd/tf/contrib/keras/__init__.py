"""The names of ``tensorflow.contrib.keras``."""

from retrograd.faces import missing
from retrograd.keras.inputs import Input
from retrograd.keras.models import Model
from retrograd.keras.sequential import Sequential

__version__ = "2.2.4-tf"

__getattr__ = missing(__name__)
