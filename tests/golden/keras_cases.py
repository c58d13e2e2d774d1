"""Small programs over ``tf.keras``, in the form of ``layer_cases``; run by ``record_cases.py`` and ``test_keras.py``."""

_PRELUDE = """
tf.set_random_seed(1)
np.random.seed(0)
K, k, L = tf.keras, tf.keras.layers, tf.keras.losses
B, M = K.backend, K.metrics
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.uniform(-1, 1, [n or 2 for n in s]).astype('f'), s)
def p(*s): return tf.placeholder_with_default(rng.uniform(.1, .9, s).astype('f'), s)
def i(n, *s): return tf.placeholder_with_default(rng.randint(0, n, s), s)
X, Y = rng.randn(40, 4), rng.randint(0, 3, 40)
def run(m, *a, **kw):
    h = m.fit(*a, verbose=0, **kw).history
    return [tf.constant(np.array(h[n], 'f')) for n in sorted(h)] + [tf.constant(w) for w in m.get_weights()]
"""

_LAYERS = """
y = k.Dense(3, activation='relu')(f(None, 4)); ys = [y, k.Dropout(.5, seed=3)(y), k.Dropout(.5, seed=3)(y, training=True), k.Activation('tanh')(y)]
d = k.Dense(2, kernel_regularizer=K.regularizers.l2(.1), activity_regularizer=K.regularizers.l1(.1), name='q'); ys = [d(f(2, 3)), d(f(2, 3))] + d.losses
ys = [k.Reshape([4, -1])(f(2, 8)), k.Permute([2, 1])(f(2, 3, 4)), k.Flatten()(f(2, 3, 4)), k.RepeatVector(3)(f(2, 4)), k.Lambda(lambda x: x ** 2)(f(2, 3)), k.Masking()(f(2, 3, 4))]
ys = [k.LeakyReLU()(f(2, 3)), k.PReLU()(f(2, 3)), k.ELU(.5)(f(2, 3)), k.ThresholdedReLU(.2)(f(2, 3)), k.Softmax()(f(2, 3)), k.ReLU(6., .1, .2)(f(2, 3))]
ys = [k.Add()([f(2, 3), f(2, 3)]), k.Subtract()([f(2, 3), f(2, 3)]), k.Multiply()([f(2, 3), f(2, 3)]), k.Average()([f(2, 3), f(2, 3), f(2, 3)]), k.Maximum()([f(2, 3), f(2, 3)]), k.Minimum()([f(2, 3), f(2, 3)]), k.Concatenate()([f(2, 3), f(2, 1)]), k.Dot(1)([f(2, 3), f(2, 3)]), k.Dot(2, normalize=True)([f(2, 3, 4), f(2, 5, 4)])]
ys = [k.add([f(2, 3), f(2, 3)]), k.concatenate([f(2, 3, 2), f(2, 3, 4)]), k.multiply([f(2, 3), f(2, 3)])]
ys = [k.Conv1D(2, 3)(f(2, 6, 3)), k.Conv1D(2, 3, padding='causal')(f(2, 6, 3)), k.Conv2D(2, 3, activation='relu')(f(2, 6, 5, 3)), k.Conv2D(2, (3, 2), strides=2, padding='same', use_bias=False)(f(2, 6, 5, 3)), k.Conv3D(2, 2)(f(2, 3, 3, 4, 2))]
ys = [k.Conv2DTranspose(2, 3, strides=2, padding='same')(f(2, 3, 4, 3)), k.SeparableConv2D(2, 3, depth_multiplier=2)(f(2, 5, 5, 3)), k.SeparableConv1D(2, 3)(f(2, 5, 3)), k.DepthwiseConv2D(3, depth_multiplier=2, activation='relu')(f(2, 5, 5, 3))]
ys = [k.MaxPooling2D()(f(2, 6, 5, 3)), k.AveragePooling2D(3, 1, 'same')(f(2, 6, 5, 3)), k.MaxPooling1D()(f(2, 5, 3)), k.AveragePooling3D()(f(2, 4, 4, 4, 2)), k.GlobalAveragePooling2D()(f(2, 6, 5, 3)), k.GlobalMaxPooling2D()(f(2, 6, 5, 3)), k.GlobalMaxPooling1D()(f(2, 5, 3)), k.GlobalAveragePooling1D()(f(2, 5, 3))]
ys = [k.ZeroPadding2D()(f(2, 3, 4, 2)), k.ZeroPadding1D(2)(f(2, 3, 2)), k.Cropping2D(1)(f(2, 5, 6, 2)), k.Cropping1D()(f(2, 5, 2)), k.UpSampling2D()(f(2, 3, 4, 2)), k.UpSampling2D(2, interpolation='bilinear')(f(2, 3, 4, 2)), k.UpSampling1D()(f(2, 3, 2)), k.ZeroPadding3D()(f(1, 2, 2, 2, 2))]
ys = [k.BatchNormalization()(f(4, 3)), k.BatchNormalization(scale=False)(f(2, 3, 4, 5)), k.BatchNormalization()(f(4, 3), training=True), k.LayerNormalization()(f(4, 3))]
e = k.Embedding(7, 3, mask_zero=True); y = e(i(7, 2, 4)); ys = [y, y._keras_mask, k.LSTM(2)(y), k.GRU(2, return_sequences=True)(y)]
ys = [k.SimpleRNN(3)(f(2, 4, 3)), k.SimpleRNN(3, return_sequences=True, go_backwards=True)(f(2, 4, 3)), k.SimpleRNN(2, unroll=True)(f(2, 4, 3))]
ys = [k.LSTM(3)(f(2, 4, 3))] + k.LSTM(3, return_state=True, implementation=2)(f(2, 4, 3)) + [k.LSTM(3, unroll=True, return_sequences=True)(f(2, 4, 3))]
ys = [k.GRU(3)(f(2, 4, 3)), k.GRU(3, reset_after=True, implementation=2)(f(2, 4, 3)), k.GRU(3, implementation=2)(f(2, 4, 3))]
ys = [k.RNN([k.LSTMCell(3), k.GRUCell(2)])(f(2, 4, 3)), k.RNN(k.SimpleRNNCell(3), return_sequences=True)(f(2, 4, 3))]
ys = [k.GaussianNoise(.5)(f(2, 3)), k.GaussianDropout(.5)(f(2, 3)), k.AlphaDropout(.5)(f(2, 3)), k.SpatialDropout1D(.5)(f(2, 3, 4))]
"""

