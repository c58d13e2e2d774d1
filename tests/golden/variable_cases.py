"""Programs with variables: each is a function of ``tf``, ``say`` (notes a value) and ``run`` (notes a run's outcome)."""

import numpy as np


def creation(tf, say, run):
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
    v = tf.Variable(3, name="v", trainable=False)
    u = tf.Variable(lambda: tf.ones([2]), name="u", dtype=tf.float32)
    x = tf.Variable(np.arange(3), name="x", caching_device="/cpu:0")
    y = tf.Variable(tf.placeholder(tf.float32, [None]), validate_shape=False, name="y")
    with tf.device("/cpu:0"):
        d = tf.Variable(1.0, name="d")
        e = tf.get_variable("e", [], initializer=tf.ones_initializer())
        f = tf.get_variable("f", [], initializer=tf.ones_initializer(), use_resource=True)
        say([f.read_value(), f + 1.0])
    with tf.control_dependencies([tf.no_op(name="wait")]):
        g = tf.Variable(1.0, name="g")
        say([g + 1.0, g.read_value()])
    with tf.container("cont"):
        k = tf.Variable(1.0, name="k")
        m = tf.Variable(1.0, name="m", use_resource=True)
    say([w, v, u, x, y, d, e, f, k, m])
    say([w.name, w.op.name, w.device, w.dtype, w.shape, w.get_shape(), w.initializer.name, w.initial_value])
    say([w.trainable, w.constraint, w.synchronization, w.aggregation, w._shared_name, w.value(), w._ref()])
    say([w._as_graph_element(), y.shape, y.initial_value.shape, x.value().device, w.graph is tf.get_default_graph()])
    say([tf.trainable_variables(), tf.global_variables(), tf.global_variables("e")])
    say([isinstance(w, tf.Variable), isinstance(f, tf.Variable), hash(w) == id(w), w == w, w != v])
    run(w)
    run(tf.is_variable_initialized(w))
    run(tf.report_uninitialized_variables())
    run([q.initializer for q in (w, v, u, x, g, k, m)])
    run([w, v, u, x, g, k, m])
    run(tf.report_uninitialized_variables())
    run(y.initializer, {y.initial_value: [1.0, 2.0]})
    run(y)
    run(tf.assign(y, [[1.0, 2.0]], validate_shape=False))
    run(y)


def updates(tf, say, run):
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
    v = tf.Variable(3, name="v")
    p = tf.placeholder(tf.float32)
    run([w.initializer, v.initializer])
    run(w.assign(w + 1))
    run(w.assign_add([[1.0, 1.0], [1.0, 1.0]]))
    run(w.assign_sub(w, name="as"))
    run(w.assign(w + 2.0, read_value=False))
    run(tf.assign(w, w * 2.0, use_locking=False))
    for _ in range(3):
        run(v.count_up_to(5))
    run(v)
    run(w.scatter_add(tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([0]))))
    run(w.scatter_update(tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([0]))))
    run(w.scatter_nd_add([[0, 0]], [1.0]))
    run(w.scatter_nd_sub([[0, 0], [0, 0]], [1.0, 0.5]))
    run(w.scatter_nd_update([[1]], [[7.0, 8.0]]))
    run(tf.scatter_sub(w, [0], [[1.0, 1.0]]))
    run(tf.scatter_add(w, [1, 1], 10.0))
    run(tf.scatter_mul(w, [0], [[2.0, 3.0]]))
    run(tf.scatter_div(w, [0], [[2.0, 3.0]]))
    run(tf.scatter_max(w, [0], [[200.0, 3.0]]))
    run(tf.scatter_min(w, [0, 1], [[2.0, 3.0], [4.0, 500.0]]))
    run(tf.batch_scatter_update(w, [[1], [0]], [[7.0], [8.0]]))
    run(w[0].assign([5.0, 6.0]))
    run(w[:, 1:].assign([[0.0], [1.0]]))
    run(tf.scatter_add(w, [3], [[1.0, 1.0]]))
    run(tf.scatter_nd_add(w, [[3, 0]], [1.0]))
    run(tf.scatter_nd_update(w, [[3]], [[1.0, 1.0]]))
    run(tf.assign_add(w, p), {p: [1.0, 2.0]})
    run(tf.assign(w, p), {p: [1.0, 2.0]})
    run(tf.scatter_add(w, [1], p), {p: [1.0, 2.0]})
    run(tf.scatter_nd_add(w, [[1]], p), {p: [1.0, 2.0]})
    run(w)


