"""Optimizers, schedules, averages and clipping as small programs over any ``tf``.

``record_optimizers.py`` runs them under TensorFlow 1.15.5, ``test_optimizers.py`` under retrograd.
"""

import importlib

import numpy as np

STEPS = 20

OPTIMIZERS = {
    "GradientDescent": [{}],
    "Momentum": [{"momentum": 0.9}, {"momentum": 0.5, "use_nesterov": True}],
    "Adam": [{}, {"beta1": 0.5, "beta2": 0.9, "epsilon": 0.1}],
    "Adagrad": [{}, {"initial_accumulator_value": 1.0}],
    "AdagradDA": [{}, {"l1_regularization_strength": 0.05, "l2_regularization_strength": 0.1}],
    "Adadelta": [{}, {"rho": 0.5, "epsilon": 0.01}],
    "RMSProp": [{}, {"decay": 0.5, "momentum": 0.9, "epsilon": 0.1},
                {"centered": True}, {"centered": True, "momentum": 0.5, "epsilon": 0.1}],
    "Ftrl": [{}, {"l1_regularization_strength": 0.3, "l2_regularization_strength": 0.1},
             {"l2_shrinkage_regularization_strength": 0.2}, {"learning_rate_power": -0.3},
             {"learning_rate_power": 0.0, "l1_regularization_strength": 0.1}],
    "ProximalAdagrad": [{}, {"l1_regularization_strength": 0.2, "l2_regularization_strength": 0.1}],
    "ProximalGradientDescent": [{}, {"l1_regularization_strength": 0.2, "l2_regularization_strength": 0.1}],
}
FORMS = ["dense", "sparse", "resource dense", "resource sparse"]


def trajectories():
    """(name, optimizer, options, form) of every recorded trajectory."""
    return [("%s %d %s" % (name, i, form), name, options, form)
            for name, variants in OPTIMIZERS.items() for i, options in enumerate(variants) for form in FORMS]


def make(tf, name, options):
    options = dict(options, learning_rate=0.1)
    if name == "AdagradDA":
        options["global_step"] = tf.train.get_or_create_global_step()
    return getattr(tf.train, name + "Optimizer")(**options)


def gradients_of(form):
    """The gradients of the steps: dense, or rows with the indices that they belong to, some twice."""
    random = np.random.RandomState(1)
    for _ in range(STEPS):
        rows = random.randn(3, 2).astype(np.float32)
        yield (rows, random.randint(0, 3, 3).astype(np.int32)) if "sparse" in form else (rows, None)


def trajectory(tf, name, options, form):
    """The variable after each step, and in the end its slots."""
    with tf.Graph().as_default():
        var = tf.Variable([[1.0, -2.0], [0.5, 0.0], [-0.25, 3.0]], name="v", use_resource="resource" in form)
        rows = tf.placeholder(tf.float32, [3, 2])
        indices = tf.placeholder(tf.int32, [3])
        gradient = tf.IndexedSlices(rows, indices, tf.constant([3, 2])) if "sparse" in form else rows
        optimizer = make(tf, name, options)
        step = optimizer.apply_gradients([(gradient, var)], global_step=tf.train.get_or_create_global_step())
        values = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for value, places in gradients_of(form):
                feeds = {rows: value} if places is None else {rows: value, indices: places}
                sess.run(step, feeds)
                values.append(sess.run(var))
            slots = {key: sess.run(optimizer.get_slot(var, key)) for key in optimizer.get_slot_names()}
        return values, slots


# -- graphs ------------------------------------------------------------------------------------

GRAPHS = {}


def graph(function):
    GRAPHS[function.__name__] = function
    return function


def _updates(name, options, form, dtype):
    def build(tf):
        var = tf.Variable([[1.0, -2.0], [3.0, 4.0]], name="a/v", use_resource="resource" in form, dtype=dtype)
        gradient = tf.constant([[1.0, 2.0], [1.0, 3.0]], dtype)
        if "sparse" in form:
            gradient = tf.IndexedSlices(gradient, tf.constant([1, 1]), tf.constant([2, 2]))
        make(tf, name, options).apply_gradients(
            [(gradient, var)], global_step=tf.train.get_or_create_global_step())
    return build


