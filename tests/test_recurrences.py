"""LSTMs that a library computes in one call: which loops are known as such, and that the numbers stay the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.ops import onednn_library
from retrograd.ops.onednn_recurrence import Sequences
from retrograd.ops.onednn_recurrent_forms import is_worth_it
from retrograd.run import lowered_recurrences
from retrograd.run.found_recurrences import Recurrence
from retrograd.run.recurrences import recurrences

BATCH, STEPS, INPUTS, UNITS = 64, 5, 60, 68
ROWS = np.random.RandomState(0).standard_normal((BATCH, STEPS, INPUTS)).astype(np.float32)

needs_library = pytest.mark.skipif(onednn_library.library() is None, reason="oneDNN is not installed")


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Recurrence]:
    """The LSTMs that are found in what is compiled."""
    every: list[Recurrence] = []

    def noted(*arguments: Any) -> list[Recurrence]:
        new = recurrences(*arguments)
        every.extend(new)
        return new

    monkeypatch.setattr(lowered_recurrences, "recurrences", noted)
    return every


def steps(build: Callable[[tf.Tensor], tf.Tensor], monkeypatch: pytest.MonkeyPatch, mode: str) -> list[Any]:
    """The losses of three steps of training, and what the variables are in the end."""
    monkeypatch.setenv("RETROGRAD_JIT", mode)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        x = tf.placeholder(tf.float32, [None, STEPS, INPUTS])
        outputs = build(x)
        with tf.variable_scope("last"):
            loss = tf.reduce_mean(tf.square(tf.layers.dense(outputs, 3) - 0.1))
        train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        session.run(tf.global_variables_initializer())
        losses = [session.run([loss, train], {x: ROWS})[0] for _ in range(3)]
        return [losses, *session.run(tf.trainable_variables())]


def agree(build: Callable[[tf.Tensor], tf.Tensor], monkeypatch: pytest.MonkeyPatch) -> None:
    """Both tiers give the same numbers."""
    compiled, plain = steps(build, monkeypatch, "always"), steps(build, monkeypatch, "never")
    for x, y in zip(compiled, plain, strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-4, atol=2e-6)


def cell(kind: Any = tf.nn.rnn_cell.BasicLSTMCell, **options: Any) -> Any:
    return kind(UNITS, **options)


def whole(x: tf.Tensor) -> tf.Tensor:
    return tf.nn.dynamic_rnn(cell(), x, dtype=tf.float32)[0]


def last(x: tf.Tensor) -> tf.Tensor:
    return tf.nn.dynamic_rnn(cell(tf.nn.rnn_cell.LSTMCell, forget_bias=0.5), x, dtype=tf.float32)[0][:, -1]


def state(x: tf.Tensor) -> tf.Tensor:
    return tf.concat(tf.nn.dynamic_rnn(cell(), x, dtype=tf.float32)[1], 1)


def both_ways(x: tf.Tensor) -> tf.Tensor:
    return tf.concat(tf.nn.bidirectional_dynamic_rnn(cell(), cell(), x, dtype=tf.float32)[0], 2)


def embedded(x: tf.Tensor) -> tf.Tensor:
    return whole(tf.layers.dense(x, INPUTS))


def stacked(x: tf.Tensor) -> tf.Tensor:
    with tf.variable_scope("first"):
        x = whole(x)
    return whole(x)


def by_keras(x: tf.Tensor) -> tf.Tensor:
    outputs: tf.Tensor = tf.keras.layers.LSTM(UNITS, recurrent_activation="sigmoid", implementation=2)(x)
    return outputs


def by_hand(x: tf.Tensor) -> tf.Tensor:
    """Gates in another order, two products, the forget gate's bias in a variable; from the last row to the first."""
    wx, wh = [tf.get_variable(name, [n, 4 * UNITS]) for name, n in (("wx", INPUTS), ("wh", UNITS))]
    b = tf.get_variable("b", [4 * UNITS], initializer=tf.ones_initializer)

    def step(before: Any, row: tf.Tensor) -> Any:
        h, c = before
        o, f, g, i = tf.split(b + tf.matmul(h, wh) + tf.matmul(row, wx), 4, 1)
        c = tf.tanh(g) * tf.sigmoid(i) + c * tf.sigmoid(f)
        return tf.tanh(c) * tf.sigmoid(o), c

    zeros = tf.zeros([BATCH, UNITS])
    return tf.scan(step, tf.transpose(x, [1, 0, 2]), (zeros, zeros), reverse=True)[0][0]


def layers() -> Any:
    return tf.nn.rnn_cell.MultiRNNCell([cell(), cell()])


def several(x: tf.Tensor) -> tf.Tensor:
    outputs, (first, second) = tf.nn.dynamic_rnn(layers(), x, dtype=tf.float32)
    return tf.concat([outputs[:, 1], first.c, first.h, second.c], 1)


def in_one_op(x: tf.Tensor) -> tf.Tensor:
    return tf.nn.dynamic_rnn(tf.contrib.rnn.LSTMBlockCell(UNITS), x, dtype=tf.float32)[0]


def steps_of(x: tf.Tensor) -> list[tf.Tensor]:
    """As many as are known for a loop."""
    return [*tf.unstack(x, axis=1), *tf.unstack(0.7 * x, axis=1)]


def unrolled(x: tf.Tensor) -> tf.Tensor:
    return tf.nn.static_rnn(cell(), steps_of(x), dtype=tf.float32)[0][-1]


