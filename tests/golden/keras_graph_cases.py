"""Programs of Keras whose whole graphs are recorded, training included; run by ``record_keras_graphs.py``."""

import re

PRELUDE = """
K, k = tf.keras, tf.keras.layers
K.backend.clear_session(); tf.set_random_seed(1); np.random.seed(0)
X, Y, Z = np.random.randn(40, 4), np.random.randint(0, 3, 40), np.random.randn(40, 3)
"""

CASES = {
    "adam": """
m = K.Sequential([k.Dense(5, activation='relu', input_shape=[4]), k.Dense(3, activation='softmax')])
m.compile('adam', 'sparse_categorical_crossentropy', metrics=['accuracy'])
m.fit(X, Y, verbose=0, validation_split=.2); m.predict(X)
""",
    "normalization and dropout": """
m = K.Sequential([k.Dense(3, input_shape=[4], kernel_regularizer='l2'), k.BatchNormalization(), k.Dropout(.3)])
m.compile('rmsprop', 'mse'); m.fit(X, Z, verbose=0)
""",
    "rows of an embedding": """
m = K.Sequential([k.Embedding(9, 3, input_length=4), k.Flatten(), k.Dense(3)])
m.compile('nadam', 'mse'); m.fit(np.random.randint(0, 9, [40, 4]), Z, verbose=0)
""",
    "two outputs": """
x = k.Input([4]); m = K.Model(x, [k.Dense(3, name='a')(x), k.Dense(2, name='b')(x)])
m.compile('sgd', ['mse', 'mae'], loss_weights=[1., .5], metrics={'a': 'acc', 'b': ['mae', 'mse']})
m.fit(X, [Z, X[:, :2]], verbose=0)
""",
    "weights of examples": """
m = K.Sequential([k.Dense(1, input_shape=[4], activation='sigmoid')])
m.compile('sgd', 'binary_crossentropy', metrics=['mae'], weighted_metrics=['acc'])
m.fit(X, Y > 1, verbose=0, sample_weight=np.ones(40)); m.evaluate(X, Y > 1, verbose=0)
""",
    "losses and metrics added": """
x = k.Input([4]); y = k.Dense(3)(x); m = K.Model(x, y)
m.add_loss(K.backend.mean(y)); m.add_metric(K.backend.max(y), name='top', aggregation='mean')
m.compile('adagrad', 'mse'); m.fit(X, Z, verbose=0)
""",
    "recurrent layers of version 2, masked": """
v = tf.compat.v2.keras.layers; x = k.Input([5, 4], batch_size=7)
K.Model(x, v.LSTM(2)(v.GRU(3, return_sequences=True)(k.Masking()(x))))
""",
    "recurrent layers of version 2, unrolled": """
v = tf.compat.v2.keras.layers; x = k.Input([3, 4], batch_size=7)
y = v.GRU(3, return_sequences=True, unroll=True, go_backwards=True, reset_after=False)(k.Masking()(x))
K.Model(x, v.LSTM(2, unroll=True, use_bias=False, implementation=1)(y))
""",
    "an optimizer of the program's own": """
class Own(K.optimizers.Optimizer):
    def __init__(self, learning_rate=.01, rate=.9, name='Own', **kwargs):
        super(Own, self).__init__(name, **kwargs)
        self._set_hyper('learning_rate', kwargs.get('lr', learning_rate))
        self._set_hyper('decay', self._initial_decay)
        self._set_hyper('rate', rate)

    def _create_slots(self, var_list):
        for v in var_list: self.add_slot(v, 'm')

    def _resource_apply_dense(self, grad, var):
        m = self.get_slot(var, 'm')
        m_t = m.assign(self._get_hyper('rate', var.dtype.base_dtype) * m + grad)
        return var.assign_sub(self._decayed_lr(var.dtype.base_dtype) * m_t).op

    def get_config(self):
        return {'rate': self._serialize_hyperparameter('rate')}

    def _resource_apply_sparse(self, grad, var, indices):
        return self._resource_scatter_add(var, indices, -self._decayed_lr(var.dtype.base_dtype) * grad)

m = K.Sequential([k.Embedding(9, 3, input_length=4), k.Flatten(), k.Dense(3)])
m.compile(Own(decay=.1), 'mse'); m.fit(np.random.randint(0, 9, [40, 4]), Z, verbose=0)
""",
    "an optimizer that derives from Adam": """
class Decaying(K.optimizers.Adam):
    def _prepare_local(self, var_device, var_dtype, apply_state):
        super(Decaying, self)._prepare_local(var_device, var_dtype, apply_state)
        apply_state[(var_device, var_dtype)]['rate'] = tf.constant(.1, var_dtype)

    def _decayed(self, var, apply_state):
        state = apply_state[(var.device, var.dtype.base_dtype)]
        return var.assign_sub(state['lr_t'] * var * state['rate'])

    def _resource_apply_dense(self, grad, var, apply_state=None):
        with tf.control_dependencies([self._decayed(var, apply_state)]):
            return super(Decaying, self)._resource_apply_dense(grad, var, apply_state=apply_state)

    def _resource_apply_sparse(self, grad, var, indices):
        return super(Decaying, self)._resource_apply_sparse(grad, var, indices)

m = K.Sequential([k.Embedding(9, 3, input_length=4), k.Flatten(), k.Dense(3)])
m.compile(Decaying(.01), 'mse'); m.fit(np.random.randint(0, 9, [40, 4]), Z, verbose=0)
""",
    "a layer for each step of time": """
k.TimeDistributed(k.Dense(3))(k.Input([5, 4])); k.TimeDistributed(k.Conv2D(3, 2))(k.Input([None, 5, 4, 2]))
k.TimeDistributed(k.LSTM(3))(k.Embedding(5, 4, mask_zero=True)(k.Input([3, 5])))
k.TimeDistributed(k.Dropout(.3))(k.Masking()(k.Input([5, 4])))
""",
    "dropout of recurrent layers": """
k.LSTM(3, dropout=.1, recurrent_dropout=.2)(k.Input([5, 4])); k.GRU(3, dropout=.1, recurrent_dropout=.2)(k.Input([5, 4]))
k.GRU(3, dropout=.1, recurrent_dropout=.2, implementation=2, reset_after=True)(k.Input([5, 4]))
""",
    "masks": """
x = k.Masking()(k.Input([5, 4])); k.GlobalAveragePooling1D()(x)
k.Bidirectional(k.GRU(3, return_sequences=True), merge_mode='ave')(x)
k.Dropout(.3, noise_shape=(None, 1, 4))(x); k.LayerNormalization(axis=[1, 2])(x)
k.LocallyConnected2D(3, 2, implementation=2)(k.Input([6, 6, 4]))
""",
    "losses that clip": """
m = K.Sequential([k.Dense(3, input_shape=[4])]); m.compile('sgd', 'mape', metrics=['msle', 'logcosh'])
m.compile('sgd', 'kullback_leibler_divergence')
""",
    "one metric named twice": """
x = k.Input([4]); m = K.Model(x, [k.Dense(3, name='a')(x), k.Dense(3, name='b')(x)])
m.compile('sgd', 'mse', metrics=['mse', 'mse', K.metrics.MeanSquaredError(name='loss')])
""",
    "weights of steps": """
m = K.Sequential([k.Dense(2, input_shape=[5, 4])]); m.compile('sgd', 'mse', sample_weight_mode='temporal')
m.train_on_batch(np.ones([2, 5, 4]), np.ones([2, 5, 2]), sample_weight=np.ones([2, 5]))
""",
    "built by a shape": """
class Own(K.Model):
    def __init__(self):
        super(Own, self).__init__(); self.d = k.Dense(2); self.drop = k.Dropout(.5)

    def call(self, x, training=None):
        return self.drop(self.d(x), training=training)

Own().build((None, 3))
m = K.Sequential([k.Dense(3), k.BatchNormalization()]); m.build((None, 4)); m.compile('sgd', 'mse')
m.train_on_batch(X, Z)
""",
}


def nodes_of(graph):
    """A line for each node; TensorFlow asks in no certain order whether variables have values."""
    lines = []
    for op in graph.get_operations():
        inputs = [] if re.match(r"VarIsInitializedOp(_\d+)?$", op.name) else [t.name for t in op.inputs]
        lines.append(" ".join([op.name, op.type, *inputs, *sorted("^" + c.name for c in op.control_inputs)]))
    return lines
