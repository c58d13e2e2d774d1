"""The packages of ``tf.contrib`` that came last: what they compute; run by ``record_cases.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
contrib = tf.contrib
def inner(m): return __import__('importlib').import_module('%s.%s' % (tf.__name__, m))
def c(*s): return tf.constant(np.float32(rng.randn(*s)))
def names(): return tf.constant([v.op.name for v in tf.global_variables() + tf.local_variables()] + [''])
"""

_COLORS = """
D = inner('contrib.image.python.ops.distort_image_ops')
x = tf.constant(np.float32(rng.rand(2, 3, 2, 3)))
ys = [D.adjust_hsv_in_yiq(x, .3, .5, 1.5), D.adjust_hsv_in_yiq(tf.cast(x * 255, tf.uint8), -2., 1.2, .8)]
ys += [D.random_hsv_in_yiq(x, .4, .5, 1.5, .8, 1.2, seed=3), D.random_hsv_in_yiq(x, .4, 1.5, 1.5), D.random_hsv_in_yiq(x)]

inner('contrib.image.python.ops.distort_image_ops').random_hsv_in_yiq(c(1, 1, 3), -1)

inner('contrib.image.python.ops.distort_image_ops').random_hsv_in_yiq(c(1, 1, 3), .1, 2, 1)

inner('contrib.image.python.ops.distort_image_ops').random_hsv_in_yiq(c(1, 1, 3), .1, -1)

inner('contrib.image.python.ops.distort_image_ops').random_hsv_in_yiq(c(1, 1, 3), .1, 1, 1, 2, 1)

ys = [inner('contrib.image.python.ops.distort_image_ops').adjust_hsv_in_yiq(c(2, 2, 4))]
"""

_CONSTRAINED = """
ys = played(C.AdditiveExternalRegretOptimizer(G(.1), G(.2)), 3)

ys = played(C.AdditiveExternalRegretOptimizer(G(.1), G(1.), 1.), 3)

ys = played(C.AdditiveExternalRegretOptimizer(tf.train.AdamOptimizer(.1), G(2.)), 3, proxies=True)

ys = played(C.AdditiveSwapRegretOptimizer(G(.1), G(.5)), 3)

ys = played(C.MultiplicativeSwapRegretOptimizer(G(.1), G(.5), .2, .5), 3, proxies=True)

ys = played(C.MultiplicativeSwapRegretOptimizer(tf.train.AdagradOptimizer(.1)), 2)

step = tf.train.get_or_create_global_step()
p = Problem(False)
o = C.AdditiveExternalRegretOptimizer(G(.1), G(.3))
with tf.control_dependencies([o.minimize(p, unconstrained_steps=2, global_step=step)]): ys = [v.read_value() for v in tf.global_variables()] + [names()]

C.AdditiveExternalRegretOptimizer(G(.1)).minimize(Problem(False), unconstrained_steps=2)

C.AdditiveExternalRegretOptimizer(G(.1), None, -1.)

C.MultiplicativeSwapRegretOptimizer(G(.1), None, 1.)

C.MultiplicativeSwapRegretOptimizer(G(.1), None, .5, .2)

C.find_best_candidate_distribution(rng.randn(5), rng.randn(3, 6))

C.find_best_candidate_index(rng.randn(5), rng.randn(3, 6))

C.find_best_candidate_distribution(rng.randn(6), rng.randn(3, 6), -1.)
"""
_CONSTRAINED_PRELUDE = """
C, G = tf.contrib.constrained_optimization, tf.train.GradientDescentOptimizer
class Problem(C.ConstrainedMinimizationProblem):
    def __init__(self, proxies):
        self.x = tf.get_variable('x', initializer=[1., -2., .5], use_resource=True).read_value(); self.proxies = proxies  # one read: nothing races
    @property
    def objective(self): return tf.reduce_sum(self.x * self.x)
    @property
    def constraints(self): return tf.constant([1., .5]) - self.x[:2] if not self.proxies else tf.sign(tf.constant([1., .5]) - self.x[:2])
    @property
    def proxy_constraints(self): return tf.nn.relu(tf.constant([1., .5]) - self.x[:2]) if self.proxies else None
    @property
    def pre_train_ops(self): return [tf.no_op()] if self.proxies else None
def played(optimizer, steps, proxies=False):
    step = tf.train.get_or_create_global_step()
    op = optimizer.minimize(Problem(proxies), global_step=step)
    with tf.control_dependencies([op]): after = [v.read_value() for v in tf.global_variables()]
    return [names()] + after
"""


def _programs(**texts):
    """The programs of each text, which blank lines part, under the text's name and their number."""
    return {f"{name} {i}": code for name, text in texts.items() for i, code in enumerate(text.strip().split("\n\n"))}


_BEFORE = {"constrained": _CONSTRAINED_PRELUDE}
CASES = {
    name: _PRELUDE + _BEFORE.get(name.split()[0], "") + code
    for name, code in _programs(colors=_COLORS, constrained=_CONSTRAINED).items()
}
