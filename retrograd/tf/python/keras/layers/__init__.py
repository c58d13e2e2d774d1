"""The names of ``tensorflow.python.keras.layers``."""

from retrograd.faces import missing
from retrograd.keras.inputs import Input, InputLayer
from retrograd.keras.kernels import RandomFourierFeatures
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
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    Conv1D,
    Conv2D,
    Conv2DTranspose,
    Conv3D,
    Conv3DTranspose,
    Convolution1D,
    Convolution2D,
    Convolution2DTranspose,
    Convolution3D,
    Convolution3DTranspose,
    Cropping1D,
    Cropping2D,
    Cropping3D,
    DepthwiseConv2D,
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalAveragePooling3D,
    GlobalAvgPool1D,
    GlobalAvgPool2D,
    GlobalAvgPool3D,
    GlobalMaxPool1D,
    GlobalMaxPool2D,
    GlobalMaxPool3D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    GlobalMaxPooling3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
    MaxPooling1D,
    MaxPooling2D,
    MaxPooling3D,
    SeparableConv1D,
    SeparableConv2D,
    SeparableConvolution1D,
    SeparableConvolution2D,
    UpSampling1D,
    UpSampling2D,
    UpSampling3D,
    ZeroPadding1D,
    ZeroPadding2D,
    ZeroPadding3D,
)
from retrograd.keras.wrappers import Bidirectional, TimeDistributed, Wrapper
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
