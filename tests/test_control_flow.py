"""Branches and loops: what they compute, their derivatives to the third order, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from retrograd import tf

Build = Callable[..., Any]


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    """Each test builds a graph of its own."""
    with tf.Graph().as_default():
        yield


def to_third_order(build: Build, xs: list[Any]) -> list[Any]:
    """A function's value with three derivatives, each of a sum of sines of the one before."""
    y = build(*xs)
    results = [y]
    for _ in range(3):
        dxs = tf.gradients(y, xs, unconnected_gradients="zero")
        dxs = [tf.convert_to_tensor(dx) for dx in dxs]
        results += dxs
        y = tf.add_n([tf.reduce_sum(tf.sin(dx)) for dx in dxs])
    return results


def rolled_and_unrolled(rolled: Build, unrolled: Build, feeds: list[Any]) -> None:
    """Both functions, with three derivatives, are the same in every run, specialised or not."""
    with tf.Graph().as_default(), tf.Session() as sess:
        xs = [tf.placeholder(tf.float64, np.shape(f)) for f in feeds]
        mine, theirs = to_third_order(rolled, xs), to_third_order(unrolled, xs)
        for _ in range(5):
            for a, b in zip(*sess.run([mine, theirs], dict(zip(xs, feeds, strict=True))), strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-10)


def numbers(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).normal(size=shape) * 0.7


def _loop(n: Any, step: Build, first: Any) -> Any:
    return tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, step(i, h)), (0, first))[1]


def _nested(x: Any, w: Any) -> Any:
    def outer(i: Any, h: Any) -> Any:
        return h * _loop(i + 1, lambda j, u: tf.tanh(tf.matmul(u, w)) + x, h)

    return tf.reduce_sum(_loop(3, outer, x))


def _nested_by_hand(x: Any, w: Any) -> Any:
    h = x
    for i in range(3):
        u = h
        for _ in range(i + 1):
            u = tf.tanh(tf.matmul(u, w)) + x
        h = h * u
    return tf.reduce_sum(h)


def _branch_in_loop(x: Any, w: Any) -> Any:
    def step(i: Any, h: Any) -> Any:
        return tf.cond(tf.equal(i % 2, 0), lambda: tf.sin(h) * w, lambda: h * h + x)

    return tf.reduce_sum(_loop(4, step, x))


def _branch_in_loop_by_hand(x: Any, w: Any) -> Any:
    h = x
    for i in range(4):
        h = h * h + x if i % 2 else tf.sin(h) * w
    return tf.reduce_sum(h)


def _loop_in_branch(chosen: bool) -> Build:
    def build(x: Any, w: Any) -> Any:
        def long() -> Any:
            return tf.reduce_sum(_loop(3, lambda i, h: tf.sin(h * w) + x, x))

        return tf.cond(tf.constant(chosen), long, lambda: tf.reduce_sum(x * w * w))

    return build


def _loop_in_branch_by_hand(x: Any, w: Any) -> Any:
    h = x
    for _ in range(3):
        h = tf.sin(h * w) + x
    return tf.reduce_sum(h)


def _three_deep(x: Any, w: Any) -> Any:
    def step(i: Any, h: Any) -> Any:
        return tf.cond(
            tf.equal(i % 2, 1), lambda: _loop(2, lambda j, u: tf.sin(u * w), h), lambda: h * tf.exp(-0.3 * x)
        )

    return tf.reduce_sum(_loop(4, step, x))


def _three_deep_by_hand(x: Any, w: Any) -> Any:
    h = x
    for i in range(4):
        h = tf.sin(tf.sin(h * w) * w) if i % 2 else h * tf.exp(-0.3 * x)
    return tf.reduce_sum(h)


def _rows(x: Any, w: Any) -> Any:
    def step(i: Any, h: Any) -> Any:
        return h * tf.reduce_sum(tf.gather(w, [i, 0])) + tf.gather(x, i)

    return _loop(3, step, tf.constant(1.0, tf.float64))


