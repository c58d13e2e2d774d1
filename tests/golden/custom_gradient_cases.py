"""Functions with their own gradient, as built and run under TensorFlow 1.15.5 and here."""


def resource_variables(tf):
    """A function that reads a resource variable, called under a scope of resource variables."""
    v = tf.get_variable("v", [], use_resource=True, initializer=tf.constant_initializer(2.0))
    with tf.variable_scope("s", use_resource=True):

        @tf.custom_gradient
        def scaled(x):
            def gradient(dy, variables=None):
                return dy * 2.0, [tf.reduce_sum(dy) for _ in variables]

            return v * x, gradient

        x = tf.constant([1.0, 2.0])
        y = scaled(x)
        return [y, *tf.gradients(y, [x, v])]


def reference_variable(tf):
    r = tf.Variable(4.0, name="r")

    @tf.custom_gradient
    def scaled(x):
        def gradient(dy, **kwargs):
            return dy * 2.0, [tf.reduce_sum(dy) for _ in kwargs["variables"]]

        return r * x, gradient

    x = tf.constant([1.0, 2.0])
    y = scaled(x)
    return [y, *tf.gradients(y, [x, r])]


def own_variable(tf):
    """A function that makes its variable itself."""
    with tf.variable_scope("t", use_resource=True):

        @tf.custom_gradient
        def dot(x):
            h = tf.get_variable("h", [2], initializer=tf.ones_initializer())

            def gradient(dy, variables):
                return dy * h, [dy * x]

            return tf.reduce_sum(h * x), gradient

        x = tf.constant([1.0, 2.0])
        y = dot(x)
        return [y, *tf.gradients(y, [x, *tf.trainable_variables()])]


def nested(tf):
    """One inside another; a dict of results, and a Python number as an argument."""

    @tf.custom_gradient
    def outer(a, b):
        @tf.custom_gradient
        def inner(c):
            return c * 3.0, lambda dc: dc * 5.0

        def gradient(*dys):
            return [dys[0] * 7.0, tf.reduce_sum(dys[1]) * 8.0]

        return {"p": inner(a), "q": a + b}, gradient

    x = tf.constant([1.0, 2.0])
    y = outer(x, 2.0)
    return [y["p"], y["q"], *tf.gradients([y["p"], y["q"]], [x])]


def in_its_own_gradient(tf):
    """The gradient calls the function again: every order has it."""

    @tf.custom_gradient
    def sine(x):
        return tf.sin(x), lambda dy: dy * sine(x + 1.5)

    x = tf.constant([0.5, 1.0])
    y = sine(x)
    (dx,) = tf.gradients(y, x)
    (d2x,) = tf.gradients(dx, x)
    return [y, dx, d2x, *tf.gradients(d2x, x)]


def passed_through(tf):
    with tf.variable_scope("t", use_resource=True):
        x = tf.constant([0.4, 1.6])
        y = tf.grad_pass_through(tf.round)(x)
        return [y, *tf.gradients(y * y, x)]


def recomputed_layers(tf):
    """Layers that are computed again for their gradient, with variables by name."""
    told = []

    def layer(x, is_recomputing=False):
        told.append(is_recomputing)
        w = tf.get_variable("w", [2], initializer=tf.constant_initializer([3.0, 4.0]))
        return tf.square(x * w)

    x = tf.constant([1.0, 2.0])
    with tf.variable_scope("a", use_resource=True):
        y = tf.contrib.layers.recompute_grad(layer)(x)
    with tf.variable_scope("b", use_resource=True):
        z = tf.contrib.layers.recompute_grad(tupleize_grads=True)(layer)(y)
    found = [z, *tf.gradients(z, [x, *tf.trainable_variables()])]
    assert told == [False, False, True, True]
    return found


def overridden_py_func(tf):
    """``py_func`` with a gradient: the override map and a registered name."""

    @tf.RegisterGradient("CubeOfRecording")
    def _cube(op, dy):
        return dy * 3.0 * op.inputs[0] ** 2

    x = tf.constant([1.0, 2.0])
    with tf.get_default_graph().gradient_override_map({"PyFunc": "CubeOfRecording"}):
        y = tf.py_func(lambda v: v**3, [x], tf.float32)
    return [y, *tf.gradients(y, x)]


