"""The names of ``tensorflow.python.layers.pooling``."""

from retrograd.faces import missing
from retrograd.nn.layers.pooling import (
    AveragePooling1D,
    AveragePooling2D,
    AveragePooling3D,
    AvgPool2D,
    MaxPool2D,
    MaxPooling1D,
    MaxPooling2D,
    MaxPooling3D,
    average_pooling1d,
    average_pooling2d,
    average_pooling3d,
    avg_pool2d,
    max_pool2d,
    max_pooling1d,
    max_pooling2d,
    max_pooling3d,
)

__getattr__ = missing(__name__)
