"""The names of ``tensorflow.keras.applications.nasnet``."""

from retrograd.faces import missing
from retrograd.keras.applications.common import decode_predictions
from retrograd.keras.applications.common import preprocess_tf as preprocess_input
from retrograd.keras.applications.nasnet import NASNetLarge, NASNetMobile

__getattr__ = missing(__name__)
