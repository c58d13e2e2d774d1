"""What stands behind ``tf.keras`` in TensorFlow's inner modules, in the form of ``layer_cases``; run by
``record_cases.py`` and ``test_inner_keras.py``."""

_PRELUDE = """
tf.set_random_seed(1)
np.random.seed(0)
K, k, rng = tf.keras, tf.keras.layers, np.random.RandomState(3)
def inner(m): return __import__('importlib').import_module('%s.%s' % (tf.__name__, m))
def failed(f, *args, **kwargs):
    try: f(*args, **kwargs)
    except ValueError as error: return told(str(error).split('<')[0])
def told(*values): return [tf.constant(str(v)) for v in values]
models, X = inner('python.keras.models'), rng.randn(8, 4).astype('f')
class Net(K.Model):
    def __init__(self):
        super(Net, self).__init__(name='net')
        self.a, self.b = k.Dense(3, activation='relu', name='a'), k.Dense(1, name='b')
    def call(self, x): return self.b(self.a(x))
"""

_CLONED = """
m = Net(); m.compile('sgd', 'mse', metrics=['mae'])
m.train_on_batch(X, X[:, :1])
old, layers = m.get_weights(), list(m.layers)
new = models.clone_and_build_model(m, in_place_reset=True, optimizer_iterations=K.backend.variable(7, tf.int64))
ys = told(new is m, [a is b for a, b in zip(m.layers, layers)], [l.name for l in m.layers], m.built, len(m.weights))
new.train_on_batch(X, X[:, :1])
ys += told(m.metrics_names, K.backend.get_value(m.optimizer.iterations), len(m.weights), [v.name for v in m.weights])
models.in_place_subclassed_model_state_restoration(m)
ys += told([a is b for a, b in zip(m.layers, layers)], m.built, all((a == b).all() for a, b in zip(old, m.get_weights())))

m = Net(); m.compile('sgd', 'mse')
x = K.Input((4,), name='q')
new = models.clone_and_build_model(m, input_tensors=[x], in_place_reset=True)
ys = told([t.name for t in new.inputs], [t.name for t in new.outputs], new.loss)

m = Net(); m.compile('sgd', 'mse')
models.clone_and_build_model(m)

class Nested(Net):
    def __init__(self):
        super(Nested, self).__init__()
        self.c = K.Sequential([k.Dense(2)], name='s')
m = Nested(); m.compile('sgd', 'mse')
ys = failed(models.clone_and_build_model, m, in_place_reset=True)

class Many(Net):
    def __init__(self):
        super(Many, self).__init__()
        self.c = [k.Dense(2), k.Dense(3)]
m = Many(); m.compile('sgd', 'mse')
models.clone_and_build_model(m, in_place_reset=True)

m = K.Sequential([k.Dense(4, input_shape=[4]), k.BatchNormalization(), k.Dense(2)])
n = models._clone_sequential_model(m, layer_fn=models.share_weights)
ys = told([a is b for a, b in zip(m.layers, n.layers)], len(n.updates), len(n.get_updates_for(n.inputs)), len(m.get_updates_for(m.inputs)), n.inputs[0] is m.inputs[0])

x = K.Input((4,)); m = K.Model(x, k.BatchNormalization()(k.Dense(2)(x)))
n = models._clone_functional_model(m, layer_fn=models.share_weights)
ys = told([a is b for a, b in zip(m.layers, n.layers)], len(n.updates), len(n.get_updates_for(n.inputs)), n.inputs[0] is m.inputs[0])

ys = failed(models._clone_functional_model, K.Sequential([k.Dense(2)]))

x = K.Input((4,)); ys = failed(models._clone_sequential_model, K.Model(x, x))
"""

