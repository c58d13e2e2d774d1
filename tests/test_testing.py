"""``tf.test``: test cases, the modes they run in, and the gradient checker."""

from __future__ import annotations

import contextlib
import unittest
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.graph import eager_graph
from retrograd.graph import stack
from retrograd.testing import modes


class Case(tf.test.TestCase):  # type: ignore[misc]
    def runTest(self) -> None:
        pass


@pytest.fixture
def case() -> Any:
    case = Case()
    case.setUp()
    yield case
    case.tearDown()


def test_each_test_starts_afresh(case: Any) -> None:
    assert tf.get_default_graph().get_operations() == []
    assert tf.get_default_graph().seed == 87654321
    first = np.random.random_sample(), tf.get_default_graph()
    case.setUp()
    assert np.random.random_sample() == first[0]
    assert tf.get_default_graph() is not first[1]


def test_a_writer_of_another_test_is_forgotten(case: Any, tmp_path: Any) -> None:
    summary = tf.compat.v2.summary
    summary.create_file_writer(str(tmp_path)).set_as_default()
    case.setUp()
    written = summary.scalar("loss", 1.0, step=tf.constant(0, tf.int64))
    assert written.op.type == "Const"  # as where nobody writes


def test_nothing_is_set_up_for_the_session_method() -> None:
    class Models(tf.test.TestCase):  # type: ignore[misc]
        def setUp(self) -> None:
            super().setUp()
            raise ValueError("no model")

    result = unittest.TestResult()
    Models("test_session").run(result)
    assert [why for _, why in result.skipped] == ["Not a test."]
    assert not result.errors


def test_sessions(case: Any) -> None:
    x = tf.Variable(3.0)
    with case.cached_session() as session:
        session.run(x.initializer)
        y = x * 2.0
        assert y.op.device == "/device:CPU:0"
    with case.cached_session() as again:
        assert again is session
        assert y.eval() == 6.0
    with case.session() as other:
        assert other is not session
    assert other._closed
    assert case.evaluate([y, {"y": y}]) == [6.0, {"y": 6.0}]
    with pytest.raises(ValueError, match="Maybe create a new session"), case.cached_session(graph=tf.Graph()):
        pass


def test_records_are_compared_field_by_field(case: Any) -> None:
    kind = np.dtype([("a", np.int32), ("b", np.float32)])
    case.assertAllEqual(np.array([(1, 2.0)], kind), np.array([(1, 2.0)], kind))
    with pytest.raises(AssertionError):
        case.assertAllEqual(np.array([(1, 2.0)], kind), np.array([(1, 3.0)], kind))


def test_tensors_of_a_graph_are_compared_in_lists(case: Any) -> None:
    x, y = tf.placeholder(tf.float32), tf.zeros([2])
    case.assertAllEqual((x, y), [x, y])
    case.assertAllEqual((x, (y, x)), (x, (y, x)))
    with pytest.raises(AssertionError):
        case.assertAllEqual((x, y), (y, x))


