"""Small programs that call ``tf.gradients`` in every way that it can be called, written against any ``tf``.

``record_gradients.py`` runs them under TensorFlow 1.15.5, ``test_gradients.py`` under retrograd.
"""

import numpy as np

CASES = {}


def case(build):
    """A case, named as the function that builds it: what to fetch, or what goes wrong."""
    CASES[build.__name__] = build
    return build


def xy(tf):
    return tf.constant([1.0, 2.0], name="x"), tf.constant([3.0, 5.0], name="y")


def dense(tf, values):
    return [None if v is None else tf.convert_to_tensor(v) for v in values]


def chain(tf):
    x, y = xy(tf)
    a = tf.multiply(x, y, name="a")
    b = tf.sin(a, name="b")
    c = tf.add(a, b, name="c")
    return x, y, a, b, c


# -- ys and xs ---------------------------------------------------------------------------------


@case
def one_of_one(tf):
    x, _ = xy(tf)
    return tf.gradients(x * x, x)


@case
def tuples(tf):
    x, y = xy(tf)
    return tf.gradients((x * y, x + y), (x, y))


@case
def no_xs(tf):
    x, _ = xy(tf)
    assert tf.gradients(x * x, []) == []
    return [x]


@case
def no_ys(tf):
    x, _ = xy(tf)
    assert tf.gradients([], [x]) == [None]
    return [x]


@case
def twice_the_same_x(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, [x, x, y])


@case
def twice_the_same_y(tf):
    x, y = xy(tf)
    z = x * y
    return tf.gradients([z, z, z], [x, y])


@case
def x_is_y(tf):
    x, y = xy(tf)
    return tf.gradients(x, x) + tf.gradients([x, x], x) + tf.gradients([x, x * y], [x, y])


@case
def x_is_not_reached(tf):
    x, y = xy(tf)
    return tf.gradients(x * x, [y, x])


@case
def x_behind_x(tf):
    x, y, a, b, c = chain(tf)
    return tf.gradients(c, [x, a, b, c])


@case
def y_behind_y(tf):
    x, y, a, b, c = chain(tf)
    return tf.gradients([a, c], [x, y]) + tf.gradients([c, a, b], [x])


@case
def x_downstream_of_y(tf):
    x, y, a, b, c = chain(tf)
    return tf.gradients(a, [c, x, b])


@case
def constants_for_ys(tf):
    return tf.gradients(1.0, xy(tf)[0]) + tf.gradients([[1.0, 2.0]], tf.constant(1.0)) + [tf.constant(0.0)]


@case
def arrays_for_xs(tf):
    return tf.gradients(tf.constant(1.0), [np.float32(2.0), [1.0, 2.0]]) + [tf.constant(0.0)]