def unrolled_whole(x: tf.Tensor) -> tf.Tensor:
    return tf.stack(tf.nn.static_rnn(cell(), steps_of(tf.layers.dense(x, INPUTS)), dtype=tf.float32)[0], 1)


def unrolled_slices(x: tf.Tensor) -> tf.Tensor:
    rows = tf.layers.dense(tf.concat([x, 0.7 * x], 1), INPUTS)
    slices = [tf.squeeze(row, [1]) for row in tf.split(rows, 2 * STEPS, 1)]
    return tf.concat(
        tf.contrib.legacy_seq2seq.rnn_decoder(slices, layers().zero_state(BATCH, tf.float32), layers())[0], 1
    )


def unrolled_layers(x: tf.Tensor) -> tf.Tensor:
    return tf.concat(tf.nn.static_rnn(layers(), steps_of(x), dtype=tf.float32)[1][1], 1)


@needs_library
@pytest.mark.parametrize(
    ("build", "count"),
    [
        (whole, 1), (last, 1), (state, 1), (both_ways, 2), (embedded, 1), (stacked, 2), (by_keras, 1), (by_hand, 1),
        (several, 1), (in_one_op, 1), (unrolled, 1), (unrolled_whole, 1), (unrolled_layers, 1),
        (unrolled_slices, 1),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)  # fmt: skip
def test_an_lstm_is_found_however_it_is_written(
    build: Callable[[tf.Tensor], tf.Tensor], count: int, found: list[Recurrence], monkeypatch: pytest.MonkeyPatch
) -> None:
    agree(build, monkeypatch)
    assert len(found) == count
    assert all(r.gradient is not None for r in found)


def clipped(x: tf.Tensor) -> tf.Tensor:
    return tf.nn.dynamic_rnn(cell(tf.nn.rnn_cell.LSTMCell, cell_clip=1.0), x, dtype=tf.float32)[0]


def with_peepholes(x: tf.Tensor) -> tf.Tensor:
    return tf.nn.dynamic_rnn(cell(tf.nn.rnn_cell.LSTMCell, use_peepholes=True), x, dtype=tf.float32)[0]


def of_lengths(x: tf.Tensor) -> tf.Tensor:
    return tf.nn.dynamic_rnn(cell(), x, np.arange(BATCH) % STEPS, dtype=tf.float32)[0]


def with_another_activation(x: tf.Tensor) -> tf.Tensor:
    return tf.nn.dynamic_rnn(cell(activation=tf.nn.elu), x, dtype=tf.float32)[0]


def of_gates(x: tf.Tensor) -> tf.Tensor:
    return tf.nn.dynamic_rnn(cell(tf.nn.rnn_cell.GRUCell), x, dtype=tf.float32)[0]


def seen_inside(x: tf.Tensor) -> tf.Tensor:
    """Somebody reads c of every step, which the library keeps for itself."""

    class Open(tf.nn.rnn_cell.BasicLSTMCell):
        output_size = property(lambda self: 2 * UNITS)

        def call(self, inputs: Any, state: Any) -> Any:
            _, after = super().call(inputs, state)
            return tf.concat([after.c, after.h], 1), after

    return tf.nn.dynamic_rnn(Open(UNITS), x, dtype=tf.float32)[0]


@pytest.mark.parametrize(
    "build",
    [clipped, with_peepholes, of_lengths, with_another_activation, of_gates, seen_inside],
    ids=lambda f: f.__name__,
)
def test_what_is_another_loop_stays_one(
    build: Callable[[tf.Tensor], tf.Tensor], found: list[Recurrence], monkeypatch: pytest.MonkeyPatch
) -> None:
    agree(build, monkeypatch)
    assert not found


@needs_library
def test_an_lstm_without_its_gradient(found: list[Recurrence], monkeypatch: pytest.MonkeyPatch) -> None:
    results = []
    for mode in ("always", "never"):
        monkeypatch.setenv("RETROGRAD_JIT", mode)
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1)
            x = tf.placeholder(tf.float32, ROWS.shape)
            outputs, last = tf.nn.dynamic_rnn(cell(), x, dtype=tf.float32)
            session.run(tf.global_variables_initializer())
            results.append(session.run([outputs, last.c, last.h], {x: ROWS}))
    for x, y in zip(*results, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-6)
    assert [r.gradient for r in found] == [None]


def test_few_rows_and_small_products_are_left_to_xla() -> None:
    assert is_worth_it(Sequences(28, 100, 28, 128))
    assert not is_worth_it(Sequences(28, 20, 200, 200))
    assert not is_worth_it(Sequences(28, 32, 64, 64))
    assert not is_worth_it(Sequences(1000, 100, 28, 128))


def test_a_row_of_a_gradient_is_added_to_that_row_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No iteration goes through the gradients of all steps."""
    loops: list[Any] = []

    def noted(jaxpr: Any, consts: Any) -> list[Recurrence]:
        loops.extend(eqn for eqn in jaxpr.eqns if eqn.primitive.name == "scan")
        return []

    monkeypatch.setattr(lowered_recurrences, "recurrences", noted)
    agree(embedded, monkeypatch)
    whole_arrays = [
        v
        for loop in loops
        for eqn in loop.params["jaxpr"].eqns
        if eqn.primitive.name in ("add", "add_any")
        for v in eqn.outvars
        if v.aval.ndim == 3
    ]
    assert len(loops) == 2
    assert not whole_arrays
