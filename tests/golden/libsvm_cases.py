"""Lines of labels and sparse features: ``tf.contrib.libsvm.decode_libsvm``."""

_PRELUDE = """
def read(content, n=6, **types):
    f, y = __import__('importlib').import_module(tf.__name__ + '.contrib.libsvm').decode_libsvm(content, n, **types)
    return [f.indices, f.values, f.dense_shape, y]
"""

_LINES = """
ys = read(['1 1:3.4 2:0.5 4:0.231', '1 2:2.5 3:0.503', '2 3:2.5 2:0.105', '-3'])
ys = read([['1 1:3', ' 0   2:2 '], ['2\\\\t5:1', '4 9:7']], dtype=tf.float64, label_dtype=tf.float32)
ys = read([['1 1:3', '1 2:4']], dtype=tf.int32, label_dtype=tf.int32)
ys = read(['1 1:3', ' '])
ys = read(['x 1:3'])
ys = read(['1.5 1:3'])
ys = read(['1 1'])
ys = read(['1 a:3'])
ys = read(['1 -1:3'])
ys = read(['1 1:b'])
"""


CASES = {line: _PRELUDE + line.replace("\\\\", "\\") for line in _LINES.strip().splitlines()}
