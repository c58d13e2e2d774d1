"""Runs: what is executed, in which order, and what is kept."""

from __future__ import annotations

import threading
from collections import UserDict, defaultdict

import numpy as np
import pytest

from retrograd import tf


def test_an_op_that_only_has_to_be_run_is_run() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None])
        with tf.control_dependencies([tf.check_numerics(x, "x")]):
            y = tf.identity(x * 2.0)
        for _ in range(6):  # the general plan, and the one specialised for the shapes
            assert sess.run(y, {x: [1.0]}).tolist() == [2.0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="x : Tensor had NaN values"):
            sess.run(y, {x: [np.nan]})


def test_shapes_of_feeds_may_change_from_run_to_run() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 2])
        w = tf.Variable([[1.0], [2.0]])
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
        gradient = tf.gradients(loss, w)[0]
        sess.run(w.initializer)
        for n in (1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 2):
            fed = np.arange(2.0 * n).reshape(n, 2)
            want = 2 * fed.T @ (fed @ [[1.0], [2.0]]) / n
            np.testing.assert_allclose(sess.run(gradient, {x: fed}), want, rtol=1e-5)


def test_shape_that_depends_on_data_is_never_taken_for_constant() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [4])
        count = tf.shape(tf.boolean_mask(x, x > 0.0))[0]
        for fed, want in [([1, 1, 1, 1], 4), ([1, -1, 1, 1], 3), ([-1, -1, -1, 1], 1)] * 4:
            assert sess.run(count, {x: fed}) == want


def test_fetch_structures() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        a, b = tf.constant(1.0, name="a"), tf.constant([2.0, 3.0], name="b")
        got = sess.run({"x": a, "y": [b, (a, "b:0")], "z": a.op})
        assert got["x"] == 1.0
        assert got["y"][0].tolist() == [2.0, 3.0]
        assert isinstance(got["y"][1], tuple)
        assert got["z"] is None
        assert sess.run([]) == []
        assert isinstance(sess.run(a), np.float32)


def test_structures_that_are_made_empty_are_filled() -> None:
    class Rows(list[tf.Tensor]):
        pass

    with tf.Graph().as_default(), tf.Session() as sess:
        wanted = defaultdict(list, a=tf.constant(1))
        got = sess.run({"d": wanted, "u": UserDict(b=tf.constant(2)), "r": Rows([tf.constant(3)])})
    assert type(got["d"]) is defaultdict
    assert (got["d"], got["d"].default_factory) == ({"a": 1}, None)
    assert (type(got["u"]), got["u"].data) == (UserDict, {"b": 2})
    assert (type(got["r"]), got["r"]) == (list, [3])


def test_fetched_arrays_are_the_users_own() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable([1.0, 2.0])
        c = tf.constant([1.0, 2.0])
        sess.run(v.initializer)
        for tensor in (v, c, tf.identity(c)):
            sess.run(tensor)[:] = 9.0
            assert sess.run(tensor).tolist() == [1.0, 2.0]


def test_make_callable() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [])
        double = sess.make_callable(x * 2.0, [x])
        assert double(3.0) == 6.0


def test_any_tensor_can_be_fed() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        c = tf.constant(1.0)
        y = tf.square(c + 1.0, name="y")
        assert sess.run([c, y], {c: 4.0}) == [4.0, 25.0]
        assert sess.run(y, {"add:0": 3.0}) == 9.0
        assert sess.run(y, {y: 7.0}) == 7.0


