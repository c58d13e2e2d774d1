"""The names of ``tensorflow.compat.v2.keras.applications.mobilenet``."""

from retrograd.faces import missing
from retrograd.keras.applications.common import decode_predictions
from retrograd.keras.applications.common import preprocess_tf as preprocess_input
from retrograd.keras.applications.mobilenet import MobileNet

__getattr__ = missing(__name__)
