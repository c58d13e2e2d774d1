"""The names of ``tensorflow.python.saved_model.tag_constants``."""

from retrograd.faces import missing
from retrograd.io.saved_model.tag_constants import EVAL, GPU, SERVING, TPU, TRAINING

__getattr__ = missing(__name__)
