"""Windows that elements of feature maps see: numbers and mistakes."""

_PRELUDE = """
import numpy as np
from importlib import import_module
R = import_module(('tensorflow' if tf.__name__.startswith('tensorflow') else tf.__name__) + '.contrib.receptive_field.receptive_field_api')
x = tf.placeholder(tf.float32, [None, None, None, 1], name='x')
def conv(x, k, s, p='SAME', name=None):
    with tf.variable_scope(name, 'conv'):
        w = tf.get_variable('w', [k, k + 1, int(x.shape[-1]), 2])
        return tf.nn.conv2d(x, w, [1, s, s, 1], p)
def field(y, **more):
    f = R.compute_receptive_field_from_graph_def(tf.get_default_graph().as_graph_def(), 'x', y.op.name, **more)
    return [tf.constant([np.nan if n is None else float(n) for n in f])]
"""

_LINES = """
ys = field(conv(x, 3, 1))
ys = field(conv(conv(x, 3, 2, 'VALID'), 5, 1, 'VALID'))
ys = field(conv(tf.nn.max_pool(tf.nn.relu(conv(x, 3, 2, 'VALID')), [1, 3, 2, 1], [1, 2, 2, 1], 'VALID'), 4, 1))
ys = field(conv(tf.pad(x, [[0, 0], [1, 2], [3, 0], [0, 0]]), 3, 2, 'VALID'))
ys = field(conv(conv(x, 3, 2), 2, 2), input_resolution=[33, 48])
ys = field(tf.add(conv(x, 1, 1), conv(x, 3, 1)))
ys = field(tf.concat([conv(x, 1, 1), tf.nn.avg_pool(x, [1, 3, 3, 1], [1, 1, 1, 1], 'SAME')], 3))
c = conv(conv(x, 1, 1), 3, 1, name='b'); ys = field(c, stop_propagation=['q'])
o, n = R.get_compute_order(tf.get_default_graph().as_graph_def()); y = conv(tf.nn.relu(x), 3, 2); o, n = R.get_compute_order(tf.get_default_graph().as_graph_def(), 'x', [7, 9]); ys = [tf.constant([o[y.op.name].order] + o[y.op.name].input_size + o[y.op.name].output_size)]
field(tf.add(conv(x, 3, 1, 'VALID'), conv(x, 1, 1, 'VALID')[:, 1:-1, 1:-1]))
y = tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], 'VALID'); z = tf.nn.max_pool(x, [1, 2, 2, 1], [1, 1, 1, 1], 'VALID'); field(tf.add(y, z))
y = tf.nn.max_pool(x, [1, 3, 3, 1], [1, 1, 1, 1], 'VALID'); field(tf.add(y, tf.identity(x)))
field(tf.sigmoid(x))
field(tf.nn.relu(tf.placeholder(tf.float32, [1, 4, 4, 1])))
R.compute_receptive_field_from_graph_def(tf.get_default_graph(), 'x', 'nobody')
"""


CASES = {line: _PRELUDE + line for line in _LINES.strip().splitlines()}
