"""Programs that run eagerly, line by line: what each line shows is compared with what TensorFlow 1.15.5 showed.

Read by ``record_eager.py`` under TensorFlow and by ``tests/test_eager.py``.
"""

import re

import numpy as np

PROGRAMS = {
    "beside_a_graph": """
import importlib
of = lambda module: importlib.import_module(tf.__name__ + ".python." + module)
context, EagerVariableStore = of("eager.context"), of("ops.variable_scope").EagerVariableStore
one = lambda name, **rest: tf.get_variable(name, [2], initializer=tf.ones_initializer(), regularizer=tf.nn.l2_loss, **rest)
kept = lambda: [tf.get_collection(k) for k in ("regularization_losses", "mine", "variables", "trainable_variables")]
with tf.Graph().as_default(), context.eager_mode(): a = one("a"); tf.add_to_collection("mine", 1); show(kept())
g = tf.Graph()
with g.as_default(), context.eager_mode(): a = one("a"); tf.add_to_collection("mine", 2); show(kept())
with g.as_default(), context.eager_mode(), EagerVariableStore().as_default(): b = one("b"); show(kept())
with tf.Graph().as_default(), context.eager_mode(), EagerVariableStore().as_default(): c = one("c", trainable=False); show(kept())
[sorted(g.get_all_collection_keys()), g.get_operations()]
kept()
d = one("d")
kept()
""",
    "tensors": """
tf.constant([[1.0, 2.0], [3.0, 4.0]])
str(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
tf.constant(3)
tf.constant(b"a")
tf.constant(["a", "b"])
tf.constant(2.5).numpy()
tf.constant("a").numpy()
tf.constant([1, 2]).device
len(tf.ones([2, 3]))
len(tf.constant(1))
[float(x) for x in tf.constant([1.5, 2.5])]
list(tf.constant(1))
bool(tf.constant([1]))
bool(tf.ones([2]))
[10, 20, 30][tf.constant(1)]
int(tf.constant(3.5))
"{:.3f}".format(tf.constant(2.5))
tf.constant([1, 2]).shape
tf.constant([1, 2]).op
tf.constant([1, 2]).name
tf.constant([1, 2]).graph
tf.constant([1, 2]).eval()
tf.constant([1, 2]).consumers()
tf.constant([1, 2]).set_shape([3])
tf.constant([1, 2]).gpu()
np.ones([2], np.float32) + tf.ones([2])
np.add(tf.ones([2]), 1.0)
tf.constant(5) // 2
tf.ones([2]) > 0
-tf.ones([2])
tf.strings.join(["a", "b"])
tf.zeros([0, 3])
tf.constant(2 + 1j)
tf.unique([1, 1, 2])
tf.split(tf.range(4), 2)
tf.sparse.to_dense(tf.SparseTensor([[0, 0]], [1.0], [2, 2]))
tf.executing_eagerly()
""",
    "checks": """
x, y = tf.constant([[2, 2], [3, 3], [6, 6]]), tf.constant([[20, 2], [3, 30], [60, 6]])
said(tf.assert_equal, x, y, message="big")
said(tf.assert_less, x, y, summarize=2)
said(tf.debugging.assert_none_equal, x, y, summarize=-1)
said(tf.assert_equal, x, y, summarize=0)
said(tf.assert_equal, x, [2, 3])
said(tf.assert_less, 2, 1)
said(tf.assert_positive, [1, -2, 0, 3], message="no")
said(tf.assert_non_positive, 1)
""",
    "errors": """
tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]), name="foo")
tf.ones([2, 2]) + tf.ones([3])
tf.reshape(tf.ones([2, 2]), [3])
tf.gather([1, 2], [5])
tf.ones([2, 2])[5]
tf.placeholder(tf.float32)
tf.gradients(tf.ones([2]), tf.ones([2]))
tf.train.AdamOptimizer().minimize(tf.ones([]))
tf.assert_equal(1, 2)
tf.Assert(False, ["x"])
tf.train.Saver()
tf.train.string_input_producer(["a"])
tf.metrics.mean([1.0])
tf.data.Dataset.range(2).make_initializable_iterator()
""",
    "variables": """
v = tf.Variable([1.0, 2.0], name="w")
v
str(v)
v.name
v.assign([2.0, 3.0])
v.assign_add([1.0, 1.0])
v.numpy()
v.initializer
v.initial_value
v.eval()
v.op
v.is_initialized()
v.initialized_value()
v.value()
v.shape
v.assign([1.0])
v[0]
list(v)
float(v)
v + 1.0
-v
v.to_proto()
with tf.name_scope("a"): w = tf.Variable(1.0)
w.name
with tf.variable_scope("b"): w = tf.get_variable("z", [2])
w.name
tf.get_variable("z", [2], initializer=tf.ones_initializer())
tf.get_variable("z", [2], initializer=tf.zeros_initializer())
tf.global_variables()
tf.train.get_or_create_global_step()
tf.Variable(lambda: 3.0)
""",
    "random": """
tf.set_random_seed(1)
tf.random_uniform([2])
tf.random_uniform([2])
tf.random_uniform([2], seed=3)
tf.random_uniform([2], seed=3)
tf.random_normal([2])
tf.random_shuffle([1, 2, 3, 4, 5])
tf.nn.dropout(tf.ones([5]), 0.5)
tf.set_random_seed(1)
tf.random_uniform([2])
tf.layers.dense(tf.ones([1, 2]), 2)
list(tf.data.Dataset.range(3).shuffle(3, seed=1))
""",
    "flow": """
tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [tf.constant(0)])
tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], maximum_iterations=2)
tf.cond(True, lambda: 1, lambda: 2)
tf.cond(tf.constant(False), lambda: [tf.constant(1)], lambda: [tf.constant(2)])
tf.case([(tf.constant(True), lambda: tf.constant(3))], default=lambda: tf.constant(4))
tf.map_fn(lambda x: x * 2, tf.constant([1, 2, 3]))
tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3]))
tf.foldl(lambda a, x: a + x, tf.constant([1, 2, 3]))
tf.TensorArray(tf.float32, 2).write(0, 1.0).write(1, 2.0).stack()
tf.py_function(lambda x: x * 2, [1.0], tf.float32)
tf.no_op()
tf.group(tf.ones([1]))
""",
    "gradients": """
tfe = tf.contrib.eager
v = tf.Variable(3.0)
with tf.GradientTape() as tape: y = v * v
tape.gradient(y, v)
tape.gradient(y, v)
with tf.GradientTape() as tape: tape.watch(v); z = tf.constant(1.0)
tape.gradient(z, v)
with tf.GradientTape() as tape: z = tf.constant(1.0) * v
tape.gradient(z, tf.Variable(1.0), unconnected_gradients="zero")
with tf.GradientTape(persistent=True) as tape: y = v * v; z = y * y
tape.gradient(z, [y, v])
tape.gradient(z, v, output_gradients=tf.constant(2.0))
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as outer: outer.watch(x); inner = tf.GradientTape(); inner.__enter__(); inner.watch(x); y = x ** 3; inner.__exit__(None, None, None); g = inner.gradient(y, x)
outer.gradient(g, x)
with tf.GradientTape() as tape: tape.watch(x); y = x * x
tape.jacobian(y, x)
m = tf.ones([2, 2])
with tf.GradientTape() as tape: tape.watch(m); y = m * m
tape.batch_jacobian(y, m)
with tf.GradientTape() as tape: y = tf.gather(tf.Variable([[1.0, 2.0], [3.0, 4.0]]), [1, 1])
[tf.convert_to_tensor(g) for g in tape.gradient(y, tape.watched_variables())]
tfe.implicit_gradients(lambda x: v * x)(2.0)
tfe.gradients_function(lambda x, y: x * y)(2.0, 3.0)
tfe.value_and_gradients_function(lambda x, y: x * y)(2.0, 3.0)
tfe.gradients_function(lambda x, y: x * y, params=["y"])(2.0, 3.0, dy=10.0)
tfe.implicit_value_and_gradients(lambda x: v * x)(2.0)
tfe.implicit_gradients(lambda x: x)(2.0)
halved = tf.custom_gradient(lambda x: (x * 1.0, lambda dy: dy * 0.5))
tfe.gradients_function(lambda x: halved(x) * 3.0)(2.0)
tfe.gradients_function(lambda x: tf.stop_gradient(x) * x)(2.0)
tfe.gradients_function(lambda x: tf.py_function(lambda y: y * y, [x], tf.float32))(3.0)
""",
    "training": """
v = tf.Variable(1.0, name="v")
opt = tf.train.MomentumOptimizer(0.1, 0.9)
opt.minimize(lambda: v * v)
v
opt.variables()
opt.get_slot(v, "momentum").name
step = tf.train.get_or_create_global_step()
opt.minimize(lambda: v * v, global_step=step)
step
opt = tf.train.AdamOptimizer(0.1)
opt.minimize(lambda: v * v)
[x.name for x in opt.variables()]
opt.variables()
tf.train.exponential_decay(0.1, step, 10, 0.9)()
tf.losses.mean_squared_error([1.0], [2.0])
tf.losses.get_losses()
ema = tf.train.ExponentialMovingAverage(0.5)
ema.apply([v])
ema.average(v)
""",
    "data": """
for e in tf.data.Dataset.from_tensor_slices([1, 2, 3, 4]).batch(3): show(e)
it = tf.contrib.eager.Iterator(tf.data.Dataset.range(2))
it.next()
it.get_next()
it.next()
it.get_next()
tf.data.Dataset.range(2).make_one_shot_iterator().get_next()
w = tf.Variable(2)
list(tf.data.Dataset.from_tensor_slices([1, 2]).map(lambda x: x * w))
k = tf.constant(10)
list(tf.data.Dataset.from_tensor_slices([1, 2]).map(lambda x: (x, x * k)).take(1))
sum(int(x) for x in tf.data.Dataset.from_generator(lambda: iter([1, 2, 3]), tf.int32))
m = tf.contrib.eager.metrics.Mean()
m(1.0)
m([2.0, 3.0])
m.result()
m.variables
m.init_variables()
m.result()
a = tf.contrib.eager.metrics.Accuracy()
a([1, 2], [1, 3])
a.result()
""",
    "layers": """
tf.set_random_seed(3)
layer = tf.layers.Dense(3)
layer(tf.ones([1, 2]))
[x.name for x in layer.variables]
keras = tf.keras.layers.Dense(2)
keras(tf.ones([1, 2]))
[x.name for x in keras.variables]
norm = tf.keras.layers.BatchNormalization()
norm(tf.reshape(tf.range(6.0), [3, 2]), training=True)
norm.moving_mean
cell = tf.nn.rnn_cell.LSTMCell(2)
out, state = cell(tf.ones([1, 3]), cell.zero_state(1, tf.float32))
out
[x.name for x in cell.variables]
outs, last = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), tf.ones([1, 3, 2]), dtype=tf.float32)
outs
net = tf.contrib.eager.Sequential([tf.layers.Dense(2), tf.nn.relu, tf.layers.Dense(1)])
net(tf.ones([1, 2]))
[x.name for x in net.variables]
store = tf.contrib.eager.EagerVariableStore()
with store.as_default(): x = tf.layers.dense(tf.ones([1, 2]), 2, name="l1")
with store.as_default(): x = tf.layers.dense(tf.ones([1, 2]), 2, name="l1")
[x.name for x in store.variables()]
template = tf.make_template("t", lambda x: x * tf.get_variable("w", [], initializer=tf.ones_initializer()))
template(2.0)
template(3.0)
[x.name for x in template.variables]
""",
    "keras_step_by_step": """
K = tf.keras; k = K.layers; tf.set_random_seed(1)
x = np.arange(12.0).reshape(6, 2).astype("f") / 12; y = x.sum(1, keepdims=True)
said = []
doubled = lambda self, x: said.append(hasattr(x, "numpy")) or tf.stack([v if float(tf.reduce_sum(v)) > 0.5 else 2 * v for v in x])
D = type("D", (k.Layer,), {"call": doubled, "compute_output_shape": lambda self, s: s, "__module__": "here"})
i = K.Input([2]); m = K.Model(i, k.Dense(1, kernel_initializer="ones")(D(dynamic=True)(i)))
m.compile("sgd", "mse", metrics=["mae"])
[m.dynamic, m.run_eagerly, m.output_shape, m.total_loss]
m.fit(x, y, epochs=2, batch_size=4, shuffle=False, verbose=0).history
[m.evaluate(x, y, verbose=0), m.train_on_batch(x, y, sample_weight=np.arange(6.0)), m.test_on_batch(x, y)]
m.predict(x, batch_size=2)
m.predict_on_batch(x)
[len(said), all(said)]
m.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(2), verbose=0).history
def g():  yield from [(x, y)] * 3
m.fit_generator(g(), 3, verbose=0).history
M = type("M", (K.Model,), {"call": lambda self, x: self.d(x), "__module__": "here"})
m = M(dynamic=True); m.d = k.Dense(3, activation="softmax", kernel_initializer="ones"); m.compile("adam", "sparse_categorical_crossentropy", metrics=["sparse_categorical_accuracy"])
m.fit(x, np.array([0, 1, 2, 0, 1, 2]), verbose=0, class_weight={0: 1, 1: 2, 2: 3}).history
[m.outputs, len(m.weights), m.metrics_names]
m.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"]); m.evaluate(x, np.zeros(6), verbose=0)
m.compile("sgd", "mse", run_eagerly=True, target_tensors=[tf.ones([6, 3])])
i = K.Input([2]); a = k.BatchNormalization()(i); b = k.Dense(2, name="b", kernel_regularizer="l2", activity_regularizer="l1", kernel_initializer="ones")(a); c = k.Dense(1, name="c", kernel_initializer="ones")(b); m = K.Model(i, [b, c])
m.add_loss(tf.reduce_mean(a)); m.add_metric(c, name="n", aggregation="mean")
m.compile(K.optimizers.SGD(0.1, momentum=0.9, clipnorm=0.001), {"b": "mse", "c": "mae"}, {"c": ["mae"]}, loss_weights=[1.0, 0.5], weighted_metrics={"b": ["mse"]}, run_eagerly=True)
m.fit(x, [x, y], epochs=2, shuffle=False, verbose=0, sample_weight={"b": np.arange(6.0)}, validation_split=0.3).history
[m.metrics_names, len(m.losses), [w.shape for w in m.optimizer.weights]]
m.evaluate(x, [x, y], verbose=0)
m.run_eagerly = False; m.evaluate(x, [x, y], verbose=0)
m.get_weights()
m = K.Sequential([k.Dense(1, kernel_initializer="ones")]); m.compile(tf.train.AdamOptimizer(0.1), "mse", run_eagerly=True); m.fit(x, y, verbose=0).history
m.predict(x)
m = K.Sequential([k.Dense(1, kernel_initializer="ones", trainable=False, input_shape=[2])]); m.compile("sgd", "mse", run_eagerly=True); m.train_on_batch(x, y)
i = K.Input([3, 2]); m = K.Model(i, k.RNN([k.GRUCell(2, dropout=0.1, recurrent_dropout=0.1) for _ in range(2)])(i)); m.compile("sgd", "mse", run_eagerly=True); [np.isfinite(m.train_on_batch(np.ones([2, 3, 2]), np.ones([2, 2]))), m.losses]
m = K.Sequential([k.Masking(input_shape=[3, 2]), k.LSTM(2, return_sequences=True, kernel_initializer="ones", recurrent_initializer="ones")]); m.compile("sgd", "mse", ["mae"], sample_weight_mode="temporal", run_eagerly=True)
m.fit(np.repeat(np.arange(6.0).reshape(2, 3, 1), 2, 2), np.ones([2, 3, 2]), sample_weight=np.arange(6.0).reshape(2, 3), verbose=0).history
i = K.Input([2]); m = K.Model(i, k.Dense(1, activity_regularizer="l2", kernel_initializer="ones")(i)); m.compile("sgd", "mse"); m.evaluate(x, y, verbose=0)
m(x); [len(m.losses), m.losses]
m.compile("sgd", "mse"); m.evaluate(x, y, verbose=0)
""",
    "keras_calls_programs": """
K = tf.keras; k = K.layers
x = tf.ones([2, 3])
made = lambda: K.Sequential([k.Dense(1, input_shape=(3,), kernel_initializer="ones", activity_regularizer="l2")])
m = made(); m.compile("sgd", "mse")
told = lambda name: lambda epoch, logs: show([name, tf.executing_eagerly(), m.optimizer.lr.numpy(), m(x).numpy().ravel(), sorted(logs)])
c = K.callbacks.LambdaCallback(on_epoch_begin=told("begin"), on_epoch_end=told("end"), on_batch_end=told("batch"))
h = m.fit(np.ones([4, 3]), np.ones([4, 1]), verbose=0, epochs=2, callbacks=[c, K.callbacks.LearningRateScheduler(lambda e: float(tf.constant(0.01) * (e + 1)))])
def ones():  yield from ((2 * x, tf.reduce_sum(x, 1)) for _ in range(2) if tf.executing_eagerly())
m.fit_generator(ones(), steps_per_epoch=2, verbose=0).history
m.predict_generator(ones(), steps=1)
with tf.distribute.MirroredStrategy().scope(): m = made(); m.compile(K.optimizers.SGD(0.01), "mse", metrics=["mae"])
m.fit(np.ones([4, 3]), np.ones([4, 1]), verbose=0).history
step = tf.function(lambda x: tf.add_n([tf.reduce_mean(m(x))] + m.losses))
[step(x), step(2 * x), step(tf.ones([4, 3]))]
also = tf.function(lambda x: tf.add_n(m.losses) if m(x) is not None else None)
[also(x), tf.add_n(m.losses) if m(x) is not None else None, step(x)]
m.evaluate(np.ones([4, 3]), np.ones([4, 1]), verbose=0)
import contextlib, io, re
text = io.StringIO()
with contextlib.redirect_stdout(text): m.evaluate(np.arange(30.0).reshape(10, 3), np.ones([10, 1]), 4, verbose=2); m.predict(np.ones([5, 3]), verbose=2)
re.sub("[0-9]+s", "", text.getvalue())
classes = lambda y, p: K.losses.sparse_categorical_crossentropy(y, p, from_logits=True)
m = K.Sequential([k.Dense(6, kernel_initializer="ones")]); m.compile("sgd", classes)
m.fit(np.arange(24.0).reshape(2, 4, 3), np.arange(8).reshape(2, 4) % 6, verbose=0).history
m.evaluate(np.ones([2, 4, 3]), np.ones([2, 4, 1]), verbose=0)
m = K.Sequential([k.Dense(2, kernel_initializer="ones", input_shape=[3])]); m.compile("sgd", "mse"); m.fit(np.ones([2, 3]), np.ones([2, 3]), verbose=0)
""",
}


def _shown(value):
    """The text of a value without numbers that count objects, and addresses."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    text = re.sub(r"np\.float\d+\(([^)]*)\)", r"\1", re.sub(r"id=\d+, ", "", text))
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def _rounded(text):
    """Numbers of many digits with six of them: the last digits are those of a library for matrices."""
    return re.sub(r"-?\d+\.\d{5,}(e-?\d+)?", lambda m: "%.5g" % float(m.group(0)), text)


def _said(call, *args, **rest):
    """All that an error of a call says."""
    try:
        call(*args, **rest)
    except Exception as error:
        return str(error)


def shown(tf, program):
    """What each line of a program shows: its value, or the class and first line of its error."""
    rows, scope = [], {"tf": tf, "np": np}
    scope["said"] = _said
    scope["show"] = lambda value: rows.append(_shown(value))
    for line in program.strip().splitlines():
        try:
            try:
                code = compile(line, "<line>", "eval")
            except SyntaxError:
                exec(line, scope)
                continue
            value = eval(code, scope)
            if value is not None:
                rows.append(_shown(value))
        except Exception as error:
            first = (str(error).splitlines() or [""])[0]
            rows.append("%s: %s" % (type(error).__name__, first))
    return [" ".join(_rounded(row).split()) for row in rows]
