"""Optimizers, schedules, averages and clipping against what TensorFlow 1.15.5 built, computed and said."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode

GOLDEN = Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))
import optimizer_cases as cases  # noqa: E402

RECORD = json.loads((GOLDEN / "optimizers.json").read_text())


def test_every_case_is_recorded() -> None:
    assert set(RECORD["trajectories"]) == {row[0] for row in cases.trajectories()}
    assert set(RECORD["schedules"]) == {row[0] for row in cases.schedules()}
    assert set(RECORD["graphs"]) == set(cases.GRAPHS)
    assert set(RECORD["messages"]) == set(cases.MESSAGES)


def close(got: Any, want: Any) -> None:
    """Equal up to the rounding of float32 in some twenty steps."""
    np.testing.assert_allclose(np.ravel(got), want, rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize(("key", "name", "options", "form"), cases.trajectories())
def test_trajectory(key: str, name: str, options: dict[str, Any], form: str) -> None:
    values, slots = cases.trajectory(tf, name, options, form)
    want = RECORD["trajectories"][key]
    for got, wanted in zip(values, want["values"], strict=True):
        close(got, wanted)
    assert slots.keys() == want["slots"].keys()
    for slot, value in slots.items():
        close(value, want["slots"][slot])


@pytest.mark.parametrize(("key", "name", "arguments"), cases.schedules())
def test_schedule(key: str, name: str, arguments: list[Any]) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        step, rate = cases.schedule(tf, name, arguments)
        got = [sess.run(rate, {step: i}) for i in cases.SCHEDULE_STEPS]
    close(got, RECORD["schedules"][key])


@pytest.mark.parametrize("key", cases.GRAPHS)
def test_graph(key: str) -> None:
    assert cases.nodes(tf, cases.GRAPHS[key]) == RECORD["graphs"][key]


@pytest.mark.parametrize("key", cases.MESSAGES)
def test_message(key: str) -> None:
    assert cases.message(tf, cases.MESSAGES[key]) == RECORD["messages"][key]


# -- what the record cannot hold -----------------------------------------------------------------


@pytest.fixture
def variable() -> Any:
    with tf.Graph().as_default():
        yield tf.Variable([1.0, 2.0], name="v")


def notes(error: Any) -> str:
    return "\n".join(error.value.__notes__)


def test_the_error_names_the_op_that_no_derivative_passes(variable: Any) -> None:
    loss = tf.reduce_sum(tf.floor(variable * 2.0, name="flat"))
    with pytest.raises(ValueError, match="No gradients provided") as error:
        tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    assert "v -> v/read -> mul -> flat -> Sum" in notes(error)
    assert "no derivative passes 'flat' (op type: Floor)" in notes(error)
    assert f"{__file__}:" in notes(error)


def test_the_error_names_what_the_loss_is_made_of(variable: Any) -> None:
    loss = tf.placeholder(tf.float32, name="answer") * 2.0
    nodes_before = len(tf.get_default_graph().get_operations())
    with pytest.raises(ValueError, match="No gradients provided") as error:
        tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    assert "computed from answer, mul/y" in notes(error)
    assert len(tf.get_default_graph().get_operations()) == nodes_before + 3  # the gradient of the loss: ones


def test_an_advised_override_mends_the_way(variable: Any) -> None:
    with tf.get_default_graph().gradient_override_map({"Floor": "Identity"}):
        loss = tf.reduce_sum(tf.floor(variable))
    step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(step)
        np.testing.assert_array_equal(sess.run(variable), [0.5, 1.5])


class SignDescent(tf.train.Optimizer):
    """An optimizer as users write them: its own slots, its own two updates."""

    def __init__(self, rate: float, use_locking: bool = False, name: str = "SignDescent") -> None:
        super().__init__(use_locking, name)
        self._rate = rate

    def _create_slots(self, var_list: Any) -> None:
        for v in var_list:
            self._zeros_slot(v, "count", self._name)
        self._create_non_slot_variable(0.0, "steps", var_list[0])

    def _prepare(self) -> None:
        self._rate_t = tf.convert_to_tensor(self._call_if_callable(self._rate), name="rate")

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        count = self.get_slot(var, "count").assign_add(tf.abs(tf.sign(grad)))
        return tf.group(tf.assign_sub(var, self._rate_t * tf.sign(grad)), count)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return tf.scatter_sub(var, grad.indices, self._rate_t * tf.sign(grad.values))

    def _finish(self, update_ops: Any, name_scope: str) -> Any:
        with tf.control_dependencies(update_ops):
            steps = self._get_non_slot_variable("steps", tf.get_default_graph()).assign_add(1.0)
        return tf.group(*update_ops, steps, name=name_scope)


def test_an_optimizer_of_the_users_own(variable: Any) -> None:
    optimizer = SignDescent(lambda: 0.25)  # type: ignore[arg-type]
    rows = tf.Variable([[1.0], [2.0], [3.0]], name="rows")
    slices = tf.IndexedSlices(tf.constant([[1.0], [1.0], [-3.0]]), tf.constant([2, 0, 0]), tf.constant([3, 1]))
    step = optimizer.apply_gradients([(tf.constant([3.0, -0.5]), variable), (slices, rows)])
    assert optimizer.get_slot_names() == ["count"]
    assert [v.name for v in optimizer.variables()] == ["rows/SignDescent:0", "steps:0", "v/SignDescent:0"]
    assert step in tf.get_default_graph().get_collection("train_op")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(step)
        np.testing.assert_array_equal(sess.run(variable), [0.75, 2.25])
        np.testing.assert_array_equal(sess.run(rows), [[1.25], [2.0], [2.75]])  # 1 - 3, then the sign
        assert sess.run(optimizer._get_non_slot_variable("steps", sess.graph)) == 1.0


@pytest.mark.smoke
def test_a_step_that_fails_changes_nothing(variable: Any) -> None:
    grad = tf.placeholder(tf.float32)
    step = tf.train.MomentumOptimizer(0.1, 0.9).apply_gradients([(grad, variable)])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="var and grad do not have the same shape"):
            sess.run(step, {grad: [1.0, 2.0, 3.0]})
        np.testing.assert_array_equal(sess.run(variable), [1.0, 2.0])


def test_a_row_that_is_not_there_is_named() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        var = tf.Variable([[1.0], [2.0]])
        index = tf.placeholder(tf.int32, [1])
        slices = tf.IndexedSlices(tf.constant([[1.0]]), index)
        step = tf.train.AdagradOptimizer(0.1).apply_gradients([(slices, var)])
        sess.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="Index 2 at offset 0 in indices is out of range"):
            sess.run(step, {index: [2]})


@pytest.mark.smoke
def test_rows_named_twice_are_updated_in_turn() -> None:
    from retrograd.ops import training

    with tf.Graph().as_default(), tf.Session() as sess:
        var, accum = tf.Variable([[1.0], [2.0]]), tf.Variable([[1.0], [1.0]])
        step = training.sparse_apply_adagrad(var, accum, 1.0, [[1.0], [2.0], [3.0]], [1, 0, 1])
        sess.run(tf.global_variables_initializer())
        sess.run(step)
        want = 2.0 - 1.0 / np.sqrt(2.0) - 3.0 / np.sqrt(11.0)
        np.testing.assert_allclose(sess.run(var), [[1.0 - 2.0 / np.sqrt(5.0)], [want]], rtol=1e-6)
        np.testing.assert_array_equal(sess.run(accum), [[5.0], [11.0]])


@pytest.mark.smoke
def test_an_average_follows_its_variable() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(10.0, name="v")
        average = tf.train.ExponentialMovingAverage(0.5)
        with tf.control_dependencies([v.assign(20.0)]):
            update = average.apply([v])
        assert average.average_name(v) == "v/ExponentialMovingAverage"
        assert average.variables_to_restore() == {"v/ExponentialMovingAverage": v}
        sess.run(tf.global_variables_initializer())
        assert sess.run(average.average(v)) == 10.0
        sess.run(update)
        assert sess.run(average.average(v)) == 15.0


def test_the_average_of_a_tensor_is_corrected_for_its_start() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([1.0, 4.0]) * 1.0
        average = tf.train.ExponentialMovingAverage(0.75, zero_debias=True)
        update = average.apply([x])
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(update)
            np.testing.assert_allclose(sess.run(average.average(x)), [1.0, 4.0], rtol=1e-6)


def test_the_slot_of_a_part_is_a_part_of_the_slot() -> None:
    with tf.Graph().as_default():
        split = tf.fixed_size_partitioner(2)
        w = tf.get_variable("w", [6, 3], partitioner=split, initializer=tf.zeros_initializer())
        optimizer = tf.train.AdamOptimizer()
        optimizer.minimize(tf.reduce_sum(tf.square(w)))
        infos = [v._get_save_slice_info() for v in tf.global_variables() if v.name.endswith("/Adam_1:0")]
        assert [(info.full_name, info.spec) for info in infos] == [
            ("w/Adam_1", "6 3 0,3:0,3"), ("w/Adam_1", "6 3 3,3:0,3"),
        ]  # fmt: skip


def test_variables_may_come_in_a_dict_or_its_view() -> None:
    weights = {"b": tf.Variable(1.0), "a": tf.Variable(2.0)}
    loss = weights["a"] * weights["b"]
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    for given, order in ((weights.values(), "ba"), (weights, "ab"), (filter(None, [weights["b"]]), "b")):
        assert [v for _, v in optimizer.compute_gradients(loss, given)] == [weights[k] for k in order]


@pytest.mark.parametrize("at_once", [False, True])
def test_an_optimizer_of_keras_takes_gradients_in_variables_and_changes_no_tensor(at_once: bool) -> None:
    with eager_mode() if at_once else tf.Graph().as_default():
        made = [tf.Variable([1.0, 2.0], use_resource=True), tf.Variable([0.5, 0.25], use_resource=True)]
        optimizer = tf.keras.optimizers.SGD(1.0)
        step = optimizer.apply_gradients([(made[1], made[0])])
        if at_once:
            changed = made[0].numpy()
        else:
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                session.run(step)
                changed = session.run(made[0])
        np.testing.assert_array_equal(changed, [0.5, 1.75])
        with pytest.raises(NotImplementedError, match="Trying to update a Tensor "):
            optimizer.apply_gradients([(tf.constant(2.0), tf.constant(1.0))])