def test_threads_share_a_session() -> None:
    with tf.Graph().as_default() as graph:
        v = tf.Variable(0)
        step = v.assign_add(1)
        init = v.initializer
    with tf.Session(graph=graph) as sess:
        sess.run(init)
        threads = [threading.Thread(target=lambda: [sess.run(step) for _ in range(200)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sess.run(v) == 800


def test_two_sessions_have_their_own_variables() -> None:
    with tf.Graph().as_default() as graph:
        v = tf.Variable(1.0)
        with tf.Session(graph=graph) as one, tf.Session(graph=graph) as other:
            one.run(v.initializer)
            other.run(v.initializer)
            one.run(v.assign(5.0))
            assert (one.run(v), other.run(v)) == (5.0, 1.0)


def test_names_may_be_bytes() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        a = tf.constant(1.0, name=b"a")
        assert a.name == "a:0"
        assert sess.run(b"a:0") == 1.0
        assert sess.run("a:0", {b"a:0": 2.0}) == 2.0


def test_tuples_of_feeds() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        a, b, c = (tf.placeholder(tf.float32, [], name) for name in "abc")
        total = a + 10.0 * b + 100.0 * c
        for _ in range(2):
            assert sess.run(total, {(a, (b,)): (1, [2]), c: 3}) == 321
        with pytest.raises(ValueError, match="Key had 2 elements, but value had 1 elements"):
            sess.run(total, {(a, b): (1,), c: 3})


def test_sparse_placeholder_of_known_shape_is_fed_without_it() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.sparse_placeholder(tf.float32, [3, 4])
        got = sess.run(x, {x: ([[1, 2]], [5.0])})
        assert got.indices.tolist() == [[1, 2]]
        assert got.dense_shape.tolist() == [3, 4]
        assert sess.run(x, {x: tf.SparseTensorValue([[1, 2]], [5.0], [6, 6])}).dense_shape.tolist() == [6, 6]


class Squared:
    def __init__(self, x: object) -> None:
        self.square = tf.square(x)


def test_types_of_the_users_own_are_fetched_and_fed() -> None:
    from retrograd.run.conversions import _conversions, register_session_run_conversion_functions

    kept = _conversions.copy()
    try:
        register_session_run_conversion_functions(
            Squared,
            lambda s: ([s.square], lambda values: values[0]),
            lambda s, v: [(s.square, v)],
            lambda s: [s.square],
        )
        for kind in (Squared, object, tf.SparseTensor):
            with pytest.raises(ValueError, match=r"has already been registered so ignore it\."):
                register_session_run_conversion_functions(kind, lambda s: ([], list))
        with tf.Graph().as_default(), tf.Session() as sess:
            x = Squared([2.0, 3.0])
            assert sess.run({"x": x})["x"].tolist() == [4.0, 9.0]
            assert sess.run(x, {x: [1.0, 2.0]}).tolist() == [1.0, 2.0]
            x.square = tf.constant(7.0)
            assert sess.run({"x": x}) == {"x": 7.0}
            handle = sess.partial_run_setup(x, [x])
            assert sess.partial_run(handle, x, {x: 8.0}) == 8.0
            register_session_run_conversion_functions(tf.Tensor, lambda t: ([t.op.outputs[0]], lambda values: values))
            with pytest.raises(TypeError, match="registered without a feed_function"):
                sess.run("Square:0", {x.square: 1.0, "Square:0": 2.0})
    finally:
        _conversions[:] = kept


@pytest.mark.parametrize(
    ("dtype", "value"),
    [("string", 1), ("string", True), ("float32", 2**24 + 1), ("float16", 70000), ("bool", 2), ("int32", 2**40),
     ("uint8", -1)],
)  # fmt: skip
def test_integer_that_the_dtype_cannot_hold_is_not_fed(dtype: str, value: int) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(dtype)
        words = rf"Type of feed value {value} with type <class '\w+'> is not compatible with Tensor type <class "
        with pytest.raises(TypeError, match=words):
            sess.run(x, {x: value})


@pytest.mark.parametrize(
    ("dtype", "value"), [("float32", 2**24), ("float16", 2048), ("bool", 1), ("int32", True), ("int64", 2**40)]
)
def test_integer_that_the_dtype_holds_is_fed(dtype: str, value: int) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(dtype)
        assert sess.run(x, {x: value}) == value


def test_sessions_are_entered_once() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        with pytest.raises(RuntimeError, match="Session context managers are not re-entrant"), sess:
            pass
        assert sess.run(tf.constant(1.0)) == 1.0


def test_interactive_sessions_close_in_any_order_and_warn() -> None:
    with tf.Graph().as_default() as graph:
        one = tf.InteractiveSession(graph=graph)
        with pytest.warns(UserWarning, match=r"An interactive session is already active\."):
            other = tf.InteractiveSession(graph=graph)
        one.close()
        one.close()
        assert tf.get_default_session() is other
        other.close()
        assert tf.get_default_session() is None
        tf.InteractiveSession(graph=graph).close()


@pytest.mark.parametrize("is_loop", [False, True])
def test_closing_a_session_cancels_the_runs_of_other_threads(is_loop: bool) -> None:
    begun, closed = threading.Event(), threading.Event()
    caught: list[Exception] = []

    def body(n: np.ndarray) -> np.ndarray:
        begun.set()
        assert closed.wait(30)
        return n

    def step(n: tf.Tensor) -> tf.Tensor:
        return tf.reshape(tf.py_func(body, [n], tf.int32), [])

    with tf.Graph().as_default():
        first = tf.constant(1)
        y = tf.while_loop(lambda n: n > 0, step, [first]) if is_loop else step(first)
        session = tf.Session()

        def run() -> None:
            try:
                session.run(y)
            except tf.errors.CancelledError as error:
                caught.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        assert begun.wait(30)
        session.close()
        closed.set()
        thread.join(30)
    words = r"[_Derived_]Loop execution was cancelled." if is_loop else "Run call was cancelled"
    assert [str(error).startswith(words) for error in caught] == [True]


def test_there_is_no_server_to_name() -> None:
    with pytest.raises(tf.errors.NotFoundError, match="No session factory registered for the given session options"):
        tf.Session("grpc://localhost:2222")


def test_sessions_follow_their_config() -> None:
    config = tf.ConfigProto(device_count={"CPU": 2}, graph_options=tf.GraphOptions(infer_shapes=True))
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        tf.constant([1.0])
        assert "_output_shapes" in sess.graph_def.node[0].attr
        names = [device.name for device in sess.list_devices()]
        assert names == [f"/job:localhost/replica:0/task:0/device:CPU:{i}" for i in range(2)]


def test_a_traced_run_tells_what_ran() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None], "x")
        y = tf.reduce_sum(tf.multiply(x, 2.0, "double"), name="y")
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
        metadata = tf.RunMetadata()
        for n in (1, 3, 3, 3, 3, 3):  # the general plan, and the one specialised for the shapes
            assert sess.run(y, {x: [1.0] * n}, options, metadata) == 2.0 * n
            (device,) = metadata.step_stats.dev_stats
            rows = {stats.node_name: stats for stats in device.node_stats}
            assert list(rows) == ["double", "y"]
            assert rows["double"].timeline_label == "double = Mul(x, double/y)"
            assert rows["double"].output[0].tensor_description.shape.dim[0].size == n
            assert rows["double"].all_start_micros <= rows["y"].all_start_micros
            assert {"double", "y"} <= {node.name for node in metadata.partition_graphs[0].node}
        sess.run(y, {x: [1.0]}, run_metadata=metadata)
        assert not metadata.step_stats.dev_stats
        assert not metadata.partition_graphs
        run = sess.make_callable(y, [x], accept_options=True)
        assert run([1.0], options=options, run_metadata=metadata) == 2.0
        assert metadata.step_stats.dev_stats
        with pytest.raises(TypeError, match=r"options must be a tf\.RunOptions"):
            sess.run(y, {x: [1.0]}, options=3)
        with pytest.raises(TypeError, match=r"run_metadata must be a tf\.RunMetadata"):
            sess.run(y, {x: [1.0]}, run_metadata={})


def test_run_in_parts() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        a, b, c = (tf.placeholder(tf.float32, [], name) for name in "abc")
        noise = tf.random_uniform([])
        x = tf.add(a + b, noise, name="x")
        y = tf.multiply(x - noise, c, name="y")
        first, second = (sess.partial_run_setup([x, y], [a, b, c]) for _ in range(2))
        one = sess.partial_run(first, x, {a: 1, b: 2})
        assert 3.0 <= one < 4.0
        assert sess.partial_run(second, x, {a: 10, b: 2}) >= 12.0
        assert sess.partial_run(first, [], {c: 5}) == []
        np.testing.assert_allclose(sess.partial_run(first, {"y": y})["y"], 15.0, rtol=1e-5)  # the same noise as before
        with pytest.raises(tf.errors.InvalidArgumentError, match="Must run 'setup' before performing partial runs"):
            sess.partial_run(first, y)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"The fetch x:0 has already been fetched\.$"):
            sess.partial_run(second, x)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"The feed a:0 has already been fed\.$"):
            sess.partial_run(second, [], {a: 1})


