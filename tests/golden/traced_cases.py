"""Calls of ``tf.function`` and ``defun`` in graphs, as built and run under TensorFlow 1.15.5 and here.

Each case gets a list and adds to it whenever the Python body of a function runs.
"""


def once_per_kind(tf, runs):
    @tf.function
    def f(x):
        runs.append(0)
        return x * x + 1.0

    a = tf.constant([[1.0, 2.0]])
    return [f(a), f(a), f(tf.ones([3]))]


def orders(tf, runs):
    @tf.function
    def f(x, y):
        runs.append(0)
        return tf.sin(x) * y, tf.exp(y)

    x, y = tf.constant([1.0, 2.0]), tf.constant(0.5)
    p, q = f(x, y)
    dx, dy = tf.gradients([p, q], [x, y])
    return [p, q, dx, dy, *tf.gradients(dx, [x, y])]


def variable_of_the_first_call(tf, runs):
    kept = []

    @tf.function
    def f(x):
        runs.append(0)
        if not kept:
            kept.append(tf.Variable(2.0, name="v"))
        kept[0].assign_add(1.0)
        return x * kept[0]

    a = tf.constant(3.0)
    with tf.name_scope("scope"):
        y = f(a)
    return [y, *tf.gradients(y, [a, kept[0]])]


def layer_of_the_first_call(tf, runs):
    kept = []

    @tf.function
    def f(x):
        runs.append(0)
        if not kept:
            kept.append(tf.keras.layers.Dense(2, name="dense", kernel_initializer="ones"))
        return kept[0](x)

    return [f(tf.ones([4, 3])), f(tf.ones([4, 3]))]


def initial_value_of_ops(tf, runs):
    kept = []

    @tf.function
    def f(x):
        runs.append(0)
        if not kept:
            kept.append(tf.Variable(tf.fill([2], 3.0) * 2.0))
        return x + kept[0]

    with tf.name_scope("scope"):
        return [f(tf.constant(1.0))]


def named_variables(tf, runs):
    @tf.contrib.eager.defun
    def f(x):
        runs.append(0)
        return x * tf.get_variable("w", [2], initializer=tf.ones_initializer()) * tf.Variable(3.0)

    with tf.variable_scope("s"):
        first = f(tf.ones([2]))
    with tf.variable_scope("s", reuse=True):
        return [first, f(tf.ones([2]))]


def functions_in_functions(tf, runs):
    v, r = tf.Variable(2.0, use_resource=True, name="v"), tf.Variable(3.0, name="r")

    @tf.function
    def inner(x):
        runs.append(0)
        return x * v * r

    @tf.function
    def outer(x):
        runs.append(0)
        return inner(x) + inner(x * 2.0)

    with tf.name_scope("scope"):
        y = outer(tf.constant(3.0))
    return [y, *tf.gradients(y, [v, r])]


def arguments_of_python(tf, runs):
    @tf.function
    def f(x, k=2):
        runs.append(0)
        return {"a": x * k, "b": [x + 1, None, 3]}

    results = [f(tf.constant(3.0)), f(tf.constant(3.0), k=2), f(tf.constant(4.0), 3), f(tf.constant(4.0), 3.0)]
    results += [f(5.0, 3.0), f(6.0, 3.0)]
    return [t for r in results for t in (r["a"], r["b"][0], r["b"][2])]


def signature(tf, runs):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        runs.append(0)
        return x * 2.0

    return [f([1.0, 2.0]), f(tf.ones([3])), f.get_concrete_function()(tf.ones([2]))]


def composite_values(tf, runs):
    @tf.function
    def f(x, s):
        runs.append(0)
        return tf.IndexedSlices(x * 2.0, tf.constant([1])), tf.sparse.reorder(s)

    slices, sparse = f(tf.ones([1, 2]), tf.SparseTensor([[1], [0]], [1.0, 2.0], [3]))
    return [slices.values, slices.indices, sparse.values, sparse.dense_shape]