_MODELS = """
x = k.Input([4]); y = k.Dense(2)(k.Dense(3, activation='relu')(x)); m = K.Model(x, y); ys = [m(f(2, 4))]
x = k.Input([4]); y = k.Dense(3)(x); z = k.concatenate([y, x]); m = K.Model(x, [z, y]); ys = m(f(2, 4)) + [w for w in m.weights]
m = K.Sequential([k.Dense(3, input_shape=[4]), k.Activation('relu'), k.Dense(2)]); ys = [m(f(2, 4)), m.output] and [m(f(2, 4))]; assert m.name == 'sequential'
x = k.Input([4]); y = k.Dense(2, activation='softmax')(x); m = K.Model(x, y); m.compile('adam', 'sparse_categorical_crossentropy', metrics=['accuracy'])
x = k.Input([4]); y = k.Dense(1, activation='sigmoid')(x); m = K.Model(x, y); m.compile('sgd', 'binary_crossentropy', metrics=['acc', 'mae'])
x = k.Input([4]); y = k.Dense(3, kernel_regularizer='l2')(x); m = K.Model(x, y); m.compile('sgd', 'mse')
x = k.Input([4]); m = K.Model(x, [k.Dense(3, name='a')(x), k.Dense(2, name='b')(x)]); m.compile('sgd', ['mse', 'mae'], loss_weights=[1., .5])
"""