def _rows_by_hand(x: Any, w: Any) -> Any:
    h = tf.constant(1.0, tf.float64)
    for i in range(3):
        h = h * (tf.reduce_sum(w[i]) + tf.reduce_sum(w[0])) + x[i]
    return h


def _inner_update(x: Any, w: Any) -> Any:
    """A step of gradient descent in each iteration: a derivative of derivatives inside of a loop."""

    def step(i: Any, t: Any) -> Any:
        return t - 0.1 * tf.gradients(tf.reduce_sum(tf.square(tf.sin(t * w) - x)), t)[0]

    return tf.reduce_sum(tf.square(_loop(3, step, w) - x))


def _inner_update_by_hand(x: Any, w: Any) -> Any:
    t = w
    for _ in range(3):
        t = t - 0.2 * (tf.sin(t * w) - x) * tf.cos(t * w) * w
    return tf.reduce_sum(tf.square(t - x))


def _growing(x: Any, w: Any) -> Any:
    def body(i: Any, h: Any) -> Any:
        return i + 1, tf.concat([h, tf.sin(h[:1] * w[0])], 0)

    shapes = (tf.TensorShape([]), tf.TensorShape([None]))
    return tf.reduce_sum(tf.square(tf.while_loop(lambda i, h: i < 3, body, (0, x), shapes)[1]))


def _growing_by_hand(x: Any, w: Any) -> Any:
    h = x
    for _ in range(3):
        h = tf.concat([h, tf.sin(h[:1] * w[0])], 0)
    return tf.reduce_sum(tf.square(h))


@pytest.mark.parametrize(
    ("rolled", "unrolled", "shapes"),
    [
        pytest.param(_nested, _nested_by_hand, [(2, 3), (3, 3)], id="nested"),
        pytest.param(_branch_in_loop, _branch_in_loop_by_hand, [(3,), (3,)], id="branch in loop"),
        pytest.param(_loop_in_branch(True), _loop_in_branch_by_hand, [(3,), (3,)], id="loop in branch"),
        pytest.param(
            _loop_in_branch(False), lambda x, w: tf.reduce_sum(x * w * w), [(3,), (3,)], id="loop in other branch"
        ),
        pytest.param(_three_deep, _three_deep_by_hand, [(3,), (3,)], id="three deep"),
        pytest.param(_rows, _rows_by_hand, [(3,), (3, 2)], id="rows"),
        pytest.param(_inner_update, _inner_update_by_hand, [(3,), (3,)], id="inner update"),
        pytest.param(_growing, _growing_by_hand, [(3,), (3,)], id="growing"),
    ],
)
def test_derivatives(rolled: Build, unrolled: Build, shapes: list[tuple[int, ...]]) -> None:
    rolled_and_unrolled(rolled, unrolled, [numbers(*shape) for shape in shapes])


def test_trip_count_may_change() -> None:
    n, x = tf.placeholder(tf.int32, []), tf.constant(1.5)
    power = _loop(n, lambda i, h: h * x, tf.constant(1.0))
    dx = tf.gradients(power, x)[0]
    ddx = tf.gradients(dx, x)[0]
    with tf.Session() as sess:
        for count in (0, 1, 2, 5, 3, 5, 5, 5, 5):
            want = [1.5**count, count * 1.5 ** (count - 1), count * (count - 1) * 1.5 ** (count - 2)]
            assert sess.run([power, dx, ddx], {n: count}) == pytest.approx(want)


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables_in_loops(use_resource: bool) -> None:
    v = tf.Variable([2.0, 3.0], use_resource=use_resource)
    y = tf.reduce_sum(_loop(3, lambda i, h: h * v + tf.gather(v, [0, 0]), tf.constant([1.0, 1.0])))
    dv = tf.convert_to_tensor(tf.gradients(y, v)[0])
    by_hand = tf.constant([2.0, 3.0])
    h = tf.constant([1.0, 1.0])
    for _ in range(3):
        h = h * by_hand + tf.gather(by_hand, [0, 0])
    want = tf.convert_to_tensor(tf.gradients(tf.reduce_sum(h), by_hand)[0])
    with tf.Session() as sess:
        sess.run(v.initializer)
        for _ in range(5):
            mine, theirs = sess.run([dv, want])
            assert mine == pytest.approx(theirs)