_NETWORKS = """
network = inner('python.keras.engine.network')
x = {'x1': K.Input((1,), name='x1'), 'x2': K.Input((1,), name='x2')}
n = network.Network(x, {'s': k.Add(name='s')([x['x1'], x['x2']]), 'p': k.Multiply(name='p')([x['x1'], x['x2']])}, name='n')
m = network.Network.from_config(n.get_config())
a, b = K.Input((1,), name='a'), K.Input((1,), name='b')
found = m({'x1': a, 'x2': b})
outer = network.Network([a, b], k.Add(name='t')([found['p'], found['s']]), name='outer')
ys = told(sorted(n.get_config()), outer.compute_output_shape([(None, 1), (None, 1)]), sorted(m.compute_output_shape({'x1': (None, 1), 'x2': (None, 1)}).items()), n.to_json() == m.to_json(), [l.name for l in outer.layers], isinstance(K.Sequential(), network.Network))
ys += [outer([tf.constant([[2.]]), tf.constant([[5.]])])]

class Counting(k.Layer):
    def build(self, shape):
        self.a = self.add_weight('a', (1, 1), trainable=False); self.built = True
    def call(self, x):
        self.add_update(tf.assign_add(self.a, x), inputs=True); return x + 1
x, z = K.Input((1,)), K.Input((1,))
layer = Counting(); n = inner('python.keras.engine.network').Network(x, layer(x)); n(z)
n.add_update(tf.assign_add(layer.a, [[1.]])); n.add_update(tf.assign_add(layer.a, z), inputs=True)
ys = told([len(n.get_updates_for(t)) for t in (x, z, None)], len(n.updates))

U = inner('python.keras.utils.tf_utils')
a, b = tf.placeholder(tf.float32, name='a'), tf.placeholder(tf.float32, name='b'); c = tf.add(a, b, name='c'); d = tf.multiply(c, 2., name='d')
ys = told(*[sorted(str(t.name) for t in U.get_reachable_from_inputs(xs)) for xs in ([a], [a, b], [c], [])])

a = tf.placeholder(tf.float32, name='a'); b = tf.add(a, 1., name='b'); c = tf.multiply(b, 2., name='c'); d = tf.multiply(c, 3., name='d'); e = tf.multiply(b, 4., name='e')
with tf.control_dependencies([b]): f = tf.constant(3., name='f')
v = tf.Variable(0., name='v'); w = v + a
of = lambda module, xs, ys: sorted(str(y.name) for y in inner(module).get_reachable_from_inputs(xs, ys))
cases = [([a], None), ([a], [b]), ([a], [b, e]), ([a], [d]), ([a], [e]), ([v], None), ([b, v], None)]
ys = told(*[of(m, *case) for m in ('python.keras.utils.tf_utils', 'python.layers.utils') for case in cases])

inner('python.keras.utils.tf_utils').get_reachable_from_inputs([3])

class Adding(inner('python.layers.base').Layer):
    def build(self, shape):
        self.a = self.add_variable('a', (), tf.float32, trainable=False); self.add_loss(self.a); self.built = True
    def call(self, x): self.add_loss(x, inputs=True); return x + 1
layer, x = Adding(), tf.placeholder(tf.float32, ()); y = x + 1; z = layer.apply(y)
ys = told([l is layer.a for l in layer.losses], [len(layer.get_losses_for(t)) for t in (None, [x], [y], [z])])

ys = told(K.backend.get_value(3.5), K.backend.get_value([1, 2]))

with tf.Graph().as_default(): v = K.backend.variable(1.)
w = K.backend.variable(2.); K.backend.get_value(w); K.backend.get_value(v)

e = inner('python.keras.engine'); x, z = e.Input((2,)), e.Input((2,))
ys = told([t is s for t, s in zip(e.get_source_inputs(k.add([x, z])), [x, z])], issubclass(e.InputLayer, e.Layer), e.InputSpec is k.InputSpec)
"""

