"""The names of ``tensorflow.compat.v2.keras.applications.imagenet_utils``."""

from retrograd.faces import missing
from retrograd.keras.applications.common import decode_predictions, preprocess_input

__getattr__ = missing(__name__)
