"""The names of ``tensorflow.compat.v2.keras.applications.mobilenet_v2``."""

from retrograd.faces import missing
from retrograd.keras.applications.common import decode_predictions
from retrograd.keras.applications.common import preprocess_tf as preprocess_input
from retrograd.keras.applications.mobilenet import MobileNetV2

__getattr__ = missing(__name__)