FAILURES = [
    (lambda t: t.assertAllClose([1.0, 2.0], [1.0, 3.0], msg="mm"), "a is different from b. mm\nnot close where"),
    (lambda t: t.assertAllClose({"a": 1.0}, {"a": 2.0}), r"a\[a\] is different from b\[a\]"),
    (lambda t: t.assertAllClose([1.0], [1.0, 2.0]), r"Shape mismatch: expected \(1,\), got \(2,\)"),
    (lambda t: t.assertAllClose([[1.0], [2.0, 3.0]], [[1.0], [2.0, 4.0]]), r"a\[1\] is different"),
    (lambda t: t.assertAllEqual([1, 2], [1, 3]), "not equal where"),
    (lambda t: t.assertAllEqual([1, 2], [1, 2, 3]), "Shape mismatch"),
    (lambda t: t.assertNotAllClose([1.0], [1.0]), "close at all elements"),
    (lambda t: t.assertNotAllEqual([1], [1]), "equal at all elements"),
    (lambda t: t.assertAllInRange([1, 2], 5, 6), r"2 of the 2 element\(s\) are outside the range \[5, 6\]"),
    (lambda t: t.assertAllInSet([1, 2], [1]), r"1 unique element\(s\) are not in the set"),
    (lambda t: t.assertAllGreater([1, 2], 1), "not greater than 1"),
    (lambda t: t.assertNear(1.0, 2.0, 0.1, "x"), r"1.000000 != 2.000000 \+/- 0.100000 \(x\)"),
    (lambda t: t.assertArrayNear([1.0], [2.0], 0.1), r"1.000000 != 2.000000"),
    (lambda t: t.assertShapeEqual(np.zeros(2), tf.zeros(3)), "not equal lhs"),
    (lambda t: t.assertDTypeEqual(tf.zeros(3), np.int32), "int32"),
    (lambda t: t.assertDeviceEqual("/cpu:0", "/gpu:0"), "CPU"),
    (lambda t: t.assertProtoEquals("name: 'a'", tf.NodeDef(name="b")), 'name: "a"'),
    (lambda t: t.assertProtoEquals(3, tf.NodeDef(name="b")), "Can't compare protos"),
    (lambda t: t.assertStartsWith("ab", "b"), "does not start with"),
    (lambda t: t.assertAllCloseAccordingToType(np.float16([1]), np.float16([1.01])), "not close"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "message"), FAILURES)