def test_parts_of_a_run_write_once() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        a, b = tf.placeholder(tf.float32, [], "a"), tf.placeholder(tf.float32, [], "b")
        v = tf.Variable(0.0)
        sess.run(v.initializer)
        added = tf.identity(v.assign_add(a))
        checked = tf.check_numerics(b, "b")
        handle = sess.partial_run_setup([added, checked], [a, b])
        assert sess.partial_run(handle, added, {a: 1.0}) == 1.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="Tensor had NaN"):
            sess.partial_run(handle, checked, {b: np.nan})
        assert sess.partial_run(handle, checked, {b: 2.0}) == 2.0
        assert sess.run(v) == 1.0


def test_parts_of_a_run_that_cannot_be() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        a, b = tf.placeholder(tf.float32, [], "a"), tf.placeholder(tf.float32, [], "b")
        x, y = tf.identity(a, "x"), tf.add(a, b, name="y")

        def refuses(words: str, fetches: object, feeds: object, error: type = tf.errors.InvalidArgumentError) -> None:
            with pytest.raises(error, match=words):
                sess.partial_run(sess.partial_run_setup(x, [a]), fetches, feeds)

        refuses("The feed b:0 was not specified in partial_run_setup.$", x, {a: 1.0, b: 1.0})
        refuses("The fetch y:0 was not specified in partial_run_setup.$", y, {a: 1.0})
        refuses("Fetch a:0 can't be computed from the feeds that have been fed so far.$", x, {})
        refuses("partial_run.. requires empty target_list", y.op, {a: 1.0}, RuntimeError)
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value for placeholder tensor 'b'"):
            sess.partial_run(sess.partial_run_setup([y], [a]), y, {a: 1.0})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Must specify at least one target"):
            sess.partial_run_setup([], [a])
        with pytest.raises(TypeError, match="Cannot interpret feed_list key as Tensor"):
            sess.partial_run_setup(y, [3.0])
    with tf.Session(graph=tf.Graph()) as sess, pytest.raises(RuntimeError, match="The Session graph is empty"):
        sess.partial_run_setup([])