for _name, _variants in OPTIMIZERS.items():
    for _form in FORMS:
        for _dtype in ["float32", "float64"]:
            if _dtype == "float32" or not _name.startswith("Proximal"):  # which take no other dtype in 1.15.5
                for _i, _options in enumerate(_variants):
                    GRAPHS["%s %d %s %s" % (_name, _i, _form, _dtype)] = _updates(_name, _options, _form, _dtype)


def inner(tf, name):
    """The module ``tensorflow.python.training.NAME``."""
    root = tf.__name__ if tf.__name__.startswith("retrograd") else "tensorflow"
    return importlib.import_module("%s.python.training.%s" % (root, name))


def _v(tf, name="v", **options):
    return tf.Variable([1.0, 2.0], name=name, **options)


@graph
def two_variables_gated_and_named(tf):
    tf.train.GradientDescentOptimizer(lambda: 0.1).minimize(
        tf.reduce_sum(_v(tf) * _v(tf, "w")), gate_gradients=2, colocate_gradients_with_ops=True,
        aggregation_method=1, name="nn", grad_loss=tf.constant(2.0))


@graph
def constrained(tf):
    for resource in (False, True):
        v = tf.Variable([1.0, 2.0], constraint=lambda x: x * 0.5, use_resource=resource)
        tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(v * v))


@graph
def inside_scopes(tf):
    with tf.variable_scope("sc"):
        w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
        step = tf.Variable(0, use_resource=True, trainable=False)
        with tf.name_scope("x"):
            tf.train.AdamOptimizer().minimize(tf.reduce_sum(w * w), global_step=step)
        tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w * w))


@graph
def one_optimizer_twice(tf):
    v, w = _v(tf), _v(tf, "w")
    optimizer = tf.train.AdamOptimizer(0.1)
    optimizer.minimize(tf.reduce_sum(v * w), var_list=[v])
    with tf.control_dependencies([tf.no_op("before")]):
        optimizer.minimize(tf.reduce_sum(v * w), var_list=[w, v], name="second")


@graph
def slots_of_tensors(tf):
    slot_creator = inner(tf, "slot_creator")
    c = tf.constant([1.0, 2.0], name="c")
    slot_creator.create_zeros_slot(c, "z")
    slot_creator.create_zeros_slot(c, "z", dtype=tf.float64, colocate_with_primary=False)
    slot_creator.create_slot(c, c * 2.0, "y")


@graph
def global_steps(tf):
    tf.train.get_or_create_global_step()
    tf.train.get_or_create_global_step()


@graph
def global_step_in_scopes(tf):
    with tf.variable_scope("a", use_resource=True), tf.name_scope("b"):
        tf.train.create_global_step()


@graph
def averages_of_a_tensor(tf):
    x = tf.constant([1.0, 2.0]) * 2.0
    average = tf.train.ExponentialMovingAverage(0.5, zero_debias=True, name="e")
    average.apply([x])
    average.apply([x])


@graph
def averages_by_hand(tf):
    moving_averages = inner(tf, "moving_averages")
    for resource in (False, True):
        v = _v(tf, "v%d" % resource, use_resource=resource)
        moving_averages.assign_moving_average(v, [3.0, 4.0], tf.constant(0.25))
        moving_averages.assign_moving_average(v, [3.0, 4.0], 0.25, zero_debias=False, name="q")


@graph
def weighted_average(tf):
    moving_averages = inner(tf, "moving_averages")
    x = tf.constant([1.0, 2.0]) * 2.0
    moving_averages.weighted_moving_average(x, 0.9, tf.constant(0.5), collections=["variables"], name="n")


@graph
def clip_value(tf):
    x = tf.placeholder(tf.float32, [2, 2])
    tf.gradients(tf.clip_by_value(x, -1.0, 1.0), x)
    tf.clip_by_value(tf.IndexedSlices(x, tf.constant([0, 1])), tf.constant(0.0), 5, name="c")


@graph
def clip_norm(tf):
    x = tf.placeholder(tf.float32, [2, 2])
    tf.gradients(tf.clip_by_norm(x, 2.0), x)
    tf.clip_by_norm(tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0])), 2.0, axes=[1])


