"""The names of ``tensorflow.python.keras.layers.pooling``."""

from retrograd.faces import missing
from retrograd.keras.layers.spatial import (
    AveragePooling1D,
    AveragePooling2D,
    AveragePooling3D,
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalAveragePooling3D,
    GlobalMaxPool1D,
    GlobalMaxPool2D,
    GlobalMaxPool3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
)
from retrograd.keras.layers.spatial import (
    AveragePooling1D as AvgPool1D,
)
from retrograd.keras.layers.spatial import (
    AveragePooling2D as AvgPool2D,
)
from retrograd.keras.layers.spatial import (
    AveragePooling3D as AvgPool3D,
)
from retrograd.keras.layers.spatial import (
    GlobalAveragePooling1D as GlobalAvgPool1D,
)
from retrograd.keras.layers.spatial import (
    GlobalAveragePooling2D as GlobalAvgPool2D,
)
from retrograd.keras.layers.spatial import (
    GlobalAveragePooling3D as GlobalAvgPool3D,
)
from retrograd.keras.layers.spatial import (
    GlobalMaxPool1D as GlobalMaxPooling1D,
)
from retrograd.keras.layers.spatial import (
    GlobalMaxPool2D as GlobalMaxPooling2D,
)
from retrograd.keras.layers.spatial import (
    GlobalMaxPool3D as GlobalMaxPooling3D,
)
from retrograd.keras.layers.spatial import (
    MaxPool1D as MaxPooling1D,
)
from retrograd.keras.layers.spatial import (
    MaxPool2D as MaxPooling2D,
)
from retrograd.keras.layers.spatial import (
    MaxPool3D as MaxPooling3D,
)
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