_SMALL = """
I, spec = inner('python.keras.engine.input_spec'), k.InputSpec
ys = told(*[I.to_tensor_shape(s) for s in (spec(shape=[1, None, 3]), spec(ndim=3, axes={1: 5, -1: 2}), spec(min_ndim=2), spec(ndim=0))])

G = inner('python.keras.utils.generic_utils')
def f(a, b=1, **kw): pass
ys = told([G.has_arg(f, n, all) for n in ('a', 'b', 'c') for all in (False, True)])
x = np.arange(6)
ys += told(G.slice_arrays(x, 1, 3), G.slice_arrays([x, None, 3], 2), G.slice_arrays([x, x], np.array([1, 4])), G.slice_arrays(x, [0, 2]), G.slice_arrays(None), G.slice_arrays(x, 2))

inner('python.keras.utils.generic_utils').slice_arrays([np.arange(3)], [0], 2)

M = inner('python.saved_model.model_utils.mode_keys')
m = M.ModeKeyMap(train=1, predict=2, eval=3)
modes = ['train', 'test', 'eval', 'infer', 'predict', 'other', None]
ys = told(list(m), len(m), m['infer'], m['test'], [[f(n) for n in modes] for f in (M.is_train, M.is_eval, M.is_predict)], inner('python.keras.utils.mode_keys').ModeKeys.TEST)

inner('python.saved_model.model_utils.mode_keys').ModeKeyMap(infer=1, predict=2)

inner('python.saved_model.model_utils.mode_keys').ModeKeyMap(other=1)

ys = told(inner('python.keras.preprocessing.sequence')._remove_long_seq(3, [[1], [1, 2, 3], [4, 5]], [7, 8, 9]))

D, path = inner('python.keras.utils.data_utils'), __import__('os').path.join(tf.test.get_temp_dir(), 'digested')
with open(path, 'w') as file: file.write('some text')
ys = told(D._hash_file(path), D._hash_file(path, 'md5', 2), D.validate_file(path, D._hash_file(path)), D.validate_file(path, D._hash_file(path, 'md5')), D.validate_file(path, 'f'))
"""

_HELD = """

def scaled(x): return x * tf.get_variable('w', [2], initializer=tf.ones_initializer(), use_resource=True) + tf.get_variable('n', [2], trainable=False, initializer=tf.zeros_initializer(), use_resource=True)
class Plain(object):
    def __init__(self): self.v = tf.Variable([1.], name='p', use_resource=True); self.trainable = True
    trainable_weights = property(lambda self: [self.v] if self.trainable else [])
    non_trainable_weights = property(lambda self: [] if self.trainable else [self.v])
    weights = property(lambda self: [self.v])
class Holding(K.Model):
    def __init__(self):
        super(Holding, self).__init__()
        self.a, self.b, self.c, self.d = tf.make_template('t', scaled), [tf.make_template('u', scaled)], Plain(), {'e': Plain()}
    def call(self, x): return self.b[0](self.a(x)) * self.c.v + self.d['e'].v
m = Holding(); slopes = tf.gradients(m(tf.ones([1, 2])), m.trainable_weights); names = lambda vs: [v.name for v in vs]
before = [names(m.trainable_weights), names(m.non_trainable_weights), names(m.weights), len(m.layers), len(m.losses), len(m.updates)]
m.trainable = False; ys = slopes + told(before, names(m.trainable_weights), len(m.non_trainable_weights), m.c.trainable)

D = inner('python.training.tracking.data_structures')
class Held(K.Model):
    def __init__(self):
        super(Held, self).__init__()
        self.a, self.b = k.Dense(1, name='a'), D.NoDependency(k.Dense(2, name='b'))
        self.c = D.NoDependency(tf.Variable(1., use_resource=True, name='c'))
        self.d = D.NoDependency(k.Dense(2, name='d'))
        self.d = k.Dense(3, name='e')
    def call(self, x): return self.b(self.a(x))
m = Held(); m(tf.zeros([1, 2]))
ys = told([l.name for l in m.layers], [r.name for r in m._checkpoint_dependencies if r.name in 'abc'], m.c.name, [v.name for v in m.weights])

D = inner('python.training.tracking.data_structures')
a, b = D.ListWrapper([3, 1]), D.ListWrapper([3, 1])
a.append(k.Dense(1)); a._maybe_initialize_trackable()
b.sort(); b._maybe_initialize_trackable()
ys = told([r.name for r in a._checkpoint_dependencies]) + failed(lambda: b._checkpoint_dependencies)

import h5py
path = __import__('os').path.join(tf.test.get_temp_dir(), 'rows.h5')
with h5py.File(path, 'w') as file: file['x'] = np.arange(12.).reshape(6, 2)
x = K.utils.HDF5Matrix(path, 'x', 1, 5)
def asked(key):
    try: return x[key].tolist()
    except IndexError: return 'IndexError'
ys = told(*[asked(key) for key in (0, 3, 4, slice(None), slice(1, 4), slice(3, 5), slice(2, None), [0, 2], [2, 4], np.array([1, 3]), np.array([4]), range(1, 3))])
"""

