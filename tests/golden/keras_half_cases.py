"""Programs of Keras in half precision, whose graphs and values are recorded; run by ``record_keras_half.py``."""

GRAPH = """
K, k = tf.keras, tf.keras.layers
half = K.mixed_precision.experimental
x = K.Input([8], dtype='float16')
h = k.Dense(4, activation='relu', kernel_initializer='ones', dtype=half.Policy('mixed_float16'))(x)
h = k.BatchNormalization()(h)
y = k.Dense(1, kernel_initializer='ones', dtype=half.Policy('float16_with_float32_vars'))(h)
m = K.Model(x, y)
m.compile(half.LossScaleOptimizer(K.optimizers.SGD(.01), SCALE), 'mse')
X = np.arange(32).reshape(4, 8).astype('float16') / 16
losses = [float(m.train_on_batch(X, np.zeros([4, 1], 'float16'))) for _ in range(3)]
"""
SCALES = {"a dynamic scale": "dynamic", "a fixed scale": 128.0}

# where layers settle their dtypes themselves; ``say`` keeps what is recorded
EAGER = """
K, k = tf.keras, tf.keras.layers
half = K.mixed_precision.experimental
say('by default', half.global_policy().name, k.Dense(3).dtype, k.Dense(2)(tf.ones([2, 3], tf.float64)).dtype.name)
half.set_policy('mixed_float16')
LAYERS = {
    'Conv2D': (k.Conv2D(2, 2), [1, 4, 4, 1]), 'LSTM': (k.LSTM(3), [1, 4, 2]), 'GRU': (k.GRU(3), [1, 4, 2]),
    'BatchNormalization': (k.BatchNormalization(), [2, 3]), 'Dropout': (k.Dropout(.5), [2, 3]),
    'Softmax': (k.Softmax(), [2, 3]), 'Bidirectional': (k.Bidirectional(k.LSTM(2)), [1, 4, 2]),
    'TimeDistributed': (k.TimeDistributed(k.Dense(2)), [1, 4, 2]), 'PReLU': (k.PReLU(), [2, 3]),
    'SeparableConv2D': (k.SeparableConv2D(2, 2), [1, 4, 4, 2]), 'Dense': (k.Dense(2), [2, 3]),
}
for name in sorted(LAYERS):
    layer, shape = LAYERS[name]
    y = layer(tf.ones(shape))
    say(name, y.dtype.name, [[w.dtype.name, 'AutoCast' in repr(w)] for w in layer.weights])
say('Embedding', k.Embedding(4, 3)(tf.constant([[1, 2]])).dtype.name)
m = K.Sequential([
    k.Dense(4, activation='relu', kernel_initializer='ones', input_shape=[8]), k.BatchNormalization(),
    k.Dense(1, kernel_initializer='ones', dtype='float32'),
])
m.compile(K.optimizers.SGD(.01), 'mse', metrics=['mae'])
say('model', m.dtype, m.output.dtype.name, type(m.optimizer).__name__)
X = np.arange(32, dtype='float32').reshape(4, 8) / 10
h = m.fit(X, np.zeros([4, 1]), epochs=3, verbose=0, shuffle=False)
say('losses', [float(x) for x in h.history['loss']], [w.dtype.name for w in m.get_weights()])
half.set_policy(None)
v = tf.Variable(2.)
opt = half.LossScaleOptimizer(K.optimizers.SGD(1.), 8.)
opt.minimize(lambda: v * 2., [v])
with tf.GradientTape() as tape:
    loss = opt.get_scaled_loss(v * 3.)
g = tape.gradient(loss, [v])
say('by hand', float(v.numpy()), float(g[0]), float(opt.get_unscaled_gradients(g)[0]))
scale = tf.train.experimental.DynamicLossScale(initial_loss_scale=4, increment_period=2)
opt = half.LossScaleOptimizer(K.optimizers.SGD(1.), scale)
for x in (1., 1., float('nan'), 1.):
    opt.apply_gradients([(tf.constant(x), v)])
    say('step', float(v.numpy()), float(opt.loss_scale()), int(opt.iterations.numpy()))
"""

WRONG = [
    "half.Policy('abc')",
    "half.Policy('abc_with_float32_vars')",
    "half.Policy(5)",
    "half.Policy(tf.float32)",
    "half.set_policy('mixed_float16')",
    "half.LossScaleOptimizer(K.optimizers.SGD(1., clipvalue=1.), 2.)",
    "half.LossScaleOptimizer(tf.train.AdamOptimizer(), 2.)",
    "half.LossScaleOptimizer(K.optimizers.SGD(1.), 2.).get_config()",
    "tf.train.experimental.enable_mixed_precision_graph_rewrite(half.LossScaleOptimizer(K.optimizers.SGD(1.), 2.))",
    "half.set_policy('infer'); tf.train.experimental.enable_mixed_precision_graph_rewrite(K.optimizers.SGD(1.))",
    "tf.train.experimental.enable_mixed_precision_graph_rewrite(K.optimizers.SGD(1.)); half.set_policy('infer')",
]