def test_callables_count_their_arguments() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        add = sess.make_callable(a + b, [a, b])
        assert add(1.0, 2.0) == 3.0
        with pytest.raises(TypeError, match="expected 2 values to feed, got 1"):
            add(1.0)
        with pytest.raises(TypeError, match="made with accept_options"):
            add(1.0, 2.0, run_metadata=tf.RunMetadata())


def test_a_function_that_chooses_devices_sees_shapes() -> None:
    """TensorFlow 1.15.5 shows it these ops, in this order."""
    seen: list[tuple[str, list[list[int]]]] = []

    def place(op: tf.Operation) -> str:
        seen.append((op.type, [y.shape.as_list() for y in op.outputs]))
        return "/cpu:0"

    with tf.Graph().as_default(), tf.device(place):
        v = tf.get_variable("v", [2, 3], initializer=tf.zeros_initializer())
        tf.split(tf.matmul(tf.constant([[1.0, 2.0]]), v), 3, axis=1)
    assert seen == [
        ("VariableV2", [[2, 3]]), ("Const", [[1, 2]]), ("MatMul", [[1, 3]]), ("Const", [[]]), ("Const", [[]]),
        ("Split", [[1, 1]] * 3),
    ]  # fmt: skip


def test_a_device_is_a_name() -> None:
    with tf.Graph().as_default(), tf.Session() as sess, tf.device("/gpu:0"):
        a = tf.constant(1.0)
        assert a.device == "/device:GPU:0"
        assert sess.run(a) == 1.0


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_matrices_of_numpy_are_arrays():
    m = np.matrix([[1.0, 2.0], [3.0, 4.0]])
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float64, [2, 2])
        results = session.run([tf.constant(m), tf.constant(m) * tf.constant(m), x * x, x], {x: m})
    assert all(type(result) is np.ndarray for result in results)
    assert results[1].tolist() == results[2].tolist() == [[1, 4], [9, 16]]


def test_two_loops_of_one_frame_name_are_two() -> None:
    with tf.Graph().as_default() as graph:
        n = tf.placeholder(tf.int32, [], name="n")
        i = tf.while_loop(lambda i: i < n, lambda i: i + 2, [tf.constant(0)], name="w")
        tf.identity(i, name="out")
    with tf.Graph().as_default(), tf.Session() as sess:
        both = [
            tf.import_graph_def(graph.as_graph_def(), {"n:0": m}, ["out:0"])[0]
            for m in (tf.constant(3), tf.constant(8))
        ]
        assert sess.run(both) == [4, 8]


def test_a_session_can_say_where_ops_run(capsys: pytest.CaptureFixture[str]) -> None:
    config = tf.ConfigProto(log_device_placement=True)
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        c = tf.Variable(2.0, name="v") + tf.constant(1.0, name="a")
        sess.run(tf.global_variables_initializer())
        cpu = "/job:localhost/replica:0/task:0/device:CPU:0"
        ops = [
            ("v", "VariableV2"), ("v/Assign", "Assign"), ("v/read", "Identity"), ("add", "AddV2"), ("init", "NoOp"),
            ("v/initial_value", "Const"), ("a", "Const"),
        ]  # fmt: skip
        lines = [f"{name}: ({kind}): {cpu}" for name, kind in ops]
        assert capsys.readouterr().out.splitlines() == ["Device mapping: no known devices.", *lines]
        sess.run(c)
        assert capsys.readouterr().out == ""
