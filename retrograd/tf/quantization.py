"""The names of ``tensorflow.quantization``."""

from retrograd.faces import missing
from retrograd.ops.fake_quantization import (
    fake_quant_with_min_max_args,
    fake_quant_with_min_max_args_gradient,
    fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_gradient,
    fake_quant_with_min_max_vars_per_channel,
    fake_quant_with_min_max_vars_per_channel_gradient,
    quantize_and_dequantize,
)
from retrograd.ops.quantized import dequantize, quantize, quantized_concat

__getattr__ = missing(__name__)
