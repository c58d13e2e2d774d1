"""The names of ``tensorflow.python.keras.layers.convolutional``."""

from retrograd.faces import missing
from retrograd.keras.layers.spatial import (
    AveragePooling1D,
    AveragePooling2D,
    AveragePooling3D,
    Conv1D,
    Conv2D,
    Conv2DTranspose,
    Conv3D,
    Conv3DTranspose,
    Cropping1D,
    Cropping2D,
    Cropping3D,
    DepthwiseConv2D,
    SeparableConv1D,
    SeparableConv2D,
    UpSampling1D,
    UpSampling2D,
    UpSampling3D,
    ZeroPadding1D,
    ZeroPadding2D,
    ZeroPadding3D,
)
from retrograd.keras.layers.spatial import (
    Conv1D as Convolution1D,
)
from retrograd.keras.layers.spatial import (
    Conv2D as Convolution2D,
)
from retrograd.keras.layers.spatial import (
    Conv2DTranspose as Convolution2DTranspose,
)
from retrograd.keras.layers.spatial import (
    Conv2DTranspose as Deconv2D,
)
from retrograd.keras.layers.spatial import (
    Conv2DTranspose as Deconvolution2D,
)
from retrograd.keras.layers.spatial import (
    Conv3D as Convolution3D,
)
from retrograd.keras.layers.spatial import (
    Conv3DTranspose as Convolution3DTranspose,
)
from retrograd.keras.layers.spatial import (
    Conv3DTranspose as Deconv3D,
)
from retrograd.keras.layers.spatial import (
    Conv3DTranspose as Deconvolution3D,
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
from retrograd.keras.layers.spatial import (
    SeparableConv1D as SeparableConvolution1D,
)
from retrograd.keras.layers.spatial import (
    SeparableConv2D as SeparableConvolution2D,
)
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