_TRAINING = """
y = k.LSTM(3)(f(2, 4, 3)); ys = tf.gradients(y ** 2, tf.trainable_variables())
m = K.Sequential([k.Dense(5, activation='relu', input_shape=[4]), k.Dense(3, activation='softmax')]); m.compile('adam', 'sparse_categorical_crossentropy', metrics=['accuracy']); ys = run(m, X, Y, epochs=3, batch_size=10)
m = K.Sequential([k.Dense(5, activation='tanh', input_dim=4, kernel_regularizer='l2'), k.BatchNormalization(), k.Dense(1)]); m.compile(K.optimizers.RMSprop(.01), 'mse', metrics=['mae']); ys = run(m, X, X[:, 0], epochs=2, validation_split=.25)
m = K.Sequential([k.Dense(1, activation='sigmoid', input_shape=[4])]); m.compile(K.optimizers.SGD(.1, .9, nesterov=True), 'binary_crossentropy', metrics=['acc']); ys = run(m, X, Y > 1, epochs=3, class_weight={0: 1., 1: 3.})
m = K.Sequential([k.Embedding(9, 3, input_length=5), k.LSTM(4), k.Dense(2, activation='softmax')]); m.compile('rmsprop', 'categorical_crossentropy', metrics=['accuracy']); ys = run(m, rng.randint(0, 9, [30, 5]), K.utils.to_categorical(rng.randint(0, 2, 30)), epochs=2, batch_size=8)
m = K.Sequential([k.Conv2D(3, 3, activation='relu', input_shape=[6, 6, 1]), k.MaxPooling2D(), k.Flatten(), k.Dropout(.2, seed=2), k.Dense(2)]); m.compile('adagrad', 'mse'); ys = run(m, rng.randn(20, 6, 6, 1), rng.randn(20, 2), epochs=2)
class A(K.Model):\\n  def __init__(self):\\n    super(A, self).__init__(); self.a = k.Dense(3, activation='relu'); self.b = k.Dense(1)\\n  def call(self, x): return self.b(self.a(x))\\nm = A(); m.compile('sgd', 'mse'); ys = run(m, X, X[:, 1], epochs=2)
x = k.Input([4]); m = K.Model(x, [k.Dense(3)(x), k.Dense(1)(x)]); m.compile('adamax', 'mse', loss_weights=[1., .5]); ys = run(m, X, [X[:, :3], X[:, 0]], epochs=2)
m = K.Sequential([k.Dense(1, input_shape=[4])]); m.compile(K.optimizers.Nadam(.01), 'mae'); a = m.train_on_batch(X, X[:, 0]); b = m.test_on_batch(X, X[:, 0]); ys = [tf.constant([a, b]), tf.constant(m.predict(X)), tf.constant(m.evaluate(X, X[:, 0], verbose=0))]
m = K.Sequential([k.Dense(1, input_shape=[4])]); m.compile(tf.train.AdamOptimizer(.01), 'mse'); ys = run(m, X, X[:, 0], epochs=2, shuffle=False, callbacks=[K.callbacks.EarlyStopping('loss', patience=1)])
m = K.Sequential([k.Dense(1, input_shape=[4])]); m.compile(K.optimizers.SGD(.5), 'mse'); ys = run(m, X, X[:, 0], epochs=5, callbacks=[K.callbacks.ReduceLROnPlateau('loss', patience=1), K.callbacks.LearningRateScheduler(lambda e, r: r * .9)])
def g():\\n  while True: yield X[:10], X[:10, 0]\\nm = K.Sequential([k.Dense(1, input_shape=[4])]); m.compile('ftrl', 'mse'); ys = [tf.constant(np.array(m.fit_generator(g(), 3, 2, verbose=0).history['loss'], 'f'))]
r = B.variable(.5); m = K.Sequential([k.Dense(1, input_shape=[4])]); o = K.optimizers.SGD(r, .9); m.compile(o, 'mse'); B.set_value(r, .1); ys = run(m, X, X[:, 0], epochs=2, shuffle=False) + [o._hyper['momentum'], o._hyper['learning_rate'], o.lr]; assert o._hyper['learning_rate'] is r
m = K.Sequential([k.Dense(3, activation='sigmoid', input_shape=[4])]); m.compile('sgd', 'binary_crossentropy', metrics=['accuracy', 'ce']); ys = run(m, X, X[:, :3] > 0, epochs=2, shuffle=False) + [tf.constant(m.metrics_names)]
class N(k.Layer):\\n  def call(self, x): self.add_metric(tf.reduce_mean(x), name='m', aggregation='mean'); return x\\nclass O(k.Layer):\\n  def __init__(self):\\n    super(O, self).__init__(); self.n = N()\\n  def call(self, x): return self.n(x)\\nm = K.Sequential([k.Dense(1, input_shape=[4]), O(), N()]); m.compile('sgd', 'mse', metrics=['mae']); ys = [tf.constant(m.metrics_names), tf.constant([x.name for x in m.metrics]), tf.constant(sorted(m.fit(X, X[:, 0], verbose=0).history)), tf.constant(m.evaluate(X, X[:, 0], verbose=0))]
import io, re, contextlib\\nclass S(K.utils.Sequence):\\n  def __len__(self): return 3\\n  def __getitem__(self, j): return X[j * 8:20][:8], -X[j * 8:20, :1][:8]\\nm = K.Sequential([k.Dense(1, input_shape=[4])]); m.compile('sgd', lambda a, b: tf.reduce_mean(b) - 3., metrics=['mae']); s = io.StringIO()\\nwith contextlib.redirect_stdout(s):\\n  for v in (None, S(), (X, X[:, :1])): m.fit_generator(S(), epochs=2, verbose=2, shuffle=False, validation_data=v)\\n  m.fit_generator(S(), verbose=2, workers=0); m.evaluate(X, X[:, :1], verbose=2)\\nys = [tf.constant(re.sub('[0-9]+s', '', s.getvalue()))]
"""

