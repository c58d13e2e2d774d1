"""The names of ``tensorflow.python.training.saving.saveable_object``."""

from retrograd.faces import missing
from retrograd.io.saveables import SaveableObject, SaveSpec

__getattr__ = missing(__name__)
