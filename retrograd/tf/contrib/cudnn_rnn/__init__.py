"""The names of ``tensorflow.contrib.cudnn_rnn``."""

from retrograd.faces import missing
from retrograd.nn.recurrent.cudnn_cells import CudnnCompatibleGRUCell, CudnnCompatibleLSTMCell

__getattr__ = missing(__name__)