@graph
def clip_average_norm(tf):
    tf.clip_by_average_norm(tf.constant([[1.0, 2.0]]), 2.0)


@graph
def clip_global_norm(tf):
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0]))
    tf.clip_by_global_norm([slices, None, tf.constant(2.0), [3.0, 4.0]], tf.constant(2.0), name="q")
    tf.clip_by_global_norm([tf.constant(2.0)], 1.0, use_norm=tf.constant(4.0))


# -- schedules ---------------------------------------------------------------------------------

SCHEDULES = {
    "exponential_decay": [[0.1, 10, 0.5], [0.1, 10, 0.5, True]],
    "natural_exp_decay": [[0.1, 10, 0.5], [0.1, 10, 0.5, True]],
    "inverse_time_decay": [[0.1, 10, 0.5], [0.1, 10, 0.5, True]],
    "polynomial_decay": [[0.1, 10], [0.1, 10, 0.01, 0.5], [0.1, 10, 0.01, 2.0, True]],
    "cosine_decay": [[0.1, 10], [0.1, 10, 0.2]],
    "cosine_decay_restarts": [[0.1, 10], [0.1, 10, 1.0, 0.9], [0.1, 5, 3.0, 0.5, 0.1]],
    "linear_cosine_decay": [[0.1, 10], [0.1, 10, 2.0, 0.1, 0.01]],
    "noisy_linear_cosine_decay": [[0.1, 10]],
    "piecewise_constant": [[[3, 8], [0.1, 0.2, 0.3]], [[5], [1.0, 2.0]]],
}
SCHEDULE_STEPS = [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 19, 20, 21, 35, 47, 100]


def schedule(tf, name, arguments):
    """The placeholder of the step and the rate."""
    tf.set_random_seed(1)
    step = tf.placeholder(tf.int64, [])
    first = [step] if name == "piecewise_constant" else [arguments[0], step]
    rest = arguments if name == "piecewise_constant" else arguments[1:]
    return step, getattr(tf.train, name)(*(first + rest))


def schedules():
    return [("%s %d" % (name, i), name, arguments)
            for name, variants in SCHEDULES.items() for i, arguments in enumerate(variants)]


# structured control flow has other nodes
WITH_CONDITION = ("piecewise_constant", "cosine_decay_restarts", "polynomial_decay 2")


def _schedule_graph(name, arguments):
    return lambda tf: schedule(tf, name, arguments)


for _key, _name, _arguments in schedules():
    if not _key.startswith(WITH_CONDITION):
        GRAPHS[_key] = _schedule_graph(_name, _arguments)


# -- messages ----------------------------------------------------------------------------------