_LOSSES = """
y, z = tf.cast(i(2, 4, 3), tf.float32), p(4, 3); ys = [g(y, z) for g in (L.mse, L.mae, L.mape, L.msle, L.hinge, L.squared_hinge, L.categorical_hinge, L.logcosh, L.kld, L.poisson, L.cosine_similarity, L.binary_crossentropy, L.categorical_crossentropy)]
ys = [L.sparse_categorical_crossentropy(i(3, 4), p(4, 3)), L.sparse_categorical_crossentropy(i(3, 4, 2), p(4, 2, 3)), L.categorical_crossentropy(i(2, 4, 3), f(4, 3), from_logits=True, label_smoothing=.1), L.binary_crossentropy(i(2, 4, 3), tf.sigmoid(f(4, 3)))]
y, z = tf.cast(i(2, 4, 3), tf.float32), p(4, 3); ys = [g()(y, z) for g in (L.MeanSquaredError, L.Huber, L.BinaryCrossentropy, L.CosineSimilarity, L.CategoricalCrossentropy)] + [L.MeanAbsoluteError(reduction='sum')(y, z, sample_weight=p(4))]
y, z = i(2, 4, 3), p(4, 3); a = [M.MeanSquaredError(), M.BinaryAccuracy(), M.CategoricalAccuracy(), M.RootMeanSquaredError()]; ys = []; us = [m.update_state(y, z) for m in a]; b = [m.result() for m in a]; s = B.get_session(); [s.run(us) for _ in range(2)]; ys = [tf.constant(v) for v in s.run(b)]
y, z = i(2, 9), p(9); a = [M.Precision(), M.Recall(), M.AUC(), M.TruePositives(), M.FalseNegatives([.3, .6]), M.AUC(curve='PR')]; us = [m.update_state(y, z) for m in a]; b = [m.result() for m in a]; s = B.get_session(); [s.run(us) for _ in range(2)]; ys = [tf.constant(v) for v in s.run(b)]
m = M.Mean(); u = m.update_state(f(3), sample_weight=p(3)); m2 = M.MeanIoU(3); u2 = m2.update_state(i(3, 6), i(3, 6)); r = [m.result(), m2.result()]; s = B.get_session(); s.run([u, u2]); ys = [tf.constant(v) for v in s.run(r)]
"""

