"""Where the names that hardly a program uses come from; see ``faces_of_contrib``."""

from faces_of_contrib import serve

SERVED = """
ops.fractional_pooling | nn python.ops.nn_ops | fractional_avg_pool fractional_max_pool
ops.fractional_pooling | python.ops.nn_ops | fractional_avg_pool_v2 fractional_max_pool_v2
ops.fractional_pooling | compat.v2.nn | fractional_avg_pool_v2=fractional_avg_pool
    fractional_max_pool_v2=fractional_max_pool
ops.quantized | - quantization python.ops.array_ops | quantize dequantize quantized_concat
ops.quantized | - python.ops.array_ops | quantize_v2
ops.quantized | nn | quantized_avg_pool quantized_conv2d quantized_max_pool
"""

serve(SERVED)
