"""Variables, scopes and initializers against TensorFlow 1.15.5's recordings; then our own rules."""

from __future__ import annotations

import json
import pickle
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd
from retrograd import tf
from retrograd.eager.context import eager_mode

HERE = Path(__file__).parent / "golden"
GOLDEN = json.loads((HERE / "variables.json").read_text())


@pytest.fixture(scope="module")
def record() -> Iterator[Any]:
    """``record_variables.py``, run on retrograd."""
    retrograd.install()
    sys.path.insert(0, str(HERE))
    import record_variables

    sys.path.remove(str(HERE))
    yield record_variables
    retrograd.uninstall()


def close(got: Any, want: Any) -> bool:
    """Whether nested lists hold the same, numbers up to rounding."""
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(close, got, want))
    if isinstance(want, float) and isinstance(got, float):
        return got == pytest.approx(want, rel=2e-6, abs=1e-6, nan_ok=True)
    return bool(got == want)


@pytest.mark.parametrize("name", sorted(GOLDEN["cases"]))
def test_case(record: Any, name: str) -> None:
    want = GOLDEN["cases"][name]
    got = json.loads(json.dumps(record.outcome(record.CASES[name])))
    for mine, theirs in zip(got["notes"], want["notes"], strict=True):
        assert close(mine, theirs), (mine, theirs)
    assert got["nodes"] == want["nodes"]
    for collections in (got["collections"], want["collections"]):
        collections.pop("cond_context", None)
    assert got["collections"] == want["collections"]


@pytest.mark.parametrize("name", sorted(GOLDEN["errors"]))
def test_error(record: Any, name: str) -> None:
    assert record.complaint(record.ERRORS[name]) == GOLDEN["errors"][name]


@pytest.fixture(autouse=True)
def graph() -> Iterator[Any]:
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.smoke
@pytest.mark.parametrize("use_resource", [False, True])
def test_failed_run_changes_nothing(use_resource: bool) -> None:
    v = tf.Variable([1.0, 2.0], use_resource=use_resource)
    p = tf.placeholder(tf.float32)
    with tf.control_dependencies([v.assign([9.0, 9.0])]):
        second = v.assign_add(p)
    with tf.Session() as sess:
        sess.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(second, {p: [1.0, 2.0, 3.0]})
        assert sess.run(v).tolist() == [1.0, 2.0]
        sess.run(second, {p: [1.0, 2.0]})
        assert sess.run(v).tolist() == [10.0, 11.0]


@pytest.mark.smoke
@pytest.mark.parametrize("use_resource", [False, True])
def test_sessions_have_their_own_values(use_resource: bool) -> None:
    v = tf.Variable(1.0, use_resource=use_resource)
    with tf.Session() as one, tf.Session() as other:
        one.run(v.initializer)
        with pytest.raises(tf.errors.FailedPreconditionError) as caught:
            other.run(v)
        assert "tf.global_variables_initializer()" in str(caught.value)
        other.run(v.initializer)
        one.run(v.assign(5.0, read_value=False))
        assert (one.run(v), other.run(v)) == (5.0, 1.0)


@pytest.mark.smoke
def test_shared_names_and_containers() -> None:
    from retrograd.ops.state import variable_op_v2

    with tf.container("c"):
        a, b = (variable_op_v2([], tf.float32, name=n, shared_name="s") for n in "ab")
    c = variable_op_v2([], tf.float32, name="c", shared_name="s")
    with tf.Session() as sess:
        sess.run([tf.assign(a, 1.0), tf.assign(c, 2.0)])
        assert sess.run([a, b, c]) == [1.0, 1.0, 2.0]


@pytest.mark.parametrize("use_resource", [False, True])
def test_values_are_not_the_users_arrays(use_resource: bool) -> None:
    v = tf.Variable(np.zeros(2, np.float32), use_resource=use_resource)
    p = tf.placeholder(tf.float32, [2])
    fed = np.ones(2, np.float32)
    with tf.Session() as sess:
        sess.run(v.assign(p), {p: fed})
        fed[:] = 7.0
        got = sess.run(v)
        got[:] = 8.0
        assert sess.run(v).tolist() == [1.0, 1.0]


def test_destroyed_variable_has_no_value() -> None:
    v = tf.Variable(1.0, use_resource=True)
    from retrograd.ops.resources import destroy_resource_op

    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(destroy_resource_op(v.handle))
        assert not sess.run(v.is_initialized())
        sess.run(destroy_resource_op(v.handle))
        with pytest.raises(tf.errors.NotFoundError):
            sess.run(destroy_resource_op(v.handle, ignore_lookup_error=False))


def test_resource_variables_by_default() -> None:
    tf.enable_resource_variables()
    try:
        assert tf.resource_variables_enabled()
        assert tf.Variable(1.0).dtype == tf.float32
        assert tf.get_variable("v", []).dtype == tf.float32
        assert tf.Variable(1.0, use_resource=False).dtype.name == "float32_ref"
    finally:
        tf.disable_resource_variables()