def test_assignments_in_a_body_happen_in_each_iteration() -> None:
    v = tf.Variable(0.0)

    def body(i: Any) -> Any:
        with tf.control_dependencies([v.assign_add(2.0)]):
            return i + 1

    last = tf.while_loop(lambda i: i < 5, body, [0])
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(last) == 5
        assert sess.run(v) == 10.0


def test_a_body_may_give_what_it_assigns() -> None:
    x = tf.Variable([1.0, 2.0], use_resource=False)

    def body(i: Any, v: Any) -> Any:
        assigned = x.assign_add([1.0, 1.0])
        with tf.control_dependencies([assigned]):
            return i + 1, tf.cond(i < 2, lambda: assigned, lambda: assigned * 2.0)

    _, straight = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, x.assign_add([1.0, 1.0])), [0, x])
    _, chosen = tf.while_loop(lambda i, v: i < 3, body, [0, tf.zeros([2])])
    assert {op.type for op in tf.get_default_graph().get_operations()} >= {"RefNextIteration", "RefSwitch"}
    with tf.Session() as sess:
        sess.run(x.initializer)
        for first in (4.0, 10.0, 16.0):  # interpreted, and compiled where plans are at once
            assert sess.run(straight + 1.0).tolist() == [first + 1.0, first + 2.0]
            assert sess.run(chosen).tolist() == [2 * (first + 3.0), 2 * (first + 4.0)]


def test_a_loop_of_references_takes_no_values() -> None:
    x = tf.Variable(1.0, use_resource=False)
    _, wrong = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v + 1.0), [0, x.assign_add(1.0)], name="w")
    with tf.Session() as sess:
        sess.run(x.initializer)
        words = (
            "Input 1 of node w/Merge_1 was passed float from w/NextIteration_1:0 incompatible with expected float_ref"
        )
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            sess.run(wrong)


def test_only_the_chosen_branch_runs() -> None:
    ran: list[str] = []

    def told(word: str) -> Any:
        return tf.py_func(lambda: ran.append(word) or np.float32(1.0), [], tf.float32)

    p = tf.placeholder(tf.bool)
    y = tf.cond(p, lambda: told("true"), lambda: told("false"))
    with tf.Session() as sess:
        sess.run(y, {p: True})
        sess.run(y, {p: False})
    assert ran == ["true", "false"]


def test_placeholder_of_the_other_branch_need_not_be_fed() -> None:
    p = tf.placeholder(tf.bool)
    y = tf.cond(p, lambda: tf.constant(1.0), lambda: tf.placeholder(tf.float32, name="needed"))
    with tf.Session() as sess:
        assert sess.run(y, {p: True}) == 1.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value for placeholder tensor"):
            sess.run(y, {p: False})


def test_failing_iteration_takes_everything_back() -> None:
    v = tf.Variable(0.0)

    def body(i: Any) -> Any:
        with tf.control_dependencies([v.assign_add(1.0), tf.Assert(i < 3, [i])]):
            return i + 1

    last = tf.while_loop(lambda i: i < 5, body, [0])
    with tf.Session() as sess:
        sess.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
            sess.run(last)
        assert sess.run(v) == 0.0


def test_loop_ends_at_the_timeout() -> None:
    forever = tf.while_loop(lambda i: True, lambda i: i + 1, [0])
    with tf.Session() as sess, pytest.raises(tf.errors.DeadlineExceededError):
        sess.run(forever, options=tf.RunOptions(timeout_in_ms=50))


def test_tensor_of_a_body_is_refused_outside() -> None:
    kept: list[Any] = []

    def body(i: Any) -> Any:
        kept.append(i * 2)
        return i + 1

    tf.while_loop(lambda i: i < 5, body, [0])
    with pytest.raises(ValueError, match="because 'while/mul' is in a while loop") as refused:
        tf.add(kept[0], 1)
    assert any("loop variable" in note for note in refused.value.__notes__)