@case
def reference_variables(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
    y = v * v + 1.0
    grads = tf.gradients(y, v) + tf.gradients(y, [v.value(), v.read_value()]) + tf.gradients(v, v)
    with tf.control_dependencies([v.initializer]):
        return [tf.identity(tf.constant(1.0))] + [g if g is None else tf.shape(g) for g in grads]


@case
def resource_variables(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    y = v * v + 1.0
    grads = tf.gradients(y, v) + tf.gradients(y, [v.handle]) + tf.gradients(v, v) + tf.gradients(y, [v.value()])
    return [tf.constant(1.0)] + [g if g is None else tf.shape(g) for g in grads]


@case
def unused_resource_variable(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    x, _ = xy(tf)
    return tf.gradients(x * x, [v, x])


@case
def gathered_resource_variable(tf):
    v = tf.get_variable("v", initializer=[[1.0, 2.0], [3.0, 4.0]], use_resource=True)
    (dv,) = tf.gradients(tf.gather(v, [0, 0]), v)
    return [dv.indices, dv.values, dv.dense_shape]


@case
def gathered_reference_variable(tf):
    v = tf.get_variable("v", initializer=[[1.0, 2.0], [3.0, 4.0]], use_resource=False)
    (dv,) = tf.gradients(tf.gather(v, [0, 0]), v)
    return [dv.indices, dv.dense_shape]


@case
def partly_sparse(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = tf.reduce_sum(tf.gather(x, [0, 0])) + tf.reduce_sum(x * x)
    return tf.gradients(y, x)


@case
def twice_sparse(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = tf.reduce_sum(tf.gather(x, [0, 0])) + tf.reduce_sum(tf.gather(x, np.array([1], np.int64)))
    (dx,) = tf.gradients(y, x)
    return [dx.values, dx.indices, dx.dense_shape, tf.convert_to_tensor(dx)]


@case
def slices_without_shape_for_grad_ys(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    seed = tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([1]))
    (dx,) = tf.gradients(tf.identity(x), x, seed)
    return [dx.values, dx.indices]


@case
def slices_for_grad_ys(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    seed = tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([1]), tf.constant([2, 2]))
    (dx,) = tf.gradients(tf.identity(x), x, seed)
    return [dx.values, dx.indices, dx.dense_shape]


@case
def slices_multiplied(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    seed = tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([1]), tf.constant([2, 2]))
    return dense(tf, tf.gradients(x * 2.0, x, seed))


@case
def integers(tf):
    n = tf.constant([1, 2])
    return tf.gradients(n * n, n) + tf.gradients(tf.to_float(n), n) + [n]


@case
def integers_on_the_way(tf):
    x, _ = xy(tf)
    n = tf.cast(x, tf.int32)
    return tf.gradients(tf.cast(n, tf.float32) * x, x) + tf.gradients(n, n) + tf.gradients(n, x)


@case
def booleans_and_strings(tf):
    x, _ = xy(tf)
    text = tf.as_string(x)
    return tf.gradients(x * tf.to_float(x > 1.0), x) + tf.gradients(text, x, [text]) + tf.gradients(x > 1.0, x, [x > 1.0])


@case
def half_precision(tf):
    x = tf.constant([1.0, 2.0], tf.float16)
    return tf.gradients(x * x, x) + tf.gradients(tf.cast(x, tf.float64), x)


@case
def complex_with_seeds(tf):
    x, y = xy(tf)
    z = tf.complex(x, y)
    return tf.gradients(z * z, [z, x, y], tf.constant([1 + 2j, 0.5], tf.complex64)) + tf.gradients(tf.abs(z), [x, z])


@case
def unknown_shapes(tf):
    x = tf.placeholder_with_default(tf.constant([[1.0, 2.0]]), [None, 2])
    y = tf.placeholder_with_default(tf.constant([[3.0], [4.0]]), None)
    return tf.gradients(tf.matmul(x, y), [x, y])


@case
def several_outputs(tf):
    x, _ = xy(tf)
    a, b = tf.split(x, 2)
    s, p = tf.nn.moments(x, [0])
    return tf.gradients(a, x) + tf.gradients([b, s], [x]) + tf.gradients(p, [a, x]) + tf.gradients(a, [b, a])


@case
def an_output_as_x(tf):
    x, _ = xy(tf)
    a, b = tf.unstack(x)
    return tf.gradients(a * b, [a, b, x])


# -- grad_ys -----------------------------------------------------------------------------------


@case
def seeds(tf):
    x, y = xy(tf)
    return tf.gradients([x * y, x + y], [x, y], [[2.0, 3.0], tf.constant([5.0, 7.0])])


@case
def a_seed_is_none(tf):
    x, y = xy(tf)
    return tf.gradients([x * y, x + y], [x, y], [None, [1.0, 10.0]])


@case
def a_seed_of_another_shape(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, x, 2.0) + tf.gradients(x * y, x, [[[1.0, 2.0]], [[3.0, 4.0]]][:1])[:0]


@case
def a_seed_of_another_dtype(tf):
    x, _ = xy(tf)
    return tf.gradients(x, x, tf.constant([1, 2])) + tf.gradients(x, x, np.array([1.0, 2.0]))


@case
def a_seed_that_depends_on_x(tf):
    x, y = xy(tf)
    return tf.gradients(tf.gradients(x * x, x, tf.sin(x)), [x, y])


@case
def an_array_for_seeds(tf):
    x, _ = xy(tf)
    return tf.gradients(x * x, x, np.array([1.0, 2.0], np.float32))


@case
def a_tuple_of_seeds(tf):
    x, y = xy(tf)
    return tf.gradients((x * y, y), [x, y], (x, None))


# -- name --------------------------------------------------------------------------------------


@case
def names(tf):
    x, y = xy(tf)
    grads = tf.gradients(x * y, x, name="mine") + tf.gradients(x * y, x, name="mine") + tf.gradients(x * y, x)
    with tf.name_scope("outer"):
        grads += tf.gradients(x * y, x) + tf.gradients(x * y, x, name="inner/") + tf.gradients(x * y, x, name="mine")
    return grads + tf.gradients(x * y, x, name="") + tf.gradients(x * y, x, name=None)


@case
def ops_inside_scopes(tf):
    x, y = xy(tf)
    with tf.name_scope("a"), tf.variable_scope("b"):
        z = tf.nn.softplus(x * y)
        return tf.gradients(z, [x, y])


# -- placing -----------------------------------------------------------------------------------


def placed(tf, **options):
    with tf.device("/cpu:0"):
        x, y = xy(tf)
    with tf.device("/job:localhost"):
        z = tf.multiply(x, y)
    with tf.device("/job:localhost/replica:0"):
        w = tf.add(tf.sin(z), z)
    with tf.device("/task:0"):
        grads = tf.gradients([w, z], [x, y], **options)
    return [tf.constant([(op.name, op.device) for op in tf.get_default_graph().get_operations()]), tf.constant(str(
        [(op.name, sorted(c.decode() for c in op.colocation_groups())) for op in tf.get_default_graph().get_operations()]
    ))], grads


@case
def devices(tf):
    return placed(tf)[0]


@case
def devices_colocated(tf):
    return placed(tf, colocate_gradients_with_ops=True)[0]


@case
def devices_gated(tf):
    return placed(tf, colocate_gradients_with_ops=True, gate_gradients=True)[0]


@case
def colocated(tf):
    x, y, a, b, c = chain(tf)
    return tf.gradients([a, c], [x, y], [None, c], colocate_gradients_with_ops=True)


@case
def colocated_variables(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
    w = tf.get_variable("w", initializer=[[1.0], [2.0]], use_resource=True)
    y = tf.matmul(tf.expand_dims(v, 0), w) + tf.reduce_sum(tf.gather(w, [0]))
    grads = tf.gradients(y, [v, w], colocate_gradients_with_ops=True, gate_gradients=True)
    return [tf.shape(grads[0])]


@case
def placed_sums(tf):
    x, _ = xy(tf)
    parts = []
    for i in range(4):
        with tf.device("/job:localhost" if i % 2 else "/cpu:0"):
            parts.append(tf.sin(x))
    tf.gradients(tf.add_n(parts), x, colocate_gradients_with_ops=True)
    return [tf.constant([(op.name, op.device) for op in tf.get_default_graph().get_operations()])]


# -- gates and sums ----------------------------------------------------------------------------


@case
def gated(tf):
    x, y, a, b, c = chain(tf)
    return tf.gradients(c, [x, y], gate_gradients=True)


@case
def gated_slices(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = tf.concat([tf.gather(x, [0]), x], 0)
    return dense(tf, tf.gradients(y, x, gate_gradients=True))


def summed(tf, method, count):
    x, y = xy(tf)
    z = tf.add_n([tf.sin(x * float(i)) for i in range(count)], name="total")
    return tf.gradients(z, [x], aggregation_method=method)


@case
def added(tf):
    return summed(tf, tf.AggregationMethod.ADD_N, 3) + summed(tf, tf.AggregationMethod.DEFAULT, 2)


@case
def added_as_a_tree(tf):
    return summed(tf, tf.AggregationMethod.EXPERIMENTAL_TREE, 3) + summed(tf, tf.AggregationMethod.EXPERIMENTAL_TREE, 2)


@case
def accumulated(tf):
    method = tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N
    return summed(tf, method, 3) + summed(tf, method, 2)


@case
def accumulated_with_unknown_shapes(tf):
    x = tf.placeholder_with_default(tf.constant([1.0, 2.0]), [None])
    z = tf.add_n([tf.sin(x), tf.cos(x), tf.exp(x)])
    return tf.gradients(z, [x], aggregation_method=tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N)


@case
def slices_added_as_a_tree(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = tf.reduce_sum(tf.gather(x, [0])) + tf.reduce_sum(tf.gather(x, [1])) + tf.reduce_sum(tf.gather(x, [1]))
    (dx,) = tf.gradients(y, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)
    return [dx.values, dx.indices]


@case
def slices_of_slices(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    part = tf.gather(x, [2, 0])
    y = tf.reduce_sum(tf.gather(part, [1, 1])) + tf.reduce_sum(tf.gather(x, [0]))
    return dense(tf, tf.gradients(y, [x, part]))


# -- stop_gradients ----------------------------------------------------------------------------


@case
def stopped(tf):
    x, y, a, b, c = chain(tf)
    return tf.gradients(c, [x, y], stop_gradients=[b]) + tf.gradients(c, [x, a], stop_gradients=a)


@case
def stopped_at_x(tf):
    x, y, a, b, c = chain(tf)
    return tf.gradients(c, [x, y, a], stop_gradients=[x, a])


@case
def stopped_at_y(tf):
    x, y, a, b, c = chain(tf)
    return tf.gradients(c, [x, c], stop_gradients=[c]) + tf.gradients([c, b], [x], stop_gradients=[c])


@case
def stopped_nowhere(tf):
    x, y, a, b, c = chain(tf)
    return tf.gradients(c, [x], stop_gradients=[]) + tf.gradients(c, [x], stop_gradients=[tf.constant(1.0), y])


@case
def stopped_variables(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    x, _ = xy(tf)
    grads = tf.gradients(v * x, [v, x], stop_gradients=[v])
    return [x if g is None else tf.shape(g) for g in grads]


@case
def total_derivative_by_parts(tf):
    a = tf.constant(0.0)
    b = 2 * a
    return tf.gradients(a + b, [a, b], stop_gradients=[a, b]) + tf.gradients(a + b, [a, b])


# -- unconnected_gradients ---------------------------------------------------------------------


@case
def unconnected(tf):
    x, y = xy(tf)
    v = tf.get_variable("v", initializer=[[1.0, 2.0]], use_resource=True)
    r = tf.get_variable("r", initializer=[[1.0, 2.0]], use_resource=False)
    n = tf.constant([1, 2])
    zeros = tf.gradients(x * x, [y, v, n, r, x], unconnected_gradients="zero")
    none = tf.gradients(x * x, [y, v, n], unconnected_gradients=tf.UnconnectedGradients.NONE)
    return zeros[:1] + zeros[2:3] + zeros[4:] + none + [tf.shape(zeros[1])]


@case
def unconnected_slices(tf):
    x, _ = xy(tf)
    slices = tf.IndexedSlices(tf.reshape(x, [2, 1]) * 3.0, tf.constant([0, 2]), tf.constant([3, 1]))
    return dense(tf, tf.gradients(tf.constant(1.0), [slices, x], unconnected_gradients=tf.UnconnectedGradients.ZERO))


# -- higher orders and the rest ----------------------------------------------------------------


@case
def third_order(tf):
    x, _ = xy(tf)
    y = tf.pow(x, 4.0)
    for _ in range(3):
        (y,) = tf.gradients(y, x)
    return [y]


@case
def stop_gradient(tf):
    x, y = xy(tf)
    return tf.gradients(tf.stop_gradient(x) * x + tf.stop_gradient(y, name="s"), [x, y])


@case
def under_control_dependencies(tf):
    x, y = xy(tf)
    with tf.control_dependencies([tf.identity(y, name="first")]):
        return tf.gradients(x * y, [x])


@case
def under_a_colocation(tf):
    x, y = xy(tf)
    z = x * y
    with tf.get_default_graph().colocate_with(y.op):
        return tf.gradients(z, [x], colocate_gradients_with_ops=True) + tf.gradients(z, [x])


@case
def overridden(tf):
    name = "Tenfold-%d" % np.random.RandomState().randint(1 << 30)

    @tf.RegisterGradient(name)
    def tenfold(op, dy):
        return 10.0 * dy

    x, _ = xy(tf)
    with tf.get_default_graph().gradient_override_map({"Sin": name}):
        y = tf.sin(x)
    return tf.gradients(y, x) + tf.gradients(tf.sin(x), x)


@case
def in_another_graph(tf):
    x, y = xy(tf)
    z = x * y
    with tf.Graph().as_default():
        return tf.gradients(z, [x])


@case
def not_differentiable_branches(tf):
    x, _ = xy(tf)
    y = tf.to_float(tf.argmax(x)) + tf.reduce_sum(tf.floor(x)) + tf.reduce_sum(tf.sign(x) * x) + tf.to_float(tf.size(x))
    return tf.gradients(y, x)


@case
def prevented(tf):
    x, _ = xy(tf)
    y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=tf.reshape(x, [1, 2]))
    return tf.gradients(y, x)


@case
def many_readers(tf):
    x, y = xy(tf)
    z = tf.identity(x * y, name="z")
    parts = [tf.sin(z), z * z, tf.exp(z), z / y, z - x]
    return tf.gradients(parts, [z, x, y])


@case
def diamond(tf):
    x, y = xy(tf)
    a = tf.sin(x)
    b, c = a * y, a + y
    return tf.gradients(b * c, [x, y, a])


@case
def broadcast(tf):
    x = tf.constant([[1.0], [2.0]])
    y = tf.constant([1.0, 2.0, 3.0])
    z = tf.constant(2.0)
    return tf.gradients((x + y) * z / y - z, [x, y, z])


# -- errors ------------------------------------------------------------------------------------


@case
def too_few_seeds(tf):
    x, y = xy(tf)
    return tf.gradients([x, y], [x], [None])


@case
def too_many_seeds(tf):
    x, y = xy(tf)
    return tf.gradients(x, [x], [None, None])


@case
def a_list_that_should_be_a_tensor(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, x, [1.0, 2.0])


@case
def seed_shape(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, x, [tf.constant([1.0, 2.0, 3.0])])


@case
def seed_shape_of_a_product(tf):
    x = tf.ones([2, 3])
    return tf.gradients(tf.matmul(x, tf.ones([3, 4])), x, tf.ones([5, 4]))


@case
def seed_dtype(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, x, tf.constant([1.0, 2.0], tf.float64))


@case
def real_seed_of_complex(tf):
    z = tf.constant([1j])
    return tf.gradients(z * z, z, tf.constant([1.0]))


@case
def complex_seed_of_real(tf):
    x, _ = xy(tf)
    return tf.gradients(x * x, x, tf.constant([1j, 1j], tf.complex64))


@case
def string_seed(tf):
    x, _ = xy(tf)
    return tf.gradients(x * x, x, tf.constant(["a", "b"]))


@case
def seed_of_integers_for_integers(tf):
    n = tf.constant([1, 2])
    return tf.gradients(n * n, n, tf.constant([True, False]))


@case
def complex_without_seed(tf):
    z = tf.constant([1j])
    return tf.gradients(z * z, z)


@case
def string_ys(tf):
    x, _ = xy(tf)
    return tf.gradients(tf.as_string(x), x)


@case
def boolean_ys(tf):
    x, _ = xy(tf)
    return tf.gradients(x > 1.0, x)


@case
def resource_seed(tf):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    return tf.gradients(v.handle, v, tf.constant(1.0))


@case
def unknown_method(tf):
    x, y = xy(tf)
    return tf.gradients([x * y, x], x, aggregation_method=7)


@case
def unknown_unconnected(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, x, unconnected_gradients="both")


@case
def none_for_ys(tf):
    return tf.gradients(None, xy(tf)[0])


@case
def none_for_xs(tf):
    return tf.gradients(xy(tf)[0], None)


@case
def none_among_xs(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, [x, None])


@case
def nested_xs(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, [x, [x, y]]) + tf.gradients(x * y, [[x], [y]])


@case
def dict_for_xs(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, {"x": x})


@case
def op_for_xs(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, x.op)


@case
def name_for_xs(tf):
    x, y = xy(tf)
    return tf.gradients(x * y, "x:0")


@case
def another_graph(tf):
    x, y = xy(tf)
    with tf.Graph().as_default():
        z = tf.constant(1.0)
    return tf.gradients(x * y, [z])


@case
def another_graphs_seed(tf):
    x, y = xy(tf)
    with tf.Graph().as_default():
        z = tf.constant([1.0, 2.0])
    return tf.gradients(x * y, [x], z)


@case
def no_gradient_of_bitcast(tf):
    x, _ = xy(tf)
    return tf.gradients(tf.bitcast(x, tf.float32), x)


@case
def registered_for_a_number(tf):
    tf.RegisterGradient(3)


@case
def not_differentiable_number(tf):
    tf.NotDifferentiable(3)


def with_rule(tf, rule):
    name = "Rule-%d" % np.random.RandomState().randint(1 << 30)
    tf.RegisterGradient(name)(rule)
    x, y = xy(tf)
    with tf.get_default_graph().gradient_override_map({"Mul": name}):
        z = tf.multiply(x, y, name="product")
    return tf.gradients(z, [x, y])


@case
def rule_gives_too_few(tf):
    return with_rule(tf, lambda op, dy: [dy])


@case
def rule_gives_one_bare(tf):
    return with_rule(tf, lambda op, dy: dy)


@case
def rule_gives_another_shape(tf):
    return with_rule(tf, lambda op, dy: [tf.ones([3]), dy])


@case
def rule_gives_another_dtype(tf):
    return with_rule(tf, lambda op, dy: [tf.cast(dy, tf.float64), dy])


@case
def rule_gives_none(tf):
    return with_rule(tf, lambda op, dy: None)


@case
def rule_gives_numbers(tf):
    return with_rule(tf, lambda op, dy: [1.0, 2.0])


@case
def rule_fails(tf):
    return with_rule(tf, lambda op, dy: op.nothing)


@case
def unknown_override(tf):
    x, _ = xy(tf)
    with tf.get_default_graph().gradient_override_map({"Sin": "NobodyHasThisOne"}):
        y = tf.sin(x, name="sine")
    return tf.gradients(y, x)


@case
def int64_slices_of_one_branch(tf):
    """The other branch counts for zeros, all rows numbered in int32."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    rows = tf.constant([2, 0, 2], tf.int64)
    found = []
    for taken in (True, False):
        y = tf.cond(tf.constant(taken), lambda: tf.square(tf.gather(x, rows)), lambda: tf.zeros([3, 2]))
        found.append(tf.gradients(y, x)[0])
    return [part for dx in found for part in (dx.values, dx.indices, dx.dense_shape)]
