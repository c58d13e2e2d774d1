"""Sparse inputs and outputs of Keras models: matrices of SciPy, sparse tensors, datasets of them."""

import numpy as np
import pytest
import scipy.sparse

import retrograd.tf as tf

MATRIX = scipy.sparse.coo_matrix(np.float32([[0, 1, 0], [2, 0, 0], [0, 0, 3], [1, 0, 1]]))
SUMS = [[1], [2], [3], [2]]
ONES = np.ones((4, 1))

pytestmark = pytest.mark.usefixtures("mode")


class Dense(tf.keras.layers.Layer):
    def call(self, x):
        y = tf.sparse.to_dense(x)
        y.set_shape((None, 3))
        return y


def model_of_sums():
    x = tf.keras.Input(shape=(3,), sparse=True)
    model = tf.keras.Model(x, tf.keras.layers.Dense(1, kernel_initializer="ones")(Dense()(x)))
    model.compile("sgd", "mse")
    return model


def sparse_tensor():
    return tf.SparseTensor(np.stack([MATRIX.row, MATRIX.col], 1), MATRIX.data, MATRIX.shape)


def test_matrices_of_scipy_are_cut_into_batches():
    assert model_of_sums().predict(MATRIX).tolist() == SUMS
    assert model_of_sums().predict([MATRIX.tocsr()], batch_size=3).tolist() == SUMS
    assert model_of_sums().evaluate(MATRIX, ONES, verbose=0, batch_size=2) == 1.5
    assert model_of_sums().train_on_batch(MATRIX, ONES) == 1.5
    history = model_of_sums().fit(MATRIX, ONES, verbose=0, batch_size=2, validation_split=0.5).history
    assert history["loss"] == [0.5]


def test_a_matrix_of_another_width_is_refused():
    with pytest.raises(ValueError, match=r"to have shape \(3,\) but got array with shape \(2,\)"):
        model_of_sums().predict(MATRIX.tocsr()[:, :2])


def test_sparse_tensors_and_datasets_of_them():
    assert model_of_sums().predict(sparse_tensor(), steps=1).tolist() == SUMS
    assert model_of_sums().evaluate(sparse_tensor(), ONES, steps=1, verbose=0) == 1.5
    data = tf.data.Dataset.from_tensors((sparse_tensor(), ONES))
    assert model_of_sums().fit(data, verbose=0).history == {"loss": [1.5]}
    assert model_of_sums().predict(data).tolist() == SUMS


def test_sparse_tensors_with_values_are_cut_into_batches(mode):
    if mode == "graph":
        with pytest.raises(ValueError, match="you should specify the `steps`"):
            model_of_sums().predict(sparse_tensor())
        return
    assert model_of_sums().predict(sparse_tensor(), batch_size=3).tolist() == SUMS
    assert model_of_sums().fit(sparse_tensor(), ONES, batch_size=4, verbose=0).history == {"loss": [1.5]}


def test_sparse_outputs_are_joined():
    x = tf.keras.Input(shape=(3,))
    model = tf.keras.Model(x, tf.keras.layers.Lambda(tf.sparse.from_dense)(x))
    found = model.predict(MATRIX.toarray(), batch_size=3)
    assert found.dense_shape.tolist() == [4, 3]
    assert (
        scipy.sparse.coo_matrix((found.values, found.indices.T), (4, 3)).toarray().tolist() == MATRIX.toarray().tolist()
    )


def test_a_subclass_is_told_its_inputs():
    class Sums(tf.keras.Model):
        def call(self, x):
            return tf.reduce_sum(Dense()(x), 1, keepdims=True)

    model = Sums()
    model._set_inputs(tf.keras.Input(shape=(3,), sparse=True))
    assert model.predict(MATRIX).tolist() == SUMS
    with pytest.raises(ValueError, match="Model inputs are already set"):
        model._set_inputs(tf.keras.Input(shape=(3,), sparse=True))
