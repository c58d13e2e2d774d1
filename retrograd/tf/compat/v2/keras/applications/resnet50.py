"""The names of ``tensorflow.compat.v2.keras.applications.resnet50``."""

from retrograd.faces import missing
from retrograd.keras.applications.common import decode_predictions, preprocess_input
from retrograd.keras.applications.resnet import ResNet50

__getattr__ = missing(__name__)
