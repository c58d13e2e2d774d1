"""The names of ``tensorflow.contrib.cudnn_rnn.python.layers``."""

from retrograd.contrib.cudnn_layers import CudnnGRU, CudnnLSTM, CudnnRNNRelu, CudnnRNNTanh
from retrograd.faces import missing

__getattr__ = missing(__name__)
