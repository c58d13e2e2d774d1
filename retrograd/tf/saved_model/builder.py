"""The names of ``tensorflow.saved_model.builder``."""

from retrograd.faces import missing
from retrograd.io.saved_model.builder import SavedModelBuilder

__getattr__ = missing(__name__)