def rows_of_a_table(tf, runs):
    table = tf.Variable([[1.0], [2.0], [3.0]], use_resource=True, name="table")

    @tf.function
    def f(ids):
        runs.append(0)
        return tf.gather(table, ids) * 2.0

    y = f(tf.constant([1, 1, 2]))
    (slices,) = tf.gradients(y, [table])
    return [y, slices.values, slices.indices]


def drawn_numbers(tf, runs):
    tf.set_random_seed(3)

    @tf.function
    def f(x):
        runs.append(0)
        return tf.random.uniform([2]) * x

    x = tf.constant(3.0)
    return [f(x), f(x), f(tf.constant([1.0, 2.0]))]


def nothing(tf, runs):
    v = tf.Variable(1.0, use_resource=True, name="v")

    @tf.function
    def f():
        runs.append(0)
        v.assign_add(1.0)

    with tf.control_dependencies([f(), f()]):
        return [v.read_value()]


def methods(tf, runs):
    class Scale:
        factor = None

        @tf.function
        def times(self, x):
            runs.append(0)
            if self.factor is None:
                self.factor = tf.Variable(2.0, name="factor")
            return self.factor * x

    one, other = Scale(), Scale()
    return [one.times(tf.constant(1.0)), one.times(tf.constant(2.0)), other.times(tf.constant(3.0))]


CASES = (
    once_per_kind, orders, variable_of_the_first_call, layer_of_the_first_call, initial_value_of_ops, named_variables,
    functions_in_functions, arguments_of_python, signature, composite_values, rows_of_a_table, drawn_numbers, nothing,
    methods,
)  # fmt: skip


def variable_in_every_call(tf, runs):
    @tf.function(autograph=False)
    def f(x):
        return x + tf.Variable(1.0)

    f(tf.constant(1.0))


def variable_in_a_later_call(tf, runs):
    @tf.function(autograph=False)
    def f(x, makes):
        return x + (tf.Variable(1.0) if makes else 1.0)

    f(tf.constant(1.0), False)
    f(tf.constant(1.0), True)


def variable_by_name(tf, runs):
    @tf.function(autograph=False)
    def f(x):
        return x * tf.get_variable("w", [])

    f(tf.constant(1.0))


def variable_that_begins_with_an_argument(tf, runs):
    kept = []

    @tf.function(autograph=False)
    def f(x):
        if not kept:
            kept.append(tf.Variable(x * 2.0))
        return kept[0] * x

    f(tf.constant(1.0))


def object_as_result(tf, runs):
    @tf.function(autograph=False)
    def f():
        return object()

    f()


def op_as_result(tf, runs):
    @tf.function(autograph=False)
    def f():
        return tf.no_op()

    f()


ERRORS = (
    variable_in_every_call, variable_in_a_later_call, variable_by_name, variable_that_begins_with_an_argument,
    object_as_result, op_as_result,
)  # fmt: skip


def built_and_run(tf, case):
    """The nodes, how often functions ran, the collections, and the values.

    What a derivative reads of a call is left out: how many further outputs that gets, and in which order; and whether
    it asks for the shape of a variable.
    """
    with tf.Graph().as_default() as graph, tf.Session() as session:
        runs = []
        tensors = case(tf, runs)
        names = [t.name.replace("_grad/Stateful", "_grad/") for t in tensors]
        session.run(tf.global_variables_initializer())
        return {
            "nodes": [node(op) for op in graph.get_operations()],
            "results": names,
            "runs": len(runs),
            "collections": {
                key: [v.name for v in tf.get_collection(key)] for key in ("variables", "trainable_variables")
            },
            "values": [value.tolist() for value in session.run(tensors)],
        }


def node(op):
    if op.type.endswith("PartitionedCall") and "_grad/" in op.name:
        return [op.name.rpartition("/")[0]]
    return [op.name, op.type, [t.name for t in op.inputs], sorted(x.name for x in op.control_inputs)]


def message(tf, case):
    """The class and the first line of the error."""
    with tf.Graph().as_default():
        try:
            case(tf, [])
        except Exception as error:
            return [type(error).__name__, str(error).split("\n")[0].split(" in compilation of ")[0].split(" Originally")[0]]