def test_gradient_through_a_first_value_is_refused_inside() -> None:
    x = tf.constant(2.0)

    def body(i: Any, z: Any) -> Any:
        return i + 1, z + tf.gradients(z * 3.0, x)[0]

    with pytest.raises(ValueError, match="Cannot compute gradient inside while loop with respect to op 'Const'"):
        tf.while_loop(lambda i, z: i < 3, body, (0, x * 2.0))


def test_no_gradient_where_back_prop_is_off() -> None:
    x = tf.constant(2.0)
    y = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, h * x), (0, x), back_prop=False)[1]
    assert tf.gradients(y, x) == [None]


def test_partial_run_of_a_loop() -> None:
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [])
    y = _loop(n, lambda i, h: h * x, tf.constant(1.0))
    with tf.Session() as sess:
        handle = sess.partial_run_setup([x * 1.0, y], [n, x])
        sess.partial_run(handle, [], {n: 3})
        assert sess.partial_run(handle, y, {x: 2.0}) == 8.0


def test_slices_of_a_loop_have_no_row_of_zeros() -> None:
    table = tf.Variable(np.ones((4, 2), np.float32))
    y = _loop(2, lambda i, h: h + tf.reduce_sum(tf.gather(table, [3])), tf.constant(0.0))
    dy = tf.gradients(y, table)[0]
    with tf.Session() as sess:
        sess.run(table.initializer)
        assert sess.run(dy).indices.tolist() == [3, 3]


def test_a_choice_among_many_is_made_of_branches() -> None:
    i, x = tf.placeholder(tf.int32, []), tf.constant(3.0)
    y = tf.switch_case(i, {0: lambda: x, 1: lambda: x * x, 2: lambda: -x})
    dx = tf.gradients(y, x)[0]
    with tf.Session() as sess:
        for index, want in ((0, [3.0, 1.0]), (1, [9.0, 6.0]), (2, [-3.0, -1.0]), (7, [-3.0, -1.0]), (-1, [-3.0, -1.0])):
            assert sess.run([y, dx], {i: index}) == want
    assert "Case" not in {op.type for op in tf.get_default_graph().get_operations()}


def test_a_body_must_keep_dtypes() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input 1 of node while/Merge was passed float32"):
        tf.while_loop(lambda i: i < 3, lambda i: tf.cast(i, tf.float32), [0], [tf.TensorShape(None)])


def test_a_predicate_of_unknown_shape_is_one_boolean_in_every_run():
    p, x = tf.placeholder(tf.bool, name="p"), tf.placeholder(tf.float32, [None, 3])
    v = tf.Variable(1.0)
    loop = tf.while_loop(lambda i: tf.logical_and(p, i < 3), lambda i: i + 1, [tf.constant(0)])
    fetches = [
        tf.cond(p, lambda: x * 2, lambda: x),
        tf.cond(p, lambda: tf.assign(v, 3.0), lambda: tf.constant(1.0)),
        tf.layers.batch_normalization(x, training=p),
        loop,
    ]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for fetch in fetches:
            for given in ([True], [False], []):
                with pytest.raises(tf.errors.InvalidArgumentError, match="must be a scalar, but it has shape"):
                    sess.run(fetch, {p: given, x: np.ones([2, 3])})
            sess.run(fetch, {p: np.array(True), x: np.ones([2, 3])})
        assert sess.run(loop, {p: True}) == 3
        assert sess.run(p, {p: [True]}).tolist() == [True]


def test_a_loop_that_may_not_run_promises_no_shape_of_its_body():
    with tf.Graph().as_default(), tf.Session() as session:
        first = tf.constant([1, 2])
        for given in ({"shape_invariants": [tf.TensorShape([None])]}, {}):
            first = first if given else tf.placeholder_with_default([1, 2], [None])
            last = tf.while_loop(lambda x: tf.constant(False), lambda x: tf.constant([1]), [first], **given)
            assert last.shape.as_list() == [None]
            assert session.run(last).tolist() == [1, 2]