MESSAGES = {
    "adagrad start": lambda tf, v, w: tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.0),
    "adagradda start": lambda tf, v, w: tf.train.AdagradDAOptimizer(
        0.1, None, initial_gradient_squared_accumulator_value=0.0),
    "ftrl start": lambda tf, v, w: tf.train.FtrlOptimizer(0.1, initial_accumulator_value=-1.0),
    "ftrl power": lambda tf, v, w: tf.train.FtrlOptimizer(0.1, learning_rate_power=1.0),
    "ftrl l1": lambda tf, v, w: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=-1.0),
    "ftrl l2": lambda tf, v, w: tf.train.FtrlOptimizer(0.1, l2_regularization_strength=-1.0),
    "ftrl shrinkage": lambda tf, v, w: tf.train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=-1.0),
    "proximal start": lambda tf, v, w: tf.train.ProximalAdagradOptimizer(0.1, initial_accumulator_value=-1.0),
    "gate": lambda tf, v, w: _sgd(tf).compute_gradients(v * v, gate_gradients=5),
    "no name": lambda tf, v, w: tf.train.GradientDescentOptimizer(0.1, name=""),
    "gradient shape": lambda tf, v, w: _sgd(tf).apply_gradients([([1.0, 3.0], v)]),
    "rate shape": lambda tf, v, w: tf.train.GradientDescentOptimizer([0.1, 0.2]).apply_gradients([(1.0, v)]),
    "momentum shape": lambda tf, v, w: tf.train.MomentumOptimizer(0.1, [0.1, 0.2]).apply_gradients([(1.0, v)]),
    "rows shape": lambda tf, v, w: tf.train.MomentumOptimizer(0.1, 0.2).apply_gradients(
        [(tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([2])), w)]),
    "integer grad_loss": lambda tf, v, w: _sgd(tf).minimize(v * v, grad_loss=tf.constant(1, name="one")),
    "a string": lambda tf, v, w: _sgd(tf).apply_gradients([(1.0, "v")]),
    "nothing": lambda tf, v, w: _sgd(tf).apply_gradients([]),
    "only None": lambda tf, v, w: _sgd(tf).apply_gradients([(None, v)]),
    "no path": lambda tf, v, w: _sgd(tf).minimize(tf.constant(1.0, name="loss")),
    "flat": lambda tf, v, w: _sgd(tf).minimize(tf.floor(v, name="flat")),
    "no variables": lambda tf, v, w: _sgd(tf).minimize(v * v, var_list=[]),
    "abstract": lambda tf, v, w: tf.train.Optimizer(False, "x").apply_gradients([(1.0, v)]),
    "clip grows": lambda tf, v, w: tf.clip_by_value(v, tf.constant([1.0, 2.0, 3.0]), 5.0),
    "clip apart": lambda tf, v, w: tf.clip_by_value(w, tf.constant([1.0, 2.0, 3.0]), 5.0),
    "norm of no list": lambda tf, v, w: tf.global_norm(v),
    "clip of no list": lambda tf, v, w: tf.clip_by_global_norm(v, 1.0),
    "two steps": lambda tf, v, w: [tf.train.create_global_step(), tf.train.create_global_step()],
    "float step": lambda tf, v, w: tf.train.assert_global_step(v),
    "no step": lambda tf, v, w: tf.train.assert_global_step(None),
    "vector step": lambda tf, v, w: tf.train.assert_global_step(tf.constant([1])),
    "schedule without step": lambda tf, v, w: tf.train.exponential_decay(0.1, None, 1, 0.5),
    "boundaries": lambda tf, v, w: tf.train.piecewise_constant(tf.constant(1), [1.5], [0.1, 0.2]),
    "boundary count": lambda tf, v, w: tf.train.piecewise_constant(tf.constant(1), [1], [0.1, 0.2, 0.3]),
    "value dtypes": lambda tf, v, w: tf.train.piecewise_constant(tf.constant(1), [1], [0.1, 2]),
    "integer average": lambda tf, v, w: tf.train.ExponentialMovingAverage(0.5).apply([tf.Variable(1, name="i")]),
}


def _sgd(tf):
    return tf.train.GradientDescentOptimizer(0.1)


def message(tf, build):
    """The class and text of the error that ``build`` raises."""
    with tf.Graph().as_default():
        v, w = tf.Variable(1.0, name="v"), tf.Variable([1.0, 2.0], name="w")
        try:
            build(tf, v, w)
        except Exception as error:
            return "%s: %s" % (type(error).__name__, error)
    return "no error"


def node(op):
    """One line: name, type, inputs, control inputs, output dtypes and shapes, place, attributes."""
    shapes = ["?" if t.shape.ndims is None else str(t.shape.as_list()).replace(" ", "") for t in op.outputs]
    attrs = ["%s=%s" % (key, op.get_attr(key)) for key in sorted(op.node_def.attr)
             if key.startswith("use_") or key in ("update_slots", "Tindices")]
    groups = [g.decode() for g in op.colocation_groups()]
    return " ".join([op.name, op.type, ",".join(t.name for t in op.inputs) or "-",
                     ",".join(sorted(c.name for c in op.control_inputs)) or "-",
                     ";".join(t.dtype.name for t in op.outputs) or "-", ";".join(shapes) or "-",
                     ",".join(g for g in groups if g != "loc:@" + op.name) or "-"] + attrs)


def nodes(tf, build):
    """The lines of every node that ``build`` adds to a graph."""
    with tf.Graph().as_default() as g:
        build(tf)
        return [node(op) for op in g.get_operations()]
