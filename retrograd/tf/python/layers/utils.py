"""The names of ``tensorflow.python.layers.utils``."""

from retrograd.faces import missing
from retrograd.nn.layers.sizes import (
    constant_value,
    conv_input_length,
    conv_output_length,
    convert_data_format,
    deconv_output_length,
    get_reachable_from_inputs,
    normalize_data_format,
    normalize_padding,
    normalize_tuple,
    smart_cond,
)

__getattr__ = missing(__name__)
