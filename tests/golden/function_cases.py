"""Functions of a graph, as built and run under TensorFlow 1.15.5 and here."""

from custom_gradient_cases import message, nodes


def two_outputs(tf, Defun):
    @Defun(tf.float32, tf.float32)
    def Foo(x, y):
        """A product and a sine."""
        return x * y + 2.0, tf.sin(x)

    a, b = tf.constant([1.0, 2.0]), tf.constant(3.0)
    p, q = Foo(a, b)
    return [p, q, *tf.gradients([p], [a, b]), *tf.gradients([p, q], [a])]


def captured(tf, Defun):
    """Tensors from outside, and variables by name, become inputs."""
    w = tf.Variable(2.0, name="w")
    a = tf.constant([1.0, 2.0])

    @Defun(tf.float32, noinline=True)
    def Captures(x):
        halves = tf.split(x, 2)
        v = tf.get_variable("v", [], use_resource=True, initializer=tf.ones_initializer())
        r = tf.get_variable("r", [], initializer=tf.ones_initializer())
        return halves[1] * w + a, v * x, r * 2.0

    with tf.variable_scope("scope"):
        y = Captures(a)
    return [*y, *tf.gradients(y[0] + y[1], [a, w, *tf.global_variables("scope")])[:3]]


def named(tf, Defun):
    @Defun(tf.float32, func_name="Named", out_names=["result"])
    def anything(x):
        return x + 1.0

    x = anything([1.0])
    with tf.name_scope("my"):
        return [x, anything(x), anything(x, name="call")]


def overloaded(tf, Defun):
    @Defun(func_name="Spec")
    def G(x, dy):
        return x * dy

    @Defun(grad_func=G)
    def F(x):
        return tf.exp(x) - tf.exp(-x)

    x, z = tf.constant(0.25), tf.constant(0.5, tf.float64)
    return [F(x), *tf.gradients(F(x), x), *tf.gradients(F(z), z)]


def gradient_in_python(tf, Defun):
    def gradient(op, dy):
        return op.inputs[0] * dy / 2.0

    @Defun(tf.float32, python_grad_func=gradient)
    def Doubled(x):
        return x * 2.0

    x = tf.constant(100.0)
    return [Doubled(x), *tf.gradients(Doubled(x), x)]


def nested(tf, Defun):
    b = tf.constant([2.0])

    @Defun(tf.float32)
    def Outer(x):
        @Defun(tf.float32)
        def Inner(y):
            return y * y + b

        return Inner(Inner(x))

    x = tf.constant([3.0])
    return [Outer(x), *tf.gradients(Outer(x), [x, b])]


def gradient_inside(tf, Defun):
    """Gradients in a body by tensors outside, directly captured or not."""
    w = tf.Variable(2.0, name="w")
    h = tf.sin(w) * 3.0

    @Defun(tf.float32)
    def Outer(x):
        @Defun(tf.float32)
        def Inner(z):
            return tf.gradients(x * h * z, [x, w, z])

        return Inner(x)

    @Defun(tf.float32)
    def Direct(x):
        return tf.gradients(x * w * w, [x, w])

    return [*Outer(3.0), *Direct(2.0)]


def integers(tf, Defun):
    @Defun(tf.int32, tf.float32)
    def Row(i, x):
        return x[i], i + 1

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    row, _ = Row(1, x)
    return [row, *tf.gradients(row, x)]


def by_value(tf, Defun):
    w = tf.constant([[1.0, 2.0]]) + 1.0

    @Defun(tf.float32, capture_by_value=True)
    def Product(x):
        return tf.matmul(w, x)

    return [Product([[3.0], [4.0]])]


def with_strings(tf, Defun):
    """A hash over string tensors, lists and devices."""

    @Defun(tf.string)
    def Joined(s):
        with tf.device("/cpu:0"):
            words = tf.constant(["a", "bc", ""])
        return tf.string_join([s, words], separator="-"), tf.transpose(tf.zeros([2, 3]))

    return list(Joined("x"))


def nothing_in(tf, Defun):
    @Defun()
    def Constant():
        return tf.constant([42, 3, 5])

    return [Constant()]