@pytest.mark.smoke
@pytest.mark.parametrize("use_resource", [False, True])
def test_proto_round_trip(use_resource: bool) -> None:
    with tf.name_scope("outer"):
        v = tf.Variable([1.0, 2.0], name="v", use_resource=use_resource, trainable=False)
    proto = v.to_proto()
    again = tf.Variable.from_proto(proto)
    assert type(again) is type(v)
    assert again.to_proto() == proto
    assert (again.op, again.initializer, again.initial_value) == (v.op, v.initializer, v.initial_value)
    assert (again.trainable, again.shape.as_list(), again.dtype) == (False, [2], v.dtype)
    assert v.to_proto("outer").variable_name == "v:0"
    assert v.to_proto("other") is None


def test_reuse_errors_lead_to_the_line() -> None:
    with tf.variable_scope("a"):
        tf.get_variable("weights", [2])
    with pytest.raises(ValueError, match="Originally defined at") as caught, tf.variable_scope("a"):
        tf.get_variable("weights", [2])
    assert __file__ in str(caught.value)
    assert "reuse=tf.AUTO_REUSE" in caught.value.__notes__[0]
    with pytest.raises(ValueError, match="does not exist") as caught, tf.variable_scope("a", reuse=True):
        tf.get_variable("weight", [2])
    assert "did you mean 'a/weights'?" in caught.value.__notes__[0]


def test_threads_have_their_own_scopes(graph: Any) -> None:
    names = []

    def build() -> None:
        with graph.as_default(), tf.variable_scope("inner"):
            names.append(tf.get_variable("v", []).name)

    with tf.variable_scope("outer"):
        thread = threading.Thread(target=build)
        thread.start()
        thread.join()
    assert names == ["inner/v:0"]


@pytest.mark.smoke
def test_scope_object_can_be_entered_again() -> None:
    scope = tf.variable_scope("again", reuse=tf.AUTO_REUSE)
    with scope:
        first = tf.get_variable("v", [])
    with scope:
        assert tf.get_variable("v", []) is first


@pytest.mark.parametrize("shape", [[3, 3], [5, 2], [2, 6], [2, 3, 4]])
def test_orthogonal(shape: list[int]) -> None:
    with tf.Session() as sess:
        w = sess.run(tf.orthogonal_initializer(gain=2.0, seed=1)(shape)).reshape(-1, shape[-1]) / 2.0
    product = w @ w.T if w.shape[0] < w.shape[1] else w.T @ w
    np.testing.assert_allclose(product, np.eye(len(product)), atol=1e-5)


def test_template_makes_no_variable_twice() -> None:
    template = tf.make_template("t", lambda: tf.Variable(1.0))
    template()
    with pytest.raises(ValueError, match=r"(?s)Trainable variable created .*originally defined at:"):
        template()


def _doubled(x: Any) -> Any:
    return x * 2.0


def test_templates_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(tf.make_template("t", _doubled)))
    assert again(tf.ones([2])).name == "t/mul:0"


@pytest.mark.parametrize(("regularizer", "loss"), [("l1", 2.0), ("l2", 2.5), ("l1_l2", 4.5)])
def test_regularizers(regularizer: str, loss: float) -> None:
    from retrograd.state import regularizers

    made = {
        "l1": lambda: regularizers.l1_regularizer(0.5),
        "l2": lambda: regularizers.l2_regularizer(0.5),
        "l1_l2": lambda: regularizers.l1_l2_regularizer(0.5, 0.5),
    }[regularizer]()
    w = tf.get_variable("w", initializer=[1.0, -3.0], regularizer=made)
    with tf.Session() as sess:
        sess.run(w.initializer)
        losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
        assert sess.run(tf.add_n(losses)) == pytest.approx(loss)


@pytest.mark.parametrize("use_resource", [False, True])
def test_gradient_of_initialized_value(use_resource: bool) -> None:
    x = tf.constant(3.0)
    v = tf.Variable(x * 2.0, use_resource=use_resource)
    dv, dx = tf.gradients(v.initialized_value() ** 2, [v, x])
    with tf.Session() as sess:
        assert sess.run(dx) == 24.0
        sess.run(v.initializer)
        assert sess.run([dv, dx]) == [12.0, 0.0]


def test_templates_where_ops_run_at_once() -> None:
    def two() -> None:
        for _ in range(2):
            tf.make_template("inner", lambda: tf.get_variable("w", []))()

    with eager_mode():
        outer = tf.make_template("outer", two)
        outer()
        outer()
        assert [v.name for v in outer.trainable_variables] == ["outer/inner/w:0", "outer/inner_1/w:0"]
        named = tf.make_template("named", lambda name: tf.get_variable(name, []))
        named("a")
        with pytest.raises(ValueError, match=r"^Trainable variable created when calling a template after the first"):
            named("b")
        with pytest.raises(ValueError, match=r"^unique_name_ cannot be used when eager exeuction is enabled\."):
            tf.make_template("t", two, unique_name_="t")


def test_a_store_of_eager_variables_fills_collections() -> None:
    from retrograd.tf.python.ops import variable_scope

    with tf.Graph().as_default(), eager_mode():
        with variable_scope.EagerVariableStore().as_default():
            v = tf.get_variable("v", [], trainable=False)
            w = tf.get_variable("w", [], collections=["mine"])
        parts = [tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2)) for _ in range(2)]
        assert parts[0] is not parts[1]
        assert [tf.get_collection(key)[-1:] for key in ("variables", "trainable_variables", "mine")] == [[v], [w], [w]]
