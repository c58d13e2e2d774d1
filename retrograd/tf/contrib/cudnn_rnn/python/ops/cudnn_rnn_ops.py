"""The names of ``tensorflow.contrib.cudnn_rnn.python.ops.cudnn_rnn_ops``."""

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
from retrograd.nn.recurrent.cudnn_networks import (
    CUDNN_GRU,
    CUDNN_GRU_PARAMS_PER_LAYER,
    CUDNN_INPUT_AUTO_MODE,
    CUDNN_INPUT_LINEAR_MODE,
    CUDNN_INPUT_SKIP_MODE,
    CUDNN_LSTM,
    CUDNN_LSTM_PARAMS_PER_LAYER,
    CUDNN_RNN_BIDIRECTION,
    CUDNN_RNN_RELU,
    CUDNN_RNN_RELU_PARAMS_PER_LAYER,
    CUDNN_RNN_TANH,
    CUDNN_RNN_TANH_PARAMS_PER_LAYER,
    CUDNN_RNN_UNIDIRECTION,
    CudnnGRU,
    CudnnLSTM,
    CudnnRNNRelu,
    CudnnRNNTanh,
    _cudnn_rnn,
    _cudnn_rnn_no_input_c,
    check_direction,
    check_input_mode,
    cudnn_gru,
    cudnn_lstm,
    cudnn_rnn_canonical_to_opaque_params,
    cudnn_rnn_opaque_params_size,
    cudnn_rnn_opaque_params_to_canonical,
    cudnn_rnn_relu,
    cudnn_rnn_tanh,
)

__getattr__ = missing(__name__)
