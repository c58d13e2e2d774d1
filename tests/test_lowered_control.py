"""Branches, loops and arrays as parts of a pure function: the same as what the interpreter does."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np
import pytest
import test_random_loops

from retrograd import tf
from retrograd.ops import dataflow
from retrograd.ops.requirements import all_hold, required
from retrograd.run.lowering import Lowered, NotLowered
from retrograd.run.plan import Plan


@pytest.fixture(autouse=True)
def graph(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("RETROGRAD_JIT", "never")
    with tf.Graph().as_default(), jax.enable_x64(True):
        yield


def lowered(fetches: list[Any], feeds: dict[Any, Any], capacity: int = 8, sess: Any = None) -> tuple[list[Any], str]:
    """What ``fetches`` are in a compiled function, with whether all that is required holds, and what was traced."""
    function, text = compiled(fetches, feeds, capacity, sess)
    return function(feeds), text


def compiled(
    fetches: list[Any], feeds: dict[Any, Any], capacity: int = 8, sess: Any = None
) -> tuple[Callable[[dict[Any, Any]], list[Any]], str]:
    """``fetches`` as a compiled function of such feeds."""
    function = Lowered(Plan(fetches, (), list(feeds)), with_checks=True, capacity=capacity)
    variables = sess.run(tf.global_variables()) if sess else []

    def of_values(values: list[Any], variables: list[Any]) -> list[Any]:
        with required() as conditions:
            results = function(values, variables)
        return [*map(jax.numpy.asarray, results), all_hold(conditions)]

    def of_feeds(feeds: dict[Any, Any]) -> list[Any]:
        return [np.asarray(y) for y in made(arrays(feeds), variables)]

    def arrays(feeds: dict[Any, Any]) -> list[Any]:
        return [np.asarray(v, t.dtype.np) for t, v in feeds.items()]

    traced = jax.jit(of_values).trace(arrays(feeds), variables)
    made = traced.lower().compile({"xla_backend_optimization_level": 0})
    return of_feeds, str(traced.jaxpr)


def check(fetches: list[Any], feeds: dict[Any, Any], sess: Any = None) -> str:
    """``fetches`` are the same in both tiers."""
    (*mine, holds), text = lowered(fetches, feeds, sess=sess)
    the_same(mine, holds, (sess or tf.Session()).run(fetches, feeds))
    return text


def the_same(mine: list[Any], holds: Any, theirs: list[Any]) -> None:
    assert holds
    for a, b in zip(mine, theirs, strict=True):
        assert a.dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)


def derivatives(y: Any, x: Any, orders: int = 2) -> list[Any]:
    results = [y]
    for _ in range(orders):
        y = tf.convert_to_tensor(tf.gradients(tf.reduce_sum(tf.sin(y)), x, unconnected_gradients="zero")[0])
        results.append(y)
    return results


def loop(n: Any, step: Callable[[Any], Any], first: Any) -> Any:
    return tf.while_loop(lambda i, _: i < n, lambda i, s: (i + 1, step(s)), (0, first))[1]


def nested_branches(x: Any) -> Any:
    return tf.cond(x[0] > 0, lambda: tf.cond(x[1] > 0, lambda: tf.sin(x), lambda: tf.exp(x)), lambda: x * x * x)


def choice(x: Any) -> Any:
    return tf.case([(x[0] > 0, lambda: tf.sin(x)), (x[1] > 0, lambda: x * 2.0)], default=lambda: x * x)


def branch_in_loop(x: Any) -> Any:
    return loop(5, lambda s: tf.cond(s[0] > 0.3, lambda: tf.sin(s) * x, lambda: s * s + 0.5), x)


def loop_in_branch(x: Any) -> Any:
    return tf.cond(x[0] > 0, lambda: loop(4, lambda s: tf.sin(s) * x, x), lambda: x * x)


def passed_on(x: Any) -> Any:
    return tf.cond(x[0] > 0, lambda: x, lambda: x * 2.0) * tf.cond(
        x[1] > 0, lambda: tf.constant(1.5, x.dtype), lambda: x[2]
    )


AT = [[0.4, 0.8, -0.3], [0.4, -0.7, 0.9], [-0.5, 0.6, 1.1], [-0.5, -0.6, 0.2]]


@pytest.mark.parametrize("build", [nested_branches, choice, branch_in_loop, loop_in_branch, passed_on])
def test_branches_that_values_choose(build: Callable[[Any], Any]) -> None:
    x = tf.placeholder(tf.float64, [3])
    fetches = derivatives(build(x), x)
    function, text = compiled(fetches, {x: AT[0]})
    assert "cond[" in text
    for at in AT:
        *mine, holds = function({x: at})
        the_same(mine, holds, tf.Session().run(fetches, {x: at}))


def test_ops_of_the_other_branch_do_not_run() -> None:
    x = tf.placeholder(tf.float64, [])
    root = tf.cond(x > 0, lambda: tf.check_numerics(tf.sqrt(x), "root"), lambda: -x)
    check([root], {x: 4.0})
    check([root], {x: -4.0})


def test_what_is_in_the_other_branch_is_required_not_to_be_fetched() -> None:
    x = tf.placeholder(tf.float64, [])
    _, positive = dataflow.switch(x, x > 0)
    function, _ = compiled([positive * 2.0], {x: 4.0})
    assert function({x: 4.0}) == [8.0, True]
    assert not function({x: -4.0})[-1]


def known_count(x: Any) -> Any:
    return loop(5, lambda s: tf.sin(s) * x, x)


def count_by_values(x: Any) -> Any:
    return tf.while_loop(lambda s: tf.reduce_sum(s * s) < 1e3, lambda s: s * 2.0 + tf.sin(s), [x])


def bounded_count(x: Any) -> Any:
    return tf.while_loop(lambda s: tf.reduce_sum(s * s) < 1e3, lambda s: s * 2.0 + x, [x], maximum_iterations=3)


def nested_loops(x: Any) -> Any:
    return loop(3, lambda s: loop(2, lambda z: tf.sin(z) * x + s, s), x)


def inner_count_by_the_outer(x: Any) -> Any:
    def outer(i: Any, s: Any) -> Any:
        return i + 1, loop(i, lambda z: tf.sin(z) * x + s, s)

    return tf.while_loop(lambda i, _: i < 3, outer, (0, x))[1]


def never(x: Any) -> Any:
    return loop(0, lambda s: tf.sin(s) * x, x * 2.0)


def lagged(x: Any) -> Any:
    """Loop variables that change places."""
    return tf.while_loop(lambda i, a, b: i < 4, lambda i, a, b: (i + 1, b, tf.sin(a) + b), (0, x, x * 2.0))[1]


@pytest.mark.parametrize(
    ("build", "form", "orders"),
    [
        (known_count, "scan[", 2), (count_by_values, "while[", 2), (bounded_count, "while[", 2),
        (nested_loops, "scan[", 2), (inner_count_by_the_outer, "while[", 1), (never, "scan[", 2), (lagged, "scan[", 1),
    ],
)  # fmt: skip
def test_loops(build: Callable[[Any], Any], form: str, orders: int) -> None:
    x = tf.placeholder(tf.float64, [3])
    text = check(derivatives(build(x), x, orders), {x: [0.4, 0.9, 0.2]})
    assert form in text
    assert form == "while[" or "while[" not in text


def test_a_count_that_is_fed() -> None:
    x, n = tf.placeholder(tf.float64, [3]), tf.placeholder(tf.int32, [])
    fetches = derivatives(loop(n, lambda s: tf.sin(s) * x, x), x)
    function, text = compiled(fetches, {x: [0.1, 0.5, 0.9], n: 1})
    assert "while[" in text
    for count in (0, 1, 8):
        feeds = {x: [0.1, 0.5, 0.9], n: count}
        *mine, holds = function(feeds)
        the_same(mine, holds, tf.Session().run(fetches, feeds))
    assert not function({x: [0.1, 0.5, 0.9], n: 9})[-1]  # nine do not fit
    assert lowered(fetches[:1], {x: [0.1, 0.5, 0.9], n: 100})[0][-1]  # nothing is kept


def unstacked(x: Any) -> Any:
    """An array read at one counter and written at another."""
    n = tf.shape(x)[0]
    read = tf.TensorArray(x.dtype, n).unstack(x)

    def step(i: Any, s: Any, written: Any) -> Any:
        s = tf.sin(s + read.read(i))
        return i + 1, s, written.write(n - 1 - i, s * s)

    first = (0, tf.zeros_like(x[0]), tf.TensorArray(x.dtype, n))
    return tf.while_loop(lambda i, *_: i < n, step, first)[2].stack()


def by_values(x: Any) -> Any:
    """An array read where values say."""
    array = tf.TensorArray(x.dtype, 4, clear_after_read=False).unstack(x)
    return loop(3, lambda s: tf.sin(s) + array.read(tf.cast(tf.abs(s[0]), tf.int32) % 4), x[0])


def pieces(x: Any) -> Any:
    array = tf.TensorArray(x.dtype, 2, clear_after_read=False).split(tf.sin(x), [2, 2])
    return array.concat() * tf.concat([array.read(1), array.read(0)], 0)


def grown(x: Any) -> Any:
    array = tf.TensorArray(x.dtype, 0, dynamic_size=True, clear_after_read=False).write(0, x[0])

    def step(i: Any, array: Any) -> Any:
        return i + 1, array.write(i, tf.sin(array.read(i - 1)) + array.read(0))

    return tf.while_loop(lambda i, _: i < 4, step, (1, array))[1].stack()


def written_in_branches(x: Any) -> Any:
    def step(i: Any, s: Any, array: Any) -> Any:
        t = tf.sin(s)
        array = tf.cond(t[0] > 0.5, lambda: array.write(i, t * s), lambda: array.write(i, s))
        return i + 1, t, array

    return tf.while_loop(lambda i, *_: i < 4, step, (0, x[0], tf.TensorArray(x.dtype, 4)))[2].stack()


@pytest.mark.parametrize(
    "build",
    [
        unstacked, by_values, pieces, grown, written_in_branches,
        lambda x: tf.map_fn(lambda r: tf.sin(r) * r[0], x), lambda x: tf.scan(lambda s, r: tf.sin(r) * s, x),
        lambda x: tf.foldr(lambda s, r: tf.sin(r) * s, x), lambda x: loop(3, lambda s: s * tf.gather(x, [1, 1]), x[:2]),
    ],
)  # fmt: skip
def test_arrays(build: Callable[[Any], Any]) -> None:
    x = tf.placeholder(tf.float64, [4, 3])
    check(derivatives(build(x), x), {x: np.random.RandomState(0).uniform(0.2, 1.2, (4, 3))})


def test_what_an_array_requires_of_traced_indices() -> None:
    x, i = tf.placeholder(tf.float64, [3]), tf.placeholder(tf.int32, [2])
    read = tf.TensorArray(x.dtype, 3).unstack(x).read(i[0])
    written = tf.TensorArray(x.dtype, 3).write(i[0], x).write(i[1], x).stack()
    check([read, written], {x: [1.0, 2.0, 3.0], i: [2, 0]})
    assert not lowered([read], {x: [1.0, 2.0, 3.0], i: [3, 0]})[0][-1]
    assert not lowered([written], {x: [1.0, 2.0, 3.0], i: [2, 2]})[0][-1]
    assert not lowered([written], {x: [1.0, 2.0, 3.0], i: [2, -1]})[0][-1]


@pytest.mark.parametrize("function", ["cholesky", "matrix_inverse", "solve", "triangular", "least_squares", "eigen"])
def test_what_a_matrix_has_to_be_is_required(function: str) -> None:
    x, b = tf.placeholder(tf.float64, [2, 2]), tf.constant([[1.0], [2.0]], tf.float64)
    y = {
        "cholesky": lambda: tf.cholesky(x),
        "matrix_inverse": lambda: tf.matrix_inverse(x),
        "solve": lambda: tf.matrix_solve(x, b),
        "triangular": lambda: tf.matrix_triangular_solve(x, b),
        "least_squares": lambda: tf.raw_ops.MatrixSolveLs(matrix=x, rhs=b, l2_regularizer=0.0, fast=True),
        "eigen": lambda: tf.self_adjoint_eigvals(x),
    }[function]()
    check([y], {x: [[2.0, 7.0], [1.0, 3.0]]})  # of a symmetric matrix the lower triangle is read
    bad = [[np.nan, 0.0], [1.0, 0.0]] if function == "eigen" else np.zeros((2, 2))
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.Session().run(y, {x: bad})
    assert not lowered([y], {x: bad})[0][-1]


def test_only_the_interpreter_notices_a_second_read() -> None:
    x = tf.placeholder(tf.float64, [2])
    array = tf.TensorArray(x.dtype, 2).unstack(x)
    y = array.read(0) + array.read(0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not read index 0 twice"):
        tf.Session().run(y, {x: [1.0, 2.0]})
    assert lowered([y], {x: [1.0, 2.0]})[0] == [2.0, True]


@pytest.mark.parametrize("lengths", [None, [3, 4]])
def test_recurrent_network(lengths: Any) -> None:
    x = tf.placeholder(tf.float64, [None, 4, 3])
    cell = tf.nn.rnn_cell.BasicLSTMCell(2)
    outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float64)
    loss = tf.reduce_sum(outputs * outputs) + tf.reduce_sum(state.h * outputs[:, 0])
    variables = tf.trainable_variables()
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    dxs = tf.gradients(loss, [x, *variables])
    text = check([outputs, state.c, *dxs], {x: np.random.RandomState(0).standard_normal((2, 4, 3))}, sess)
    assert "while[" not in text


def test_products_are_added_up_behind_the_loop() -> None:
    x, w = tf.placeholder(tf.float64, [2, 4, 5]), tf.placeholder(tf.float64, [5, 5])
    read = tf.TensorArray(x.dtype, 4).unstack(tf.transpose(x, [1, 0, 2]))

    def step(i: Any, s: Any) -> Any:
        return i + 1, tf.tanh(tf.matmul(s, w)) + read.read(i)

    y = tf.while_loop(lambda i, _: i < 4, step, (0, tf.zeros([2, 5], tf.float64)))[1]
    r = np.random.RandomState(0)
    feeds = {x: r.standard_normal((2, 4, 5)), w: r.standard_normal((5, 5))}
    text = check([y, *tf.gradients(y, [x, w])], feeds)
    after = text.split("scan[")[-1]  # of the gradient loop
    assert "f64[5,5] = dot_general" in after.replace("5:f64", "f64")


def test_a_loop_variable_that_changes_its_shape_is_refused() -> None:
    x = tf.placeholder(tf.float64, [1])
    grown = tf.while_loop(
        lambda i, s: i < 3,
        lambda i, s: (i + 1, tf.concat([s, s], 0)),
        [0, x],
        [tf.TensorShape([]), tf.TensorShape([None])],
    )[1]
    with pytest.raises(NotLowered, match="the loop variable changes its shape"):
        lowered([grown], {x: [1.0]})


@pytest.mark.parametrize("seed", [0, 33])
def test_random_program(seed: int) -> None:
    of = test_random_loops.program(random.Random(seed), 2, ["x"])
    x = tf.placeholder(tf.float64, [3])
    y = tf.identity(of(test_random_loops.InGraph(), {"x": x}))
    check(derivatives(y, x), {x: np.random.RandomState(seed).uniform(-1, 1.2, 3)})


def effects(sess: Any) -> list[Any]:
    """Variables and random streams that change in branches and loops, in five runs."""
    x, n = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [])
    v, count = tf.Variable([1.0, 2.0]), tf.Variable(0)
    total = tf.get_variable("total", initializer=[0.0, 0.0], use_resource=True)
    y = loop(n, lambda s: tf.tanh(s * v) + x, x)
    step = v.assign_sub(0.01 * tf.gradients(y, v)[0])
    counted = tf.cond(y[0] > 0.2, lambda: count.assign_add(1), lambda: count.assign_add(100))

    def add(i: Any) -> Any:
        with tf.control_dependencies([total.assign_add(x).op]):
            return i + 1

    with tf.control_dependencies([tf.while_loop(lambda i: i < n, add, [0])]):
        added = total.read_value()
    drawn = loop(n, lambda s: s + tf.random_uniform([], seed=7), 0.0)
    branch = tf.cond(y[1] > 0, lambda: tf.random_normal([2], seed=3), lambda: x)
    sess.run(tf.global_variables_initializer())
    results = []
    for k in (3, 0, 3, 20, 20):
        results += sess.run([y, step, counted, added, drawn, branch], {x: [0.1 * k - 0.1, -0.2 + 0.02 * k], n: k})
    return [*results, *sess.run([v, count, total])]


def test_effects_in_branches_and_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        theirs = effects(sess)
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    with tf.Graph().as_default(), tf.Session() as sess:
        for mine, value in zip(effects(sess), theirs, strict=True):
            np.testing.assert_allclose(mine, value, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("is_fed", [False, True])
def test_a_decoder_goes_on_until_the_longest_of_many_sentences_ends(
    is_fed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seq2seq = tf.contrib.seq2seq
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    words = tf.placeholder(tf.float32, [None, None, 3])
    lengths = tf.placeholder(tf.int32, [None]) if is_fed else tf.fill(tf.shape(words)[:1], 5)
    cell = tf.nn.rnn_cell.GRUCell(3)
    helper = seq2seq.TrainingHelper(words, lengths)
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(tf.shape(words)[0], tf.float32))
    outputs = seq2seq.dynamic_decode(decoder)[0].rnn_output
    gradient = tf.gradients(outputs, words)[0]
    feeds = {words: np.random.RandomState(0).normal(size=(40, 5, 3)), **({lengths: [5] * 40} if is_fed else {})}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        mine = sess.run([outputs, gradient], feeds)
        (program,) = [p for _, p in sess._prepared.values() if outputs in p.plan.fetches]
        assert program.tier == "XLA"
        assert program.parts is None
        program.mode, program.kinds, program.hot, program.may_compile = "never", {}, None, False
        for a, b in zip(mine, sess.run([outputs, gradient], feeds), strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6)


def test_a_decoder_that_reads_from_a_dataset_is_computed_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seq2seq = tf.contrib.seq2seq

    def runs(mode: str) -> tuple[list[Any], Any]:
        monkeypatch.setenv("RETROGRAD_JIT", mode)
        with tf.Graph().as_default(), tf.Session() as sess:
            rows = tf.data.Dataset.range(24).map(
                lambda i: (tf.fill([3 + i % 2, 3], tf.cast(i, tf.float32) / 24), 3 + i % 2)
            )
            words, lengths = rows.padded_batch(4, ([None, 3], [])).make_one_shot_iterator().get_next()
            cell = tf.nn.rnn_cell.GRUCell(3, kernel_initializer=tf.constant_initializer(0.2))
            helper = seq2seq.TrainingHelper(words, tf.cast(lengths, tf.int32))
            decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(4, tf.float32))
            loss = tf.reduce_sum(tf.square(seq2seq.dynamic_decode(decoder)[0].rnn_output))
            step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
            sess.run(tf.global_variables_initializer())
            found = [sess.run([loss, step])[0] for _ in range(6)]
            return found, [p.parts for _, p in sess._prepared.values() if p.parts is not None]

    plain, _ = runs("never")
    mine, (parts,) = runs("always")
    np.testing.assert_allclose(mine, plain, rtol=1e-4)
    assert [program.tier for part, program in parts.programs if part.is_numeric] == ["XLA"]
    assert not any(program.parts for _, program in parts.programs)


def test_parts_are_compiled_from_their_second_run_and_due_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "auto")
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [300, 300])
        for _ in range(3):
            x = tf.py_func(lambda a: a + 1, [tf.tanh(tf.matmul(x, x) / 100) * 2 - 1], tf.float32)
            x.set_shape([300, 300])
        given = {sess.graph.get_tensor_by_name("Placeholder:0"): np.eye(300)}
        first = sess.run(x, given)
        (program,) = [p for _, p in sess._prepared.values() if x in p.plan.fetches]
        while program.tier == "interpreter" and len(sess.run(x, given)):
            (kind,) = program.kinds.values()
            assert kind.runs < 300
        assert program.parts is not None
        for _ in range(2):
            sess.run(x, given)
        numeric = [p for part, p in program.parts.programs if part.is_numeric]
        assert all(kind.compiling for p in numeric for kind in p.kinds.values())
        due = [p._due for p in numeric]
        assert 3 <= due[0] < due[1] < due[2]
        for _ in range(due[-1]):
            np.testing.assert_allclose(sess.run(x, given), first, rtol=1e-5)
        assert {p.tier for p in numeric} == {"XLA"}


@pytest.mark.parametrize("taken", [lambda x: x[0:3], lambda x: x[:], lambda x: x[tf.newaxis, :], lambda x: x[...]])
def test_the_gradient_of_all_of_a_reversed_array(taken, monkeypatch):
    monkeypatch.setenv("RETROGRAD_JIT", "always")  # XLA ends the process at the reverse of a scatter of everything
    x = tf.placeholder(tf.float32, [3])
    (slope,) = tf.gradients(tf.reduce_sum(tf.square(taken(tf.reverse(x, [0])))), x)
    with tf.Session() as sess:
        assert sess.run(slope, {x: [1, 2, 3]}).tolist() == [2, 4, 6]
