"""The names of ``tensorflow.python.keras.layers.convolutional``."""

from retrograd.faces import missing
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
    Convolution1D,
    Convolution2D,
    Convolution2DTranspose,
    Convolution3D,
    Convolution3DTranspose,
    Cropping1D,
    Cropping2D,
    Cropping3D,
    DepthwiseConv2D,
    MaxPooling1D,
    MaxPooling2D,
    MaxPooling3D,
    SeparableConvolution1D,
    SeparableConvolution2D,
    UpSampling1D,
    UpSampling2D,
    UpSampling3D,
    ZeroPadding1D,
    ZeroPadding2D,
    ZeroPadding3D,
)
from retrograd.keras.layers.spatial import (
    Convolution1D as Conv1D,
)
from retrograd.keras.layers.spatial import (
    Convolution2D as Conv2D,
)
from retrograd.keras.layers.spatial import (
    Convolution2DTranspose as Conv2DTranspose,
)
from retrograd.keras.layers.spatial import (
    Convolution2DTranspose as Deconv2D,
)
from retrograd.keras.layers.spatial import (
    Convolution2DTranspose as Deconvolution2D,
)
from retrograd.keras.layers.spatial import (
    Convolution3D as Conv3D,
)
from retrograd.keras.layers.spatial import (
    Convolution3DTranspose as Conv3DTranspose,
)
from retrograd.keras.layers.spatial import (
    Convolution3DTranspose as Deconv3D,
)
from retrograd.keras.layers.spatial import (
    Convolution3DTranspose as Deconvolution3D,
)
from retrograd.keras.layers.spatial import (
    SeparableConvolution1D as SeparableConv1D,
)
from retrograd.keras.layers.spatial import (
    SeparableConvolution2D as SeparableConv2D,
)
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
