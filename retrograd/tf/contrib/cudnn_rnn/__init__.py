"""The names of ``tensorflow.contrib.cudnn_rnn``."""

from retrograd.contrib.cudnn_layers import CudnnGRU, CudnnLSTM, CudnnRNNRelu, CudnnRNNTanh
from retrograd.contrib.cudnn_saveables import (
    CudnnGRUSaveable,
    CudnnLSTMSaveable,
    CudnnParamsFormatConverterGRU,
    CudnnParamsFormatConverterLSTM,
    CudnnParamsFormatConverterRelu,
    CudnnParamsFormatConverterTanh,
    CudnnRNNReluSaveable,
    CudnnRNNTanhSaveable,
)
from retrograd.faces import missing
from retrograd.nn.recurrent.cudnn_cells import CudnnCompatibleGRUCell, CudnnCompatibleLSTMCell

__getattr__ = missing(__name__)
