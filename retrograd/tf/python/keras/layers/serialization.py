"""The names of ``tensorflow.python.keras.layers.serialization``."""

from retrograd.faces import missing
from retrograd.keras.inputs import Input, InputLayer
from retrograd.keras.layer_table import deserialize, serialize
from retrograd.keras.layers.attention import AdditiveAttention, Attention
from retrograd.keras.layers.cell_wrappers import DeviceWrapper, DropoutWrapper, ResidualWrapper
from retrograd.keras.layers.convolutional_recurrent import ConvLSTM2D
from retrograd.keras.layers.core import (
    ELU,
    Activation,
    ActivityRegularization,
    Dense,
    Dropout,
    Flatten,
    LeakyReLU,
    Masking,
    Permute,
    PReLU,
    ReLU,
    RepeatVector,
    Reshape,
    Softmax,
    SpatialDropout1D,
    SpatialDropout2D,
    SpatialDropout3D,
    ThresholdedReLU,
)
from retrograd.keras.layers.cudnn import CuDNNGRU, CuDNNLSTM
from retrograd.keras.layers.functions import Lambda
from retrograd.keras.layers.local import LocallyConnected1D, LocallyConnected2D
from retrograd.keras.layers.merging import (
    Add,
    Average,
    Concatenate,
    Dot,
    Maximum,
    Minimum,
    Multiply,
    Subtract,
    add,
    average,
    concatenate,
    dot,
    maximum,
    minimum,
    multiply,
    subtract,
)
from retrograd.keras.layers.noise import AlphaDropout, GaussianDropout, GaussianNoise
from retrograd.keras.layers.normalizing import BatchNormalization, Embedding, LayerNormalization
from retrograd.keras.layers.recurrent import GRU, LSTM, RNN, SimpleRNN
from retrograd.keras.layers.recurrent_cells import (
    AbstractRNNCell,
    GRUCell,
    LSTMCell,
    PeepholeLSTMCell,
    SimpleRNNCell,
    StackedRNNCells,
)
from retrograd.keras.layers.spatial import (
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    Convolution1D,
    Convolution2D,
    Convolution2DTranspose,
    Convolution3D,
    Convolution3DTranspose,
    Cropping1D,
    Cropping2D,
    Cropping3D,
    DepthwiseConv2D,
    GlobalAvgPool1D,
    GlobalAvgPool2D,
    GlobalAvgPool3D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    GlobalMaxPooling3D,
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
    AvgPool1D as AveragePooling1D,
)
from retrograd.keras.layers.spatial import (
    AvgPool2D as AveragePooling2D,
)
from retrograd.keras.layers.spatial import (
    AvgPool3D as AveragePooling3D,
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
from retrograd.keras.layers.spatial import (
    SeparableConvolution1D as SeparableConv1D,
)
from retrograd.keras.layers.spatial import (
    SeparableConvolution2D as SeparableConv2D,
)
from retrograd.keras.utils import deserialize_keras_object
from retrograd.keras.wrappers import Bidirectional, TimeDistributed, Wrapper
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
