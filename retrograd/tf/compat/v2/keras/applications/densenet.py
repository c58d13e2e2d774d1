"""The names of ``tensorflow.compat.v2.keras.applications.densenet``."""

from retrograd.faces import missing
from retrograd.keras.applications.vgg import (
    VGG16 as DenseNet121,
)
from retrograd.keras.applications.vgg import (
    VGG16 as DenseNet169,
)
from retrograd.keras.applications.vgg import (
    VGG16 as DenseNet201,
)
from retrograd.keras.applications.vgg import (
    VGG16 as decode_predictions,
)
from retrograd.keras.applications.vgg import (
    VGG16 as preprocess_input,
)

__getattr__ = missing(__name__)
