"""The names of ``tensorflow.python.keras.layers.pooling``."""

from retrograd.faces import missing
from retrograd.keras.layers.spatial import (
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    GlobalAvgPool1D,
    GlobalAvgPool2D,
    GlobalAvgPool3D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    GlobalMaxPooling3D,
    MaxPooling1D,
    MaxPooling2D,
    MaxPooling3D,
)
from retrograd.keras.layers.spatial import (
    AvgPool1D as AveragePooling1D,
)
from retrograd.keras.layers.spatial import (
    AvgPool2D as AveragePooling2D,
)
from retrograd.keras.layers.spatial import (
    AvgPool3D as AveragePooling3D,
)
from retrograd.keras.layers.spatial import (
    GlobalAvgPool1D as GlobalAveragePooling1D,
)
from retrograd.keras.layers.spatial import (
    GlobalAvgPool2D as GlobalAveragePooling2D,
)
from retrograd.keras.layers.spatial import (
    GlobalAvgPool3D as GlobalAveragePooling3D,
)
from retrograd.keras.layers.spatial import (
    GlobalMaxPooling1D as GlobalMaxPool1D,
)
from retrograd.keras.layers.spatial import (
    GlobalMaxPooling2D as GlobalMaxPool2D,
)
from retrograd.keras.layers.spatial import (
    GlobalMaxPooling3D as GlobalMaxPool3D,
)
from retrograd.keras.layers.spatial import (
    MaxPooling1D as MaxPool1D,
)
from retrograd.keras.layers.spatial import (
    MaxPooling2D as MaxPool2D,
)
from retrograd.keras.layers.spatial import (
    MaxPooling3D as MaxPool3D,
)
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