def reversed_gradient(tf):
    """Gradient reversal by an override of Identity, as domain-adversarial networks write it."""

    @tf.RegisterGradient("ReversedForRecording")
    def _reversed(op, dy):
        return -0.5 * dy

    x = tf.constant([1.0, 2.0])
    with tf.get_default_graph().gradient_override_map({"Identity": "ReversedForRecording"}):
        y = tf.identity(x)
    return [y, *tf.gradients(y * y, x)]


def not_differentiable_op(tf):
    x = tf.constant([1.0, 2.0])
    tf.NotDifferentiable("NothingForRecording")
    with tf.get_default_graph().gradient_override_map({"Square": "NothingForRecording"}):
        y = tf.square(x)
    return [y, *[dx for dx in tf.gradients(y + x, x) if dx is not None]]


def straight_through(tf):
    x = tf.constant([0.2, 0.7, 1.4])
    y = x + tf.keras.backend.stop_gradient(tf.round(x) - x)
    return [y, *tf.gradients(y * y, x)]


CASES = [
    resource_variables, reference_variable, own_variable, nested, in_its_own_gradient, passed_through,
    recomputed_layers,
    overridden_py_func, reversed_gradient, not_differentiable_op, straight_through,
]  # fmt: skip


def keywords(tf):
    return tf.custom_gradient(lambda x: (x, lambda dy: dy))(x=1.0)


def variables_not_taken(tf):
    v = tf.get_variable("v", [], use_resource=True)
    return tf.custom_gradient(lambda x: (x * v, lambda dy: dy))(1.0)


def reference_variable_made(tf):
    def f(x):
        return x * tf.get_variable("v", [], use_resource=False), lambda dy, variables=None: (dy, [])

    return tf.custom_gradient(f)(1.0)


def variable_gradient_missing(tf):
    v = tf.get_variable("v", [], use_resource=True)
    x = tf.constant(1.0)
    y = tf.custom_gradient(lambda x: (x * v, lambda dy, variables=None: (dy, [])))(x)
    return tf.gradients(y, x)


def variables_not_read(tf):
    return tf.custom_gradient(lambda x: (x * 2.0, lambda dy, variables=None: dy))(1.0)


def layer_over_a_tensor(tf):
    x = tf.constant([1.0, 2.0])
    return tf.contrib.layers.recompute_grad(lambda z: z * x)(x)


def layer_twice_in_a_scope(tf):
    layer = tf.contrib.layers.recompute_grad(lambda z: tf.layers.dense(z, 2))
    with tf.variable_scope("layer", use_resource=True):
        x = tf.ones([2, 4])
        y = layer(x) + layer(x)
    return tf.gradients(y, [x, *tf.trainable_variables()])


def wrong_shape(tf):
    x, b = tf.constant([1.0, 2.0]), tf.constant(1.0)
    y = tf.custom_gradient(lambda x, b: (x * b, lambda dy: (dy, dy)))(x, b)
    return tf.gradients(y, [x, b])


ERRORS = [
    keywords, variables_not_taken, reference_variable_made, variable_gradient_missing, variables_not_read,
    layer_over_a_tensor, layer_twice_in_a_scope, wrong_shape,
]  # fmt: skip


def nodes(tf):
    """What the default graph holds; the numbers in the names of gradients count from the first op."""
    return [
        [
            op.name, op.type, [t.name for t in op.inputs], sorted(c.name for c in op.control_inputs),
            [[t.dtype.name, None if t.shape.ndims is None else t.shape.as_list()] for t in op.outputs],
        ]
        for op in tf.get_default_graph().get_operations()
    ]  # fmt: skip


def built_and_run(tf, case):
    """The nodes that a case builds, and its values."""
    with tf.Graph().as_default(), tf.Session() as sess:
        tensors = case(tf)
        built = nodes(tf)
        sess.run(tf.global_variables_initializer())
        return built, [v.tolist() for v in sess.run(tensors)]


def gradient_number(tf):
    """The number in the name that the graph's only override has, counted from the graph's own number."""
    with tf.Graph().as_default() as graph:
        first = int(graph._graph_key.split("-")[-1].rstrip("/"))
        x = tf.constant(1.0) + 2.0
        y = tf.custom_gradient(lambda x: (tf.identity_n([x, x]), lambda *dys: dys[0]))(x)
        name = y[0].op.get_attr("_gradient_op_type").decode()
        return int(name.split("-")[1]) - first


def message(tf, case):
    """The error that a case raises, as its class and message."""
    with tf.Graph().as_default():
        try:
            case(tf)
        except Exception as error:
            return [type(error).__name__, str(error)]
    raise AssertionError(case)