_IDENTITIES = """
O, a, b = inner('python.util.object_identity'), [1], [1]
d, s = O.ObjectIdentityDictionary(), O.ObjectIdentitySet([a, a])
d[a], d[b] = 'x', 'y'
ys = told(d[a], d[b], len(d), [1] in d, d, [x is a for x in d], len(s), b in s, s.difference([a]) == O.ObjectIdentitySet(), len(s.intersection([a, b])))
s.update([b]); s.discard(a)
ys += told([x is b for x in s], O.Reference(a) == O.Reference(a), O.Reference(a), O._ObjectIdentityWrapper(a), O._ObjectIdentityWrapper(a).unwrapped is a)

O = inner('python.util.object_identity')
class A(object): pass
a, b = A(), A()
d, s = O.ObjectIdentityWeakKeyDictionary(), O.ObjectIdentityWeakSet([a, b])
d[a] = 1
del b; __import__('gc').collect()
ys = told(len(d), len(s), a in s, [x is a for x in d], [x is a for x in s])

inner('python.util.object_identity')._ObjectIdentityWrapper(1) == 1
"""

_KERNELS = """
U, x, y = inner('python.keras.utils.kernelized_utils'), X[:2, :3], X[2:5, :3]
ys = [f(tf.constant(a), tf.constant(b), 2.) for f in (U.exact_gaussian_kernel, U.exact_laplacian_kernel) for a, b in ((x, y), (x[0], y[0]), (x[0], y))] + [U.inner_product(tf.constant(x), tf.constant(y[0]))]

inner('python.keras.utils.kernelized_utils').exact_gaussian_kernel(tf.zeros([2, 3]), tf.zeros([2, 4]), 1.)

inner('python.keras.utils.kernelized_utils').exact_laplacian_kernel(tf.zeros([2, 3, 1]), tf.zeros([2, 4]), 1.)

R = inner('python.keras.layers.kernelized').RandomFourierFeatures
l = [R(5), R(5, 'laplacian', scale=.5, trainable=True), R(3, tf.ones_initializer(), name='r')]
ys = [f(tf.constant(X)) for f in l] + told([f.get_config() for f in l], [len(f.trainable_weights) for f in l], l[0].compute_output_shape((None, 4)))

inner('python.keras.layers.kernelized').RandomFourierFeatures(0)

inner('python.keras.layers.kernelized').RandomFourierFeatures(2, 'cubic')

inner('python.keras.layers.kernelized').RandomFourierFeatures(2, scale=0.)

inner('python.keras.layers.kernelized').RandomFourierFeatures(2)(tf.zeros([2, 3, 4]))

inner('python.keras.layers.kernelized').RandomFourierFeatures(2)(tf.placeholder(tf.float32, [2, None]))

inner('python.keras.layers.kernelized').RandomFourierFeatures(2).compute_output_shape((2, None))
"""


def _programs(**texts):
    """The programs of each text, which blank lines part, under the text's name and their number."""
    return {f"{name} {i}": code for name, text in texts.items() for i, code in enumerate(text.strip().split("\n\n"))}


CASES = {
    name: _PRELUDE + code
    for name, code in _programs(cloned=_CLONED, networks=_NETWORKS, small=_SMALL, held=_HELD, identities=_IDENTITIES, kernels=_KERNELS).items()
}