_BACKEND = """
x = f(2, 3); ys = [B.mean(x), B.sum(x, 1), B.max(x, axis=0), B.square(x), B.sqrt(B.abs(x)), B.exp(x), B.clip(x, 0, 1), B.concatenate([x, x]), B.dot(x, f(3, 2)), B.batch_dot(f(2, 3), f(2, 3), 1), B.one_hot(i(3, 2), 3), B.std(x), B.softmax(x), B.hard_sigmoid(x), B.l2_normalize(x, 1), B.switch(tf.constant(True), x, x + 1), B.repeat(x, 2), B.batch_flatten(f(2, 3, 4)), B.argmax(x), B.cast(x, 'int32')]
ys = [B.conv2d(f(2, 5, 5, 3), f(3, 3, 3, 2)), B.pool2d(f(2, 4, 4, 3), (2, 2), (2, 2)), B.spatial_2d_padding(f(1, 2, 2, 1)), B.resize_images(f(1, 2, 3, 1), 2, 2, 'channels_last'), B.bias_add(f(2, 3), f(3)), B.bias_add(f(2, 4, 3), f(3)), B.bias_add(f(2, 2, 2, 2, 3), f(3)), B.bias_add(f(2, 4, 3), f(4, 3)), B.temporal_padding(f(1, 2, 1))]
v = B.variable(np.ones([2, 3])); ys = [B.update_add(v, f(2, 3)), B.zeros_like(f(2)), B.in_train_phase(f(2), f(2))]
"""

_SELDOM = """
y = B.sparse_categorical_crossentropy(B.placeholder(), B.placeholder()); ys = [tf.constant(y.shape.ndims is None)]
class D(k.Layer):\\n  def compute_output_shape(self, s): return s\\nx = k.Input([3]); y = D(dynamic=True, name='d')(x); m = K.Model(x, y); ys = [tf.constant([m.dynamic, m.layers[1].dynamic, m.layers[0].dynamic])]
class A(k.Layer):\\n  def build(self, s): self.v = tf.Variable([[1.]], use_resource=True, name='v'); self.w = self.v.assign_add([[1.]]); self.built = True\\n  def call(self, x): return x\\nd = A(name='a'); y = d(f(2, 3)); ys = [tf.constant([v.name for v in d.weights])]
m = K.Sequential([k.Dense(4, activation='softmax')]); m.compile('rmsprop', 'categorical_crossentropy'); m.fit(B.ones([10, 3]), B.ones([10, 4]), epochs=2, steps_per_epoch=3, verbose=0); ys = [tf.constant([len(m.trainable_weights), len(m.weights)])]
a = k.Input([2]); b, c = k.Dense(3)(a), k.Dense(4)(a); says = lambda y: type(y).__name__ if not isinstance(y, (list, tuple, dict)) else [type(y).__name__, len(y)]; ys = [tf.constant(str([(says(i), says(o), says(K.Model(i, o)(i)), says(K.Model(i, o)(a)), says(K.Model(i, o).input), says(K.Model(i, o).output)) for i in (a, [a], {'i': a}) for o in (b, [b], (b,), {'o': b}, [b, c], [[b]], [[b], c])]))]
a = k.Input([2]); m = K.Model([a], [k.Dense(3)(a)]); y = k.Dense(1)(m(a)); g = K.Model(inputs=[a], outputs=[y]); g.compile('sgd', 'mse'); ys = [tf.constant(str([m.output_shape, m.input_shape, m.compute_output_shape((None, 2)), y.shape, len(g.outputs)])), tf.constant(np.float32(g.train_on_batch(X[:, :2], X[:, :1]) * 0)), tf.constant(K.models.clone_model(g).predict(X[:, :2]).shape)]
O = K.optimizers; ys = [tf.constant(str([list(o.get_config().items()), list(O.serialize(O.get(o._name)).items())])) for o in (getattr(O, n)(clipvalue=2., lr=.5) for n in 'SGD RMSprop Adagrad Adadelta Adam Adamax Nadam Ftrl'.split())]
import importlib, sys; O = importlib.import_module(('tensorflow' if 'tensorflow' in sys.modules else 'retrograd.tf') + '.python.keras.optimizers'); ys = []\\nfor n in 'SGD RMSprop Adagrad Adadelta Adam Adamax Nadam'.split():\\n  o = getattr(O, n)(lr=.5, clipnorm=2.); c = O.serialize(o); a = list(c['config'].items()); b = O.deserialize(c); ys += [tf.constant(str([n, a, c['class_name'], list(c['config'].items()), list(b.get_config().items())]))]
g = tf.Graph()\\nwith g.as_default(): x = B.constant(1); s = B.get_session()\\nys = [tf.constant([B.get_session((x,)) is s, B.get_session() is s])]
"""

