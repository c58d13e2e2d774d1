"""The names of ``tensorflow.compat.v2.keras.applications.xception``."""

from retrograd.faces import missing
from retrograd.keras.applications.vgg import (
    VGG16 as Xception,
)
from retrograd.keras.applications.vgg import (
    VGG16 as decode_predictions,
)
from retrograd.keras.applications.vgg import (
    VGG16 as preprocess_input,
)

__getattr__ = missing(__name__)