def controlled(tf, Defun):
    @Defun(tf.float32)
    def Checked(x):
        with tf.control_dependencies([tf.no_op(name="first")]):
            y = tf.identity(x, name="y")
        return y, x

    return list(Checked(3.0))


CASES = [
    two_outputs, captured, named, overloaded, gradient_in_python, nested, gradient_inside, integers, by_value, with_strings,
    nothing_in, controlled,
]  # fmt: skip


def wrong_type(tf, Defun):
    Defun(tf.float32, func_name="F")(lambda x: x + 1.0)(tf.constant(1))


def too_many(tf, Defun):
    Defun(tf.float32, func_name="F")(lambda x: x + 1.0)(1.0, 2.0)


def returns_none(tf, Defun):
    Defun(tf.float32, func_name="F")(lambda x: (x, None))(1.0)


def no_name(tf, Defun):
    def F(x):
        return x

    F.__name__ = "no name"
    Defun(tf.float32, func_name="no name")(F)(1.0)


def two_gradients(tf, Defun):
    G = Defun(tf.float32, tf.float32, func_name="G")(lambda x, dy: dy)
    F = Defun(tf.float32, func_name="F", grad_func=G, python_grad_func=lambda op, dy: dy)
    F(lambda x: x)(1.0)


def too_many_names(tf, Defun):
    Defun(tf.float32, func_name="F", out_names=["a", "b"])(lambda x: x)(1.0)


def same_name(tf, Defun):
    Defun(tf.float32, func_name="F")(lambda x: x + 1.0)(1.0)
    Defun(tf.float32, func_name="F")(lambda x: x + 2.0)(1.0)


def stateful_by_value(tf, Defun):
    r = tf.random_uniform([2], name="r")
    Defun(func_name="F", capture_by_value=True)(lambda: r)()


def gradient_of_wrong_number(tf, Defun):
    G = Defun(tf.float32, tf.float32, func_name="G")(lambda x, dy: (x, dy))
    x = tf.constant(1.0)
    dx = tf.gradients(Defun(tf.float32, func_name="F", grad_func=G)(lambda x: x)(x), x)
    with tf.Session() as sess:
        sess.run(dx)


ERRORS = [
    wrong_type, too_many, returns_none, no_name, two_gradients, too_many_names, same_name, stateful_by_value,
    gradient_of_wrong_number,
]  # fmt: skip


def error(tf, Defun, case):
    """The class of an error and its first line."""
    kind, text = message(tf, lambda tf: case(tf, Defun))
    return [kind, text.split("\n")[0]]


def attributes(op):
    """What a call or a ``SymbolicGradient`` says of the function."""
    found = {}
    for key in sorted(op.node_def.attr):
        value = op.node_def.attr[key]
        field = value.WhichOneof("value")
        found[key] = value.func.name if field == "func" else str(value.list.type if field == "list" else value)
    return found


def definition(proto):
    """A ``FunctionDef``, plainly."""
    signature = proto.signature
    return {
        "name": signature.name,
        "inputs": [[a.name, a.type] for a in signature.input_arg],
        "outputs": [[a.name, a.type] for a in signature.output_arg],
        "stateful": signature.is_stateful,
        "description": signature.description,
        "nodes": [[n.name, n.op, list(n.input), n.device, sorted(n.attr)] for n in proto.node_def],
        "returns": dict(proto.ret),
        "attrs": sorted(proto.attr),
    }


def built_and_run(tf, Defun, case):
    """Nodes, attributes of the calls, the library, and the values."""
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tensors = case(tf, Defun)
        library = graph.as_graph_def().library
        called = {f.signature.name for f in library.function} | {"SymbolicGradient"}
        sess.run(tf.global_variables_initializer())
        return {
            "nodes": nodes(tf),
            "calls": {op.name: attributes(op) for op in graph.get_operations() if op.type in called},
            "library": sorted((definition(f) for f in library.function), key=lambda d: d["name"]),
            "gradients": sorted([g.function_name, g.gradient_func] for g in library.gradient),
            "values": [plain(v) for v in sess.run(tensors)],
        }


def plain(value):
    value = value.tolist()
    return [v.decode() for v in value] if value and isinstance(value, list) and isinstance(value[0], bytes) else value
