"""Ragged tensors as what models of Keras are given and give, in a graph and where ops run at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode

WORDS = [[1, 2], [3], [4, 5, 6], [7]]
TARGETS = np.array([[1.0], [2.0], [3.0], [4.0]], "f")


@pytest.fixture(params=["graph", "eager"])
def mode(request: Any) -> Iterator[str]:
    tf.keras.backend.clear_session()
    with eager_mode() if request.param == "eager" else tf.Graph().as_default():
        yield request.param


def _dense(name: str | None = None) -> Any:
    return tf.keras.layers.Lambda(lambda rows: rows.to_tensor(), name=name)


def _network() -> Any:
    words = tf.keras.Input((None,), ragged=True, name="words")
    embedded = tf.keras.layers.Embedding(10, 4, embeddings_initializer=tf.keras.initializers.Constant(0.5))(
        _dense()(words)
    )
    mean = tf.keras.layers.GlobalAveragePooling1D()(embedded)
    return tf.keras.Model(words, tf.keras.layers.Dense(1, kernel_initializer="ones")(mean))


def test_an_input_of_rows(mode: str) -> None:
    x = tf.keras.Input((None, None), ragged=True, dtype=tf.int32, name="rows")
    assert [p.name for p in (x.flat_values, *x.nested_row_splits)] == [
        "rows/flat_values:0", "rows/row_splits_0:0", "rows/row_splits_1:0"
    ]  # fmt: skip
    assert (x.shape.as_list(), x.ragged_rank, x._keras_history.layer.output_shape) == (
        [None, None, None], 2, [(None, None, None)]
    )  # fmt: skip
    assert x._keras_history.layer.get_config() == {
        "batch_input_shape": (None, None, None), "dtype": "int32", "sparse": False, "ragged": True, "name": "rows"
    }  # fmt: skip
    inner = tf.keras.Input((None, 3), ragged=True)
    assert (inner.ragged_rank, inner.flat_values.shape.as_list()) == (1, [None, 3])
    with pytest.raises(ValueError, match=r"^Cannot set both sparse and ragged to True in a Keras input"):
        tf.keras.Input((None,), ragged=True, sparse=True)


def test_a_model_of_rows_is_fitted(mode: str) -> None:
    """The losses are those of TensorFlow 1.15.5."""
    model = _network()
    model.compile("sgd", "mse", metrics=["mae"])
    rows = tf.ragged.constant(WORDS, dtype=tf.float32)
    np.testing.assert_array_equal(model.predict(rows), np.full((4, 1), 2.0))
    history = model.fit(rows, TARGETS, epochs=2, verbose=0, shuffle=False).history
    np.testing.assert_allclose(history["loss"], [1.5, 1.4608392715454102], rtol=1e-6)
    np.testing.assert_allclose(history["mean_absolute_error"], [1.0, 0.99776673], rtol=1e-6)
    wanted = model.predict(rows)
    np.testing.assert_allclose(model.predict({"words": rows}), wanted)
    dataset = tf.data.Dataset.from_tensor_slices(rows).batch(4)
    np.testing.assert_allclose(model.predict(dataset, steps=1), wanted)


def test_batches_hold_some_of_the_rows(mode: str) -> None:
    x = tf.keras.Input((None,), ragged=True)
    model = tf.keras.Model(x, tf.keras.layers.Lambda(lambda r: tf.reduce_sum(r, axis=1, keepdims=False))(x))
    rows = tf.ragged.constant(WORDS, dtype=tf.float32)
    np.testing.assert_array_equal(model.predict(rows, batch_size=3), [3, 3, 15, 7])


def test_outputs_of_rows_are_joined(mode: str) -> None:
    x = tf.keras.Input((None,), ragged=True)
    twice = tf.keras.layers.Concatenate(axis=1)([x, x])
    assert (twice.shape.as_list(), twice.ragged_rank) == ([None, None], 1)
    model = tf.keras.Model(x, [twice, _dense()(x)])
    ragged, dense = model.predict(tf.ragged.constant([[1.0, 2.0], [3.0]]))
    assert ragged.to_list() == [[1, 2, 1, 2], [3, 3]]
    assert dense.tolist() == [[1, 2], [3, 0]]
    again = tf.keras.models.clone_model(tf.keras.Model(x, twice))
    assert again.predict(tf.ragged.constant([[1.0], [], [2.0, 3.0]]), batch_size=2).to_list() == [
        [1, 1], [], [2, 3, 2, 3]
    ]  # fmt: skip


def test_rows_of_rows_are_cut_and_joined() -> None:
    from retrograd.keras.composites import joined, rows_of

    value = tf.compat.v1.ragged.constant_value([[[1], []], [], [[2, 3], [4], [5]], [[6]]])
    assert rows_of(value, slice(1, 3)).to_list() == [[], [[2, 3], [4], [5]]]
    assert rows_of(value, [3, 0]).to_list() == [[[6]], [[1], []]]
    assert joined([rows_of(value, slice(0, 3)), rows_of(value, slice(3, 4))]).to_list() == value.to_list()


def test_sequential_and_subclassed_models_take_declared_rows(mode: str) -> None:
    class Dense(tf.keras.Model):  # type: ignore[misc, name-defined]
        def call(self, x: Any) -> Any:
            return x.to_tensor()

    rows = tf.ragged.constant([[1.0, 2.0], [3.0]])
    sequential = tf.keras.Sequential([tf.keras.Input((None,), ragged=True), _dense()])
    assert sequential.predict(rows).tolist() == [[1, 2], [3, 0]]
    declared = Dense()
    declared._set_inputs(tf.keras.Input((None,), ragged=True))
    assert declared.predict(rows).tolist() == [[1, 2], [3, 0]]
    with pytest.raises(ValueError, match=r"^Please provide as model inputs either a single array or a list of arrays"):
        Dense().predict(rows)


def test_an_undeclared_sparse_input_is_refused() -> None:
    class Dense(tf.keras.Model):  # type: ignore[misc, name-defined]
        def call(self, x: Any) -> Any:
            return tf.sparse.to_dense(x)

    with eager_mode(), pytest.raises(ValueError, match=r"^All SparseTensor and RaggedTensor inputs must be explicitly"):
        Dense().predict(tf.SparseTensor([[0, 0]], [1.0], [2, 2]))


@pytest.mark.parametrize(
    ("shape", "rows", "rank", "said"),
    [
        ((None, 4), [[[1.0, 0]], [[2, 3]]], 1, r"expected .* to have shape \(None, 4\) but got array with shape \(N"),
        ((None,), [[[1.0]], [[2, 3]]], None, r"expected .* to have 2 dimensions, but got array with shape \(2, None, "),
        ((None, 2), [[[1.0, 0]], [[2, 3]]], 2, "The two structures don't have the same nested structure"),
    ],
)
def test_rows_of_another_shape_are_refused(shape: Any, rows: Any, rank: Any, said: str, mode: str) -> None:
    x = tf.keras.Input(shape, ragged=True)
    model = tf.keras.Model(x, _dense()(x))
    with pytest.raises(ValueError, match=said):
        model.predict(tf.ragged.constant(rows, ragged_rank=rank))
    with pytest.raises(ValueError, match="The two structures don't have the same nested structure"):
        model.predict(np.ones((2, 3), "f"))


def test_a_sparse_input_of_another_shape_is_refused() -> None:
    with eager_mode():
        x = tf.keras.Input((2, None), sparse=True)
        model = tf.keras.Model(x, tf.keras.layers.Lambda(tf.sparse.to_dense)(x))
        with pytest.raises(ValueError, match=r"to have shape \(2, None\) but got array with shape \(1, 3\)"):
            model.predict(tf.SparseTensor([[0, 0, 0]], [1.0], [2, 1, 3]))
