"""The names of ``tensorflow.python.saved_model.model_utils``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
