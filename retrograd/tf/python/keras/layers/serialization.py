"""The names of ``tensorflow.python.keras.layers.serialization``."""

from retrograd.faces import missing
from retrograd.keras.inputs import Input, InputLayer
from retrograd.keras.layer_table import deserialize, serialize
from retrograd.keras.layers.attention import AdditiveAttention, Attention
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
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalAveragePooling3D,
    GlobalMaxPool1D,
    GlobalMaxPool2D,
    GlobalMaxPool3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
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
    AveragePooling1D as AvgPool1D,
)
from retrograd.keras.layers.spatial import (
    AveragePooling2D as AvgPool2D,
)
from retrograd.keras.layers.spatial import (
    AveragePooling3D as AvgPool3D,
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
from retrograd.keras.layers.spatial import (
    SeparableConv1D as SeparableConvolution1D,
)
from retrograd.keras.layers.spatial import (
    SeparableConv2D as SeparableConvolution2D,
)
from retrograd.keras.utils import deserialize_keras_object
from retrograd.keras.wrappers import Bidirectional, TimeDistributed, Wrapper
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
