"""The names of ``tensorflow.compat.v2.keras.applications.vgg19``."""

from retrograd.faces import missing
from retrograd.keras.applications.common import decode_predictions, preprocess_input
from retrograd.keras.applications.vgg import VGG19

__getattr__ = missing(__name__)
