"""Computations for a size that is known only when they run give what those for that size give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from retrograd import tf
from retrograd.run.bounded import NotBounded, Value, Walk
from retrograd.run.bounded_rules import RULES
from retrograd.run.varying import Sizes, bounds

LEAST, MOST = 5, 8
RANDOM = np.random.RandomState(0)
SHAPES: list[tuple[Any, ...]] = [(3, None), (3, None, 4), (None, None), (None,), (6, 4)]
ROWS = np.array([0, 2, 2])


def softmax(x: Any) -> Any:
    e = jnp.exp(x - jnp.max(x, -1, keepdims=True))
    return e / jnp.sum(e, -1, keepdims=True)


def attended(x: Any, y: Any) -> Any:
    return jnp.einsum("bt,btu->bu", softmax(x), y)


def long_while(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    """Attention: what is carried has an axis of the size, and so has what is the same in every iteration."""

    def body(state: Any) -> Any:
        k, weights, total = state
        weights = softmax(jnp.einsum("btu,u->bt", b, e[k]) + weights)
        return k + 1, weights, total + attended(weights, b)

    return lax.while_loop(lambda s: s[0] < 3, body, (0, jnp.zeros_like(a), jnp.zeros((3, 4))))


def scanned(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    return lax.scan(lambda x, row: (jnp.tanh(x) * row[0], x.sum(-1)), a, e)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "elementwise": lambda a, b, c, d, e: jnp.tanh(a) * 2.0 + a / (1.0 + a * a),
    "sums": lambda a, b, c, d, e: (a.sum(), b.sum(1), b.sum((0, 1)), c.sum(0), b.prod(1), a.mean(1), b.mean((1, 2))),
    "extremes": lambda a, b, c, d, e: (a.max(1), a.min(1), jnp.argmax(a, 1), jnp.argmin(c, 0), (a > -2).all(1)),
    "softmax": lambda a, b, c, d, e: (softmax(a), softmax(c)),
    "products": lambda a, b, c, d, e: (
        a @ c,
        jnp.einsum("bt,btu->bu", a, b),
        jnp.einsum("btu,bsu->bts", b, b),
        b @ e.T,
    ),
    "merged axes": lambda a, b, c, d, e: (b.reshape(-1, 4) @ e.T).reshape(3, -1, 6).sum(1),
    "merged and summed": lambda a, b, c, d, e: (b.reshape(-1, 4).max(0), b.reshape(-1).sum()),
    "turned": lambda a, b, c, d, e: (a.T, b.transpose(1, 0, 2), a[:, :, None], a[None]),
    "masked": lambda a, b, c, d, e: jnp.where(jnp.arange(a.shape[1]) < jnp.array([[1], [3], [5]]), a, 0.0),
    "sizes": lambda a, b, c, d, e: (a.sum(1) / a.shape[1], jnp.zeros(3) + a.shape[1] + 2, a.shape[1] * 3 + d.sum()),
    "rows": lambda a, b, c, d, e: (e[(d * 3).astype(int)], b[ROWS]),
    "added to rows": lambda a, b, c, d, e: e.at[(d * 5).astype(int)].add(b[0]),
    "running sums": lambda a, b, c, d, e: (jnp.cumsum(a, 1), lax.cumsum(a, 1, reverse=True), lax.cummax(c, 0)),
    "joined": lambda a, b, c, d, e: (jnp.concatenate([b, b], 2), jnp.stack([a, a], 1), jnp.tile(d[None], (2, 1))),
    "parts": lambda a, b, c, d, e: (b[:, :, 1:3], a[:, 0], a[:, :2], lax.dynamic_index_in_dim(b, 1)),
    "padded": lambda a, b, c, d, e: (jnp.pad(a, ((1, 0), (0, 0))), jnp.repeat(a[:, None], 2, 1)),
    "loops": long_while,
    "scans": scanned,
    "branches": lambda a, b, c, d, e: lax.cond(a[0, 0] > 0, lambda x: x * 2, lambda x: softmax(x), a),
    "gradients": lambda a, b, c, d, e: jax.grad(lambda x, y: jnp.sum(attended(x, y) ** 2), (0, 1))(a, b),
}
REFUSED: dict[str, Callable[..., Any]] = {
    "turned round": lambda a, b, c, d, e: a[:, ::-1],
    "without the last": lambda a, b, c, d, e: a[:, :-1],
    "joined along it": lambda a, b, c, d, e: jnp.concatenate([a, a], 1),
    "sorted": lambda a, b, c, d, e: jnp.sort(a, 1),
    "across": lambda a, b, c, d, e: a.T.reshape(3, -1),
    "another function": lambda a, b, c, d, e: a * 2 if a.shape[1] > 6 else a,
    "a root of it": lambda a, b, c, d, e: a / np.sqrt(a.shape[1]).astype(np.float32),
    "random": lambda a, b, c, d, e: a + jax.random.uniform(jax.random.key(0), a.shape),
}


def given(size: int) -> list[np.ndarray]:
    return [RANDOM.uniform(-1, 1, [size if n is None else n for n in s]).astype(np.float32) for s in SHAPES]


def bounded(function: Callable[..., Any], arrays: list[np.ndarray], size: int, zeros: bool) -> list[Any]:
    """What the computation for all sizes gives for this one; behind the ends of arrays stand zeros, or nan."""
    traces = []
    for n in (LEAST, MOST):
        kinds = [jax.ShapeDtypeStruct([n if m is None else m for m in s], np.float32) for s in SHAPES]
        traces.append(jax.make_jaxpr(function)(*kinds))

    def run(number: Any, *longer: Any) -> list[Any]:
        walk = Walk(RULES, LEAST, MOST, number)
        axes = [tuple([(n,) for n in s]) for s in SHAPES]
        found = walk.through(*traces, [Value(x, a, zeros) for x, a in zip(longer, axes, strict=True)])
        ends[:] = [v.axes for v in found]
        return [v.array for v in found]

    ends: list[Any] = []
    longer = []
    for x, s in zip(arrays, SHAPES, strict=True):
        whole = np.full([MOST if n is None else n for n in s], 0 if zeros else np.nan, np.float32)
        whole[tuple(map(slice, x.shape))] = x
        longer.append(whole)
    results = jax.jit(run)(np.int32(size), *longer)
    return [
        np.asarray(x)[tuple([slice(size if axis == (None,) else None) for axis in a])]
        for x, a in zip(results, ends, strict=True)
    ]


@pytest.mark.parametrize("zeros", [True, False])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_any_size_gives_what_its_own_computation_gives(name: str, zeros: bool) -> None:
    for size in (LEAST, LEAST + 1, MOST):
        arrays = given(size)
        arrays[3] = np.abs(arrays[3])
        expected = jax.tree.leaves(FUNCTIONS[name](*map(jnp.asarray, arrays)))
        found = bounded(FUNCTIONS[name], arrays, size, zeros)
        assert len(found) == len(expected)
        for mine, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", REFUSED)
def test_what_depends_on_the_size_in_another_way_is_refused(name: str) -> None:
    with pytest.raises(NotBounded):
        bounded(REFUSED[name], given(6), 6, True)


def test_sizes_that_change_together_are_one() -> None:
    sizes = Sizes()
    assert sizes.varying((128, 20, 64, 20)) is None
    assert sizes.varying((128, 30, 64, 30)) == (30, frozenset((1, 3)))
    assert sizes.varying((128, 3, 64, 3)) is None  # products of so few terms are computed otherwise
    assert sizes.varying((128, 30, 64, 31)) is None
    assert sizes.varying((77, 30, 64, 30)) == (30, frozenset((1, 3)))  # another batch is another computation
    assert [bounds(n) for n in (5, 8, 9, 32, 33)] == [(5, 8), (5, 8), (9, 16), (17, 32), (33, 64)]


@pytest.mark.parametrize("kind", ["LuongAttention", "BahdanauAttention"])
def test_attention_to_memories_of_any_length(wholes: list[int], monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Decoders and their gradients are computed for a range of lengths."""
    found = {}
    for mode in ("never", "auto"):
        monkeypatch.setenv("RETROGRAD_JIT", mode)
        random = np.random.RandomState(1)
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.set_random_seed(2)
            x, xs = tf.placeholder(tf.float64, [None, None, 3]), tf.placeholder(tf.int32, [None])
            y, ys = tf.placeholder(tf.float64, [None, None, 3]), tf.placeholder(tf.int32, [None])
            memory = tf.layers.dense(x, 4, tf.tanh)
            attention = getattr(tf.contrib.seq2seq, kind)(4, memory, xs, dtype=tf.float64)
            cell = tf.contrib.seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(4), attention, 4, alignment_history=True)
            decoder = tf.contrib.seq2seq.BasicDecoder(
                cell, tf.contrib.seq2seq.TrainingHelper(y, ys), cell.zero_state(tf.shape(x)[0], tf.float64)
            )
            outputs, state, _ = tf.contrib.seq2seq.dynamic_decode(decoder)
            history = state.alignment_history.stack()
            loss = tf.reduce_sum(tf.square(outputs.rnn_output)) + tf.reduce_sum(history**3)
            fetches = [loss, history, *tf.gradients(loss, [x, y, *tf.trainable_variables()])]
            sess.run(tf.global_variables_initializer())
            runs = found[mode] = []
            for length, steps in ((7, 2), (6, 3), (5, 2), (8, 4), (3, 2)):
                sizes = {xs: [length, 2], ys: [steps, 1]}
                feeds = {x: random.normal(size=(2, length, 3)), y: random.normal(size=(2, steps, 3))}
                runs.append(sess.run(fetches, {**sizes, **feeds}))
    for one, other in zip(found["auto"], found["never"], strict=True):
        for mine, theirs in zip(one, other, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9)
    assert [n for n in wholes if n] == [6, 6, 5, 5, 8, 8]
