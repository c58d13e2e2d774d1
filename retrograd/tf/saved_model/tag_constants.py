"""The names of ``tensorflow.saved_model.tag_constants``."""

from retrograd.faces import missing
from retrograd.io.saved_model.tag_constants import GPU, SERVING, TPU, TRAINING

__getattr__ = missing(__name__)
