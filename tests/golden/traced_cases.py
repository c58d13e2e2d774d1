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


def variables_as_arguments(tf, runs):
    v = tf.Variable(3.0, use_resource=True)

    @tf.function
    def added(x, w):
        runs.append(1)
        return x + w

    x = tf.constant(5.0)
    return [added(x, v), *tf.gradients(added(2.0 * x, v), [x, v])]


def collections_from_outside(tf, runs):
    tf.add_to_collection("numbers", 2.0)

    @tf.function
    def scaled(x):
        runs.append(1)
        y = x * tf.get_collection("numbers")[0]
        tf.add_to_collection("numbers", 3.0)
        return y

    y = scaled(tf.constant(5.0))
    assert tf.get_collection("numbers") == [2.0]
    return [y]


def gradients_across_functions(tf, runs):
    x1, x2 = tf.constant(1.0), tf.constant(2.0)
    x3 = tf.multiply(x1, x2)

    @tf.contrib.eager.defun
    def outer():
        runs.append(0)
        twice = tf.identity(x1)

        @tf.contrib.eager.defun
        def inner():
            runs.append(1)
            y = tf.identity(x3)
            ys = [tf.identity(twice), tf.identity(x2), y, x1]
            return tf.gradients(ys, [x1, x2]) + tf.gradients(y, [x1, x3]) + tf.gradients(x1, x1)

        return inner()

    return outer()


def handles_as_results(tf, runs):
    v = tf.Variable([[1.0, 2.0]], use_resource=True, name="v")
    elements = tf.raw_ops.TensorListFromTensor(tensor=tf.ones([2, 3]), element_shape=[3])

    @tf.function
    def given(more):
        runs.append(0)
        return v.handle, tf.identity(elements), tf.identity(more)

    handle, captured, more = given(elements)
    read = tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
    found = [
        tf.raw_ops.TensorListPopBack(input_handle=x, element_shape=-1, element_dtype=tf.float32)[1]
        for x in (captured, more)
    ]
    return [tf.constant(read.shape.as_list()), read, *found, tf.constant(found[0].shape.as_list())]


def wrapped_containers(tf, runs):
    @tf.function
    def f(x):
        runs.append(0)
        return sum(x.values()) if isinstance(x, dict) else sum(x)

    module = tf.Module()
    one = tf.constant(1.0)
    module.list, module.dict = [one], {"a": one}
    return [f([one]), f(module.list), f({"a": one}), f(module.dict)]


CASES = (
    once_per_kind, orders, variable_of_the_first_call, layer_of_the_first_call, initial_value_of_ops, named_variables,
    functions_in_functions, arguments_of_python, signature, composite_values, rows_of_a_table, drawn_numbers, nothing,
    methods,
    variables_as_arguments, collections_from_outside, gradients_across_functions, handles_as_results,
    wrapped_containers,
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


def concrete(function, *args, **kwargs):
    """What is known of a function for arguments of one kind; numbers that run through the program are left out."""
    made = function.get_concrete_function(*args, **kwargs)
    told = made.structured_input_signature, made.structured_outputs
    return [[x.op.name for x in made.inputs], [y.name for y in made.outputs], *map(str, told)]


def arguments_behind_the_named_ones(tf, spec):
    return concrete(tf.function(lambda x, *more: x + more[1]), spec([]), spec([]), spec([]))


def signature_of_numbered_arguments(tf, spec):
    return concrete(tf.function(lambda *a: a[0] + a[1], input_signature=[spec([]), spec([])]))


def nested_arguments(tf, spec):
    given = [spec([]), {"q": spec([2])}]
    return concrete(tf.function(lambda x: {"sum": x[0] + x[1]["q"], "rest": (x[0], None)}), given)


def names_of_specs(tf, spec):
    f = tf.function(lambda x: x)
    return [concrete(f, s) for s in (spec([2], name="y"), spec([2]), spec([2], name="q"))]


def captured_variables(tf, spec):
    v, w = tf.Variable(1.0), tf.Variable([1.0, 2.0])
    return concrete(tf.function(lambda x: x * v + w * v), spec([]))


def call_with_another_dtype(tf, spec):
    try:
        tf.function(lambda x: x).get_concrete_function(spec([2]))(tf.ones([2], tf.int32))
    except tf.errors.InvalidArgumentError as error:
        return str(error).split("\n")[0].split(" as input ")[1].split(" [Op:")[0]


CONCRETE = (
    arguments_behind_the_named_ones, signature_of_numbered_arguments, nested_arguments, names_of_specs,
    captured_variables, call_with_another_dtype,
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
