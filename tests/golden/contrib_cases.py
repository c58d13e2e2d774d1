"""Small programs over ``tf.contrib.losses``, ``.layers`` and ``slim.nets``; run by ``record_cases.py`` and
``test_contrib.py``."""

_PRELUDE = """
tf.set_random_seed(1)
slim, losses = tf.contrib.slim, tf.contrib.losses
import sys
if "tensorflow" in sys.modules: from tensorflow.contrib.slim.nets import resnet_v1
else: from retrograd.tf.contrib.slim.nets import resnet_v1
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.uniform(-1, 1, s).astype('f'), s)
def p(*s): return tf.placeholder_with_default(rng.uniform(.1, .9, s).astype('f'), s)
"""

_LAYERS = """
ys = [losses.mean_squared_error(f(2, 3), f(2, 3)), losses.softmax_cross_entropy(f(2, 3), p(2, 3), label_smoothing=.1)]
ys = [losses.sigmoid_cross_entropy(f(2, 3), p(2, 3), weights=2., label_smoothing=.1), losses.absolute_difference(f(2, 3), f(2, 3))]
ys = [tf.contrib.layers.group_norm(f(2, 4, 4, 8), groups=4), tf.contrib.layers.instance_norm(f(2, 4, 4, 8))]
ys = [tf.contrib.layers.spatial_softmax(f(2, 4, 4, 8)), tf.contrib.layers.maxout(f(2, 8), 4)]
"""

_NETS = """
with slim.arg_scope(resnet_v1.resnet_arg_scope()): net, e = resnet_v1.resnet_v1(f(2, 32, 32, 3), [resnet_v1.resnet_v1_block('block1', 2, 2, 2)], 5); ys = [net]
"""


def _cases(texts, kind):
    return {f"{kind}_{n}": f"{_PRELUDE}{line}\n" for n, line in enumerate(texts.strip().splitlines())}


CASES = {**_cases(_LAYERS, "layers"), **_cases(_NETS, "nets")}
