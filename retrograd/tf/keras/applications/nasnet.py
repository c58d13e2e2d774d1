"""The names of ``tensorflow.keras.applications.nasnet``."""

from retrograd.faces import missing
from retrograd.keras.applications.vgg import (
    VGG16 as NASNetLarge,
)
from retrograd.keras.applications.vgg import (
    VGG16 as NASNetMobile,
)
from retrograd.keras.applications.vgg import (
    VGG16 as decode_predictions,
)
from retrograd.keras.applications.vgg import (
    VGG16 as preprocess_input,
)

__getattr__ = missing(__name__)
