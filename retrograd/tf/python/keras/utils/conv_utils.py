"""The names of ``tensorflow.python.keras.utils.conv_utils``."""

from retrograd.faces import missing
from retrograd.keras.utils import convert_kernel, normalize_data_format, normalize_padding
from retrograd.nn.layers.connections import conv_connected_inputs, conv_kernel_idxs, conv_kernel_mask
from retrograd.nn.layers.sizes import (
    conv_input_length,
    conv_output_length,
    convert_data_format,
    normalize_tuple,
)
from retrograd.nn.layers.sizes import (
    grown_length as deconv_output_length,
)

__getattr__ = missing(__name__)
