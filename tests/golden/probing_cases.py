"""Axes spread over others, and cells between hyperplanes: values and mistakes."""

_PRELUDE = """
import numpy as np
from importlib import import_module
P = import_module('tensorflow.contrib.periodic_resample' if tf.__name__.startswith('tensorflow') else tf.__name__ + '.contrib.periodic_resample').periodic_resample
H = import_module('tensorflow.contrib.nearest_neighbor' if tf.__name__.startswith('tensorflow') else tf.__name__ + '.contrib.nearest_neighbor').hyperplane_lsh_probes
def x(*shape): return np.arange(np.prod(shape)).reshape(shape)
def grad(shape, to):
    v = tf.constant(x(*shape), tf.float32)
    y = P(v, to)
    return [y, tf.gradients(y, v, tf.cast(tf.reshape(tf.range(tf.size(y)), tf.shape(y)), tf.float32) + 1.)[0]]
r = np.random.RandomState(0)
"""

_LINES = """
ys = [P(x(3, 4), [6, None]), P(x(3, 4), [5, None]), P(x(2, 2, 4), [4, 4, None]), P(x(2, 2, 2, 8), [4, 4, 4, None]), P(x(7, 2), [None, 5])]
ys = grad((2, 2, 4), [4, 4, None])
ys = grad((3, 4), [5, None])
ys = grad((7, 2), [None, 5])
ys = [P(tf.placeholder_with_default(x(2, 2, 4), [2, 2, None]), [4, 4, None])]
with tf.Session() as s: s.run(P(tf.placeholder_with_default(np.zeros([1, 2, 2, 4]), None), [None, 4, 4, 1]))
with tf.Session() as s: s.run(P(tf.placeholder_with_default(np.zeros([1, 2, 2, 4]), None), [None, 4, 4]))
with tf.Session() as s: s.run(P(tf.placeholder_with_default(np.zeros([2, 2]), None), [4, 4]))
with tf.Session() as s: s.run(P(tf.placeholder_with_default(np.zeros([2, 2]), None), [None, None]))
with tf.Session() as s: s.run(P(tf.placeholder_with_default(np.zeros([2, 2]), None), [None, 8]))
ys = H(np.array([[1.2, .5, -.9, -1.], [2., -3., 1., -1.5]]), 2, 2, 4)
ys = H(np.array([[1.2, .5, -.9, -1.], [2., -3., 1., -1.5]]), 2, 2, 1)
ys = H(r.randn(5, 12).astype(np.float32), 3, 4, 30)
ys = H(r.randn(3, 5), 1, 5, 32)
with tf.Session() as s: s.run(H([1., 2.], 1, 2, 2))
with tf.Session() as s: s.run(H([[1., 2.]], 1, 3, 2))
with tf.Session() as s: s.run(H([[1., 2.]], 0, 2, 2))
with tf.Session() as s: s.run(H([[1., 2.]], 1, 0, 2))
with tf.Session() as s: s.run(H([[1., 2.]], 1, 2, 0))
with tf.Session() as s: s.run(H([[1., 2.]], [1], 2, 2))
"""


CASES = {line: _PRELUDE + line for line in _LINES.strip().splitlines()}
