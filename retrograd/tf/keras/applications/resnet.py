"""The names of ``tensorflow.keras.applications.resnet``."""

from retrograd.faces import missing
from retrograd.keras.applications.common import decode_predictions, preprocess_input
from retrograd.keras.applications.resnet import ResNet50, ResNet101, ResNet152

__getattr__ = missing(__name__)