_ERRORS = """
k.Dense(2)(tf.placeholder(tf.float32, [2, None]))
k.Add()([f(2, 3)])
k.Concatenate()([f(2, 3), f(3, 3, 3)])
k.LSTM(3)(f(2, 3))
K.Sequential([k.Dense(2, input_shape=[3])]).fit(X, Y)
m = K.Sequential([k.Dense(2, input_shape=[4])]); m.compile('foo', 'mse')
m = K.Sequential([k.Dense(2, input_shape=[4])]); m.compile('sgd', 'mse'); m.fit(X, Y, verbose=0)
m = K.Sequential([k.Dense(1, input_shape=[3])]); m.compile('sgd', 'mse'); m.fit(X, Y, verbose=0)
K.Sequential().add(3)
k.Input()
K.Model(f(2, 3), f(2, 3))
x, z = k.Input([3]), k.Input([3]); K.Model(x, k.Dense(2)(z))
k.Permute([0, 1])
k.BatchNormalization(foo=1)
K.optimizers.Adam(foo=1)
ys = k.Input([32], batch_shape=[10, 32])
ys = B.sparse_categorical_crossentropy(B.placeholder(), B.placeholder(), axis=0)
ys = B.sparse_categorical_crossentropy(B.placeholder(), B.placeholder(), from_logits=True, axis=1)
x = k.Input([3]); m = K.Model(x, k.Dense(2)(k.Layer(dynamic=True)(x)))
m = K.Sequential([k.Dense(3, input_shape=[4])]); m.compile('sgd', 'mse', sample_weight_mode='temporal'); m.fit(X, X[:, :3], sample_weight=np.ones([40, 2]), verbose=0)
class D(k.Layer):\\n  def compute_output_shape(self, s): return s\\nx = k.Input([3]); m = K.Model(x, k.Dense(2)(D(dynamic=True)(x))); m.compile('sgd', 'mse')
"""

CASES = {}
for _kind, _programs in (
    ("layers", _LAYERS), ("models", _MODELS), ("training", _TRAINING), ("losses", _LOSSES), ("backend", _BACKEND),
    ("seldom", _SELDOM), ("errors", _ERRORS),
):  # fmt: skip
    for _line in _programs.strip().split("\n"):
        CASES[_kind + ": " + _line] = _PRELUDE + _line.replace("\\\\n", "\n").replace("\\n", "\n")