def test_failures_say_what_differs(case: Any, check: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check(case)


def test_what_passes(case: Any) -> None:
    case.assertAllClose({"a": [tf.constant(1.0), 2.0]}, {"a": [1.0, 2.0000001]})
    case.assertAllClose([np.nan, np.inf], [np.nan, np.inf])
    case.assertAllEqual(tf.constant(["a", "b"]), [b"a", b"b"])
    case.assertAllEqual([np.nan], [np.nan])
    case.assertAllCloseAccordingToType(np.float16([1]), np.float16([1.001]))
    case.assertAllInRange([1.0, 2.0], 1.0, 2.0)
    case.assertDeviceEqual("/cpu:0", "/device:CPU:0")
    case.assertProtoEquals("name: 'a'", tf.NodeDef(name="a"))
    case.assertShapeEqual(np.zeros([2, 3]), tf.zeros([2, 3]))
    with case.assertRaisesOpError("bad"):
        raise tf.errors.InvalidArgumentError(None, None, "a bad thing")
    with case.assertRaisesWithPredicateMatch(ValueError, lambda e: "x" in str(e)):
        raise ValueError("x")


def test_checked_threads(case: Any) -> None:
    def fail() -> None:
        raise ValueError("in the thread")

    thread = case.checkedThread(target=fail)
    thread.start()
    with pytest.raises(AssertionError, match="in the thread"):
        thread.join()


def test_modes() -> None:
    seen = []

    @modes.run_all_in_graph_and_eager_modes
    class Modes(tf.test.TestCase):  # type: ignore[misc]
        def testOne(self) -> None:
            seen.append((tf.get_default_session() is not None, tf.executing_eagerly()))

        @modes.run_v1_only("for a reason")
        def testTwo(self) -> None:
            seen.append(2)

        @modes.run_gpu_only
        def testThree(self) -> None:
            seen.append(3)

        @modes.skip_if(lambda: True)
        def testFour(self) -> None:
            seen.append(4)

    result = unittest.TestLoader().loadTestsFromTestCase(Modes).run(unittest.TestResult())
    assert result.wasSuccessful()
    assert seen == [(True, False), (False, True), 2, 2]  # in a session, then eagerly


def test_default_graphs_are_forgotten_in_the_mode_of_the_block() -> None:
    from retrograd.eager.context import eager_mode, graph_mode
    from retrograd.tf.python.framework import ops

    for mode, is_eager in ((eager_mode, True), (graph_mode, False)):
        with mode(), tf.Graph().as_default() if not is_eager else contextlib.nullcontext():
            ops._default_graph_stack.reset()
            tf.reset_default_graph()
            assert tf.executing_eagerly() == is_eager
            v = tf.Variable(2.0, use_resource=True)
            assert isinstance(v.read_value(), tf.Tensor)
            assert tf.executing_eagerly() == is_eager
        assert not tf.executing_eagerly()
        with tf.Graph().as_default() as graph:
            assert tf.get_default_graph() is graph


def test_gradient_checker() -> None:
    with tf.Graph().as_default(), tf.Session():
        x = tf.constant(np.arange(6.0).reshape(2, 3))
        y = tf.matmul(x, tf.constant(np.arange(6.0).reshape(3, 2)))
        ours, numerical = tf.test.compute_gradient(x, [2, 3], y, [2, 2])
        np.testing.assert_allclose(ours, np.kron(np.eye(2), np.arange(6.0).reshape(3, 2)))
        np.testing.assert_allclose(ours, numerical, atol=1e-9)
        assert tf.test.compute_gradient_error(x, [2, 3], y, [2, 2]) < 1e-9
        assert tf.test.compute_gradient_error(x, [2, 3], tf.stop_gradient(x) + 0.0 * x, [2, 3]) > 0.9


def test_gradient_checker_of_functions_where_ops_run_at_once() -> None:
    from retrograd.eager.context import eager_mode
    from retrograd.tf.python.ops.gradient_checker_v2 import compute_gradient

    with eager_mode():
        scale = tf.constant([2.0, 3.0], tf.float64)
        ours, numerical = compute_gradient(lambda x, y: scale * x * y, [np.array([5.0, 7.0]), tf.ones([2], tf.float64)])
        np.testing.assert_array_equal(ours, [[[2.0, 0.0], [0.0, 3.0]], [[10.0, 0.0], [0.0, 21.0]]])
        np.testing.assert_allclose(ours, numerical)


def test_gradient_checker_of_complex_numbers() -> None:
    """``y = (5 + 7i) x``, whose Jacobian TensorFlow 1.15.5 gives as ``[[5, 7], [-7, 5]]``."""
    from retrograd.grad.checker import jacobians_of, max_error

    with tf.Graph().as_default(), tf.Session():
        ours, numerical = jacobians_of(
            lambda x: tf.constant(5 + 7j, tf.complex64) * x, [np.array([11 - 13j], np.complex64)]
        )
        np.testing.assert_allclose(ours[0], [[5, 7], [-7, 5]])
        assert max_error(ours, numerical) < 0.01


def test_numbers_of_protos_are_compared_up_to_some_decimals() -> None:
    case = tf.test.TestCase()
    text = 'value { tag: "h" histo { min: 2.00000001 bucket_limit: 9.93809490288 bucket_limit: 1 } }'
    made = tf.Summary()
    histogram = made.value.add(tag="h").histo
    histogram.min = 2.0
    histogram.bucket_limit.extend([9.9380949028808, 1.0])
    case.assertProtoEquals(text, made)
    histogram.bucket_limit[1] = 1.001
    with pytest.raises(AssertionError):
        case.assertProtoEquals(text, made)


def test_the_tests_get_what_no_flag_took(monkeypatch):
    from absl import flags
    from absl.testing import absltest

    from retrograd.testing import modes

    given = []
    defined = flags.FlagValues()
    flags.DEFINE_string("layer", "", "", flag_values=defined)
    monkeypatch.setattr(flags, "FLAGS", defined)
    monkeypatch.setattr(absltest, "main", lambda argv: given.extend(argv))
    modes.main(["program", "--layer=two", "Some.test_case"])
    assert given == ["program", "Some.test_case"]
    assert defined.layer == "two"


def test_a_set_up_in_the_block_of_a_graph_builds_there_too() -> None:
    """As tests do that run once at once and once in a graph; after the block ops run at once again."""
    case = Case()
    stack.run_at_once(eager_graph)
    try:
        with tf.Graph().as_default():
            case.setUp()
            with case.test_session():
                assert not tf.executing_eagerly()
                assert case.evaluate(tf.placeholder_with_default(3.0, [])) == 3.0
            with tf.Graph().as_default() as inner:
                assert tf.get_default_graph() is inner
            assert not tf.executing_eagerly()
        assert tf.executing_eagerly()
    finally:
        stack.run_at_once(None)