def operators(tf, say, run):
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
    say([-w, abs(w), w @ w, w**2, 2.0**w, w / 2.0, 2.0 / w, w // 2.0, w % 2.0, 1.0 - w, w > 1.0, w <= 1.0])
    say([w[0], w[:, 1:], np.ones((2, 2), np.float32) * w, np.float32(2.0) * w, [[1.0, 1.0], [1.0, 1.0]] + w])
    say([tf.reduce_sum(w), tf.reduce_mean(w, keepdims=True), tf.shape(w), tf.size(w), tf.rank(w), tf.zeros_like(w)])
    run(w.initializer)
    run([2.0**w, w @ w, w[:, 1:], tf.reduce_sum(w)])


def resources(tf, say, run):
    a = tf.Variable([1.0, 2.0], name="a", use_resource=True)
    b = tf.get_variable("b", [2, 2], initializer=tf.zeros_initializer(), use_resource=True)
    c = tf.get_variable("c", [2], initializer=tf.ones_initializer(), use_resource=True, caching_device="/cpu:0")
    p = tf.placeholder(tf.float32)
    say([a, a.name, a.op.name, a.dtype, a.shape, a.handle, a._as_graph_element(), a.value(), a.read_value()])
    assigned = a.assign([3.0, 4.0])
    say([assigned, assigned.name, assigned + 1.0])
    say([a * 2.0, a[0], b.sparse_read([0, 1]), b.gather_nd([[0, 1]]), a.initializer.name])
    c.assign_sub([1.0, 1.0], read_value=False)
    dependent = tf.Variable(a * 2, name="dependent", use_resource=True)
    counter = tf.Variable(1, name="counter", use_resource=True)
    say(tf.identity(a))
    tf.assign(a, [1.0, 1.0], name="asg")
    tf.assign_add(a, [1.0, 1.0], name="asgadd")
    say(tf.gradients(a * a * 2.0, [a]))
    rows = tf.gradients(b.sparse_read([0, 1, 1]), b)[0]
    say([rows.values, rows.indices, rows.dense_shape])
    rows = tf.gradients(b.gather_nd([[0]]), b)[0]
    say([rows.values, rows.indices, rows.dense_shape, tf.gradients(b.gather_nd([[0, 1]]), b)])
    say(tf.gradients(tf.constant(1.0), [a], unconnected_gradients="zero"))
    run(a)
    run(a.assign_add([1.0, 1.0]))
    run(b.sparse_read([0]))
    run(tf.scatter_add(b, [0], [[1.0, 1.0]]))
    run(dependent.initializer)
    run([a.initializer, b.initializer, c.initializer, counter.initializer])
    run(tf.report_uninitialized_variables([a, dependent]))
    run(dependent.initializer)
    run([a, b, c, dependent])
    run(a.assign_add([1.0, 1.0]))
    run(assigned)
    run(a)
    run(tf.count_up_to(counter, 2))
    run(tf.count_up_to(counter, 2))
    run(b[0].assign([5.0, 6.0]))
    run(tf.scatter_update(b, [0, 1], [[1.0, 1.0], [2.0, 2.0]]))
    run(b.scatter_nd_add([[0, 1], [0, 1]], [1.0, 1.0]))
    run(b.scatter_sub(tf.IndexedSlices(tf.constant([[1.0, 1.0]], name="rows"), [0])))
    run(tf.scatter_add(b, [3], [[1.0, 1.0]]))
    run(b.sparse_read([3]))
    run(tf.scatter_nd_add(b, [[3, 0]], [1.0]))
    run(a.assign_add(p), {p: [[1.0, 2.0]]})
    run(a.assign(p), {p: [[1.0, 2.0]]})
    run(a)


def scopes(tf, say, run):
    with tf.name_scope("ns"):
        tf.Variable(1.0, name="v")
        tf.get_variable("g", [])
    with tf.variable_scope("a") as scope:
        v = tf.get_variable("v", [2])
        with tf.name_scope("inner"):
            say(v + tf.get_variable("w", [2]))
    with tf.variable_scope(scope, reuse=True):
        say([tf.get_variable("v", [2]) is v, v * 2.0])
    with tf.variable_scope("a"):
        say(tf.identity(v))
    for _ in range(2):
        with tf.variable_scope(None, default_name="d"):
            say(tf.get_variable("x", []))
    tf.get_variable("q3", initializer=lambda: tf.ones([2, 2]))
    tf.get_variable("q4", initializer=tf.constant([1, 2]))
    for name, dtype in (("q5", tf.int32), ("q6", tf.bool), ("q7", tf.string)):
        tf.get_variable(name, [2], dtype)
    tf.get_variable("q8", [2, 3], tf.float64, tf.zeros_initializer)
    tf.get_variable("q9", [2, 3], initializer=tf.constant_initializer([1, 2.0]))
    with tf.variable_scope(
        "sc", initializer=tf.ones_initializer(), dtype=tf.float64, regularizer=lambda w: w * 0.1,
        caching_device="/cpu:0", constraint=lambda x: x,
    ) as sc:
        a = tf.get_variable("a", [2])
        tf.get_variable("b", [2], tf.float32, regularizer=tf.no_regularizer)
        say([sc.name, sc.original_name_scope, sc.reuse, sc.dtype, sc.use_resource, sc.caching_device])
        say(a.constraint is not None)
        with tf.variable_scope("in") as inner:
            say([inner.name, inner.original_name_scope, inner.reuse, inner.dtype, inner.constraint])
            c = tf.get_local_variable("c", [2])
            with tf.variable_scope("", reuse=tf.AUTO_REUSE):
                d = tf.get_variable("c", [2])
                say([d is c, d.name, tf.get_variable_scope().name, tf.get_variable_scope().original_name_scope])
        with tf.variable_scope("in"):
            say(tf.constant(1.0))
        with tf.variable_scope("aux", auxiliary_name_scope=False) as aux:
            say([tf.constant(2.0), tf.get_variable("y", [1]), aux.original_name_scope])
    say(tf.get_collection("regularization_losses"))
    say([tf.local_variables(), tf.trainable_variables("sc"), sc.global_variables(), sc.trainable_variables()])

    def renamed(getter, name, *args, **kwargs):
        say([name, args, sorted(kwargs)])
        return getter(name + "_g", *args, **kwargs)

    def doubled(getter, name, *args, **kwargs):
        return getter(name, *args, **kwargs) * 2.0

    with tf.variable_scope("cg", custom_getter=renamed):
        x = tf.get_variable("x", [1])
        with tf.variable_scope("in", custom_getter=doubled):
            say(tf.get_variable("y", [1]))
    with tf.variable_scope("t", values=[x]) as t:
        pass
    with tf.variable_scope(t):
        tf.constant(1.0)
    with tf.variable_scope(t, auxiliary_name_scope=False):
        tf.constant(1.0)
    with tf.variable_scope("t"):
        for _ in range(2):
            with tf.variable_scope(None, "dd"):
                say([tf.constant(1.0), tf.get_variable("z", [1])])
        with tf.variable_scope(sc):
            say([tf.get_variable_scope().name, tf.get_variable("zz", [2])])

    def creator(next_creator, **kwargs):
        say(sorted(kwargs))
        return next_creator(**kwargs)

    with tf.variable_creator_scope(creator):
        tf.Variable(1.0, name="cr")


def partitions(tf, say, run):
    with tf.variable_scope("part", partitioner=tf.fixed_size_partitioner(2)):
        p = tf.get_variable("p", [3, 2], initializer=tf.ones_initializer())
        say([[v.name for v in p], [v._save_slice_info.spec for v in p], tf.get_variable("scalar", [])])
    say(tf.convert_to_tensor(p))
    by_bytes = tf.variable_axis_size_partitioner(8, max_shards=3)
    say(by_bytes(shape=tf.TensorShape([5, 2]), dtype=tf.float32))
    say(tf.min_max_variable_partitioner(3, min_slice_size=8)(shape=tf.TensorShape([5, 2]), dtype=tf.float32))
    parts = tf.create_partitioned_variables([4, 2], [2, 1], tf.constant([[1.0, 2.0]] * 4))
    say(parts)
    run([v.initializer for v in [*p, *parts]])
    run([tf.convert_to_tensor(p), parts])


def templates(tf, say, run):
    def layer(x, scale):
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        return x * w * scale

    first = tf.make_template("layer", layer, scale=2.0)
    other = tf.make_template("layer", layer, scale=3.0, create_scope_now_=True)
    unique = tf.make_template("layer", layer, unique_name_="shared", scale=4.0)
    x = tf.constant([1.0, 2.0])
    outputs = [first(x), other(x), unique(x), first(x), other(x)]
    say(outputs)
    say([first.name, first.variable_scope_name, other.variable_scope_name, first.variables, unique.trainable_variables])
    run([v.initializer for v in tf.global_variables()])
    run(outputs)
    tf.train.MomentumOptimizer(0.1, 0.9).minimize(outputs[0])  # its slots lie in the scopes of their variables
    say([first.variables, [tuple(held) for held in first._checkpoint_dependencies]])


def initial_values(tf, say, run):
    """Which variables an initial value depends on does not matter: it takes theirs where they have none yet."""
    w1 = tf.Variable([1.0, 2.0], name="w1")
    w2 = tf.Variable(w1 * 2, name="w2")
    say(w1.initialized_value().name)
    w3 = tf.Variable(tf.exp(w2) + w1, name="w3")
    run([w1.initializer, w2.initializer])
    run(w3.initializer)
    run([w1, w2, w3])
    run(w1.assign([5.0, 5.0]))
    run(w2.initializer)
    run(w2)


def initializers(tf, say, run):
    shape = [3, 4]
    for made in (
        tf.zeros_initializer(), tf.ones_initializer(), tf.constant_initializer(2.5), tf.random_uniform_initializer(-1, 1, 3),
        tf.random_normal_initializer(1.0, 2.0, 5), tf.truncated_normal_initializer(seed=7),
        tf.uniform_unit_scaling_initializer(2.0, seed=1), tf.variance_scaling_initializer(seed=2),
        tf.variance_scaling_initializer(2.0, "fan_out", "uniform", 3),
        tf.variance_scaling_initializer(2.0, "fan_avg", "untruncated_normal", 3), tf.glorot_uniform_initializer(1),
        tf.glorot_normal_initializer(2), tf.initializers.he_normal(1), tf.initializers.he_uniform(2),
        tf.initializers.lecun_normal(1), tf.initializers.lecun_uniform(2), tf.initializers.identity(gain=3.0),
    ):
        say([type(made).__name__, sorted(made.get_config().items(), key=str)])
        again = type(made).from_config(made.get_config())
        run([made(shape), again(shape, tf.float64)])


CASES = {
    f.__name__: f
    for f in (creation, updates, operators, resources, scopes, partitions, templates, initial_values, initializers)
}


def _scoped(tf, reuse, name, *args, **kwargs):
    with tf.variable_scope("a"):
        tf.get_variable("v", [2])
    with tf.variable_scope("a", reuse=reuse):
        tf.get_variable(name, *args, **kwargs)


ERRORS = {
    "duplicate": lambda tf: _scoped(tf, None, "v", [2]),
    "missing": lambda tf: _scoped(tf, True, "nope", [2]),
    "another shape": lambda tf: _scoped(tf, True, "v", [3]),
    "another dtype": lambda tf: _scoped(tf, True, "v", [2], tf.int32),
    "no shape": lambda tf: tf.get_variable("q"),
    "part of a shape": lambda tf: tf.get_variable("q", [None, 2]),
    "shape and value": lambda tf: tf.get_variable("q", [2], initializer=[1.0, 2.0]),
    "dtype and value": lambda tf: tf.get_variable("q", dtype=tf.int32, initializer=[1.0, 2.0]),
    "complex": lambda tf: tf.get_variable("q", [2], tf.complex64),
    "getter": lambda tf: tf.get_variable("q", [2], custom_getter=3),
    "no scope": lambda tf: tf.variable_scope(None),
    "reuse without name": lambda tf: tf.variable_scope(None, "x", reuse=True).__enter__(),
    "scope number": lambda tf: tf.variable_scope(3).__enter__(),
    "reuse number": lambda tf: tf.variable_scope("a", reuse=3),
    "auxiliary number": lambda tf: tf.variable_scope("a", auxiliary_name_scope=3),
    "no value": lambda tf: tf.Variable(),
    "None": lambda tf: tf.Variable(None),
    "unknown shape": lambda tf: tf.Variable(tf.placeholder(tf.float32, name="p")),
    "collection": lambda tf: tf.Variable(1.0, collections="x"),
    "constraint": lambda tf: tf.Variable(1.0, constraint=3),
    "aggregation": lambda tf: tf.Variable(1.0, aggregation=99),
    "synchronization": lambda tf: tf.Variable(1.0, synchronization=99),
    "iteration": lambda tf: list(tf.Variable([1.0])),
    "load": lambda tf: tf.Variable([1.0]).load(1),
    "eval": lambda tf: tf.Variable([1.0]).eval(),
    "scatter": lambda tf: tf.Variable([1.0]).scatter_add(3),
    "conversion": lambda tf: tf.convert_to_tensor(tf.Variable([1.0]), tf.int32),
    "assign shape": lambda tf: tf.assign(tf.Variable([[1.0]]), [1.0]),
    "assign to tensor": lambda tf: tf.assign(tf.constant(1.0), 1.0),
    "assign text": lambda tf: tf.Variable([1.0]).assign(["a"]),
    "assign_add shape": lambda tf: tf.assign_add(tf.Variable([1.0]), 1),
    "dtypes": lambda tf: tf.Variable(3) + tf.Variable(1.0),
    "set_shape": lambda tf: tf.Variable([[1.0]]).set_shape([3]),
    "initial dtype": lambda tf: tf.Variable([1.0, 2.0], dtype=tf.int32),
    "resource dtype": lambda tf: tf.Variable([1], use_resource=True).assign_add([1.5]),
    "resource shape": lambda tf: tf.Variable([1.0], use_resource=True).assign([1.0, 2.0]),
    "resource update": lambda tf: tf.Variable([1.0], use_resource=True).assign_add([1.0, 2.0]),
    "scatter shapes": lambda tf: tf.scatter_nd_update(tf.Variable([[1.0]]), [[0]], [[1.0, 2.0]]),
    "identity shape": lambda tf: tf.get_variable("i", [3], initializer=tf.initializers.identity()),
    "orthogonal shape": lambda tf: tf.get_variable("i", [3], initializer=tf.orthogonal_initializer()),
    "scale": lambda tf: tf.variance_scaling_initializer(0.0),
    "mode": lambda tf: tf.variance_scaling_initializer(mode="in"),
    "constant kind": lambda tf: tf.constant_initializer(object()),
}
