"""The names of ``tensorflow.python.keras.applications.inception_resnet_v2``."""

from retrograd.faces import missing
from retrograd.keras.applications.common import decode_predictions
from retrograd.keras.applications.common import preprocess_tf as preprocess_input
from retrograd.keras.applications.inception_resnet import InceptionResNetV2

__getattr__ = missing(__name__)
