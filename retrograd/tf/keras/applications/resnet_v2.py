"""The names of ``tensorflow.keras.applications.resnet_v2``."""

from retrograd.faces import missing
from retrograd.keras.applications.common import decode_predictions
from retrograd.keras.applications.common import preprocess_tf as preprocess_input
from retrograd.keras.applications.resnet import ResNet50V2, ResNet101V2, ResNet152V2

__getattr__ = missing(__name__)
