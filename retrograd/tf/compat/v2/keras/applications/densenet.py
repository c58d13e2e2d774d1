"""The names of ``tensorflow.compat.v2.keras.applications.densenet``."""

from retrograd.faces import missing
from retrograd.keras.applications.common import decode_predictions
from retrograd.keras.applications.common import preprocess_torch as preprocess_input
from retrograd.keras.applications.densenet import DenseNet121, DenseNet169, DenseNet201

__getattr__ = missing(__name__)
