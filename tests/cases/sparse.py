"""Sparse tensors: the derivative of their values."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, between, distinct, normal

from retrograd import tf
from retrograd.tf import raw_ops

PLACES = np.array([[0, 1], [1, 0], [1, 2]])
OTHERS = np.array([[0, 1], [0, 2]])
SHUFFLED = np.array([[1, 2], [0, 1], [1, 0]])
SHAPE = np.array([2, 3])
VALUES = (normal(3),)
APART = (distinct(3),)
TWO = (distinct(3), distinct(2, seed=1))


def sparse(values: Any, places: Any = PLACES) -> Any:
    return tf.SparseTensor(places, values, SHAPE)


def sums(x: Any, y: Any) -> Any:
    return tf.sparse_add(sparse(x), sparse(y, OTHERS)).values


def adjoint_product(x: Any, b: Any) -> Any:
    return tf.sparse_tensor_dense_matmul(sparse(x), b, adjoint_a=True, adjoint_b=True)


def filled(x: Any, default: Any) -> Any:
    return numbers(tf.sparse_fill_empty_rows(sparse(x, OTHERS), default)[0])


def slice_gradient(dy: Any) -> Any:
    return raw_ops.SparseSliceGrad(dy, PLACES, [0, 1], [[0, 0]])


def extremum(pick: Any) -> Any:
    return lambda x, y: numbers(pick(sparse(x), sparse(y, OTHERS)))


def split(x: Any) -> list[Any]:
    return [t for part in tf.sparse_split(sp_input=sparse(x), num_split=2, axis=1) for t in numbers(part)]


def raw_sum(x: Any, b: Any) -> Any:
    return raw_ops.SparseDenseCwiseAdd(PLACES, x, SHAPE, b)


def numbers(x: Any) -> list[Any]:
    return [x.indices, x.values, x.dense_shape]


ROWS = [
    Row("SparseToDense", lambda x, d: tf.sparse_to_dense(PLACES, SHAPE, x, d), (normal(3), np.float64(0.5))),
    Row("SparseReorder", lambda x: tf.sparse_reorder(sparse(x, SHUFFLED)).values, VALUES),
    Row("SparseTensorDenseMatMul", lambda x, b: tf.sparse_tensor_dense_matmul(sparse(x), b), (*VALUES, normal(3, 2))),
    Row("SparseTensorDenseMatMul", adjoint_product, (*VALUES, normal(4, 2)), label="adjoint"),
    Row("SparseAdd", sums, (normal(3), normal(2, seed=1)), orders=1, traced=False),
    Row("SparseTensorDenseAdd", lambda x, b: tf.sparse_add(sparse(x), b), (*VALUES, normal(2, 3))),
    Row("SparseReduceSum", lambda x: tf.sparse_reduce_sum(sparse(x), 1), VALUES),
    Row("SparseReduceSum", lambda x: tf.sparse_reduce_sum(sparse(x), keepdims=True), VALUES, label="of all"),
    Row("SparseReduceMax", lambda x: tf.sparse_reduce_max(sparse(x), 1), APART),
    Row("SparseReduceMax", lambda x: tf.sparse_reduce_max(sparse(x)), APART, label="of all"),
    Row("SparseReduceSumSparse", lambda x: numbers(tf.sparse_reduce_sum_sparse(sparse(x), 1)), VALUES),
    Row("SparseReduceMaxSparse", lambda x: numbers(tf.sparse_reduce_max_sparse(sparse(x), 1, True)), APART),
    Row("SparseSparseMaximum", extremum(tf.sparse_maximum), TWO),
    Row("SparseSparseMinimum", extremum(tf.sparse_minimum), TWO),
    Row("SparseDenseCwiseMul", lambda x, b: (sparse(x) * b).values, (*VALUES, normal(2, 3))),
    Row("SparseDenseCwiseMul", lambda x, b: (sparse(x) * b).values, (*VALUES, normal(1, 3)), label="by a row"),
    Row("SparseDenseCwiseMul", lambda x, b: (b * sparse(x)).values, (*VALUES, normal()), label="by a number"),
    Row("SparseDenseCwiseDiv", lambda x, b: (sparse(x) / b).values, (*VALUES, between(1, 2, 2, 1))),
    Row("SparseDenseCwiseDiv", lambda x, b: (sparse(x) / b).values, (*VALUES, between(1, 2)), label="by a number"),
    Row("SparseDenseCwiseAdd", raw_sum, (*VALUES, normal(3))),
    Row("SparseSoftmax", lambda x: tf.sparse_softmax(sparse(x)).values, VALUES),
    Row("SparseSplit", split, VALUES, traced=False),
    Row("SparseReshape", lambda x: numbers(tf.sparse_reshape(sparse(x), [3, -1]))[::2], VALUES, orders=0),
    Row("SparseConcat", lambda x: numbers(tf.sparse_concat(1, [sparse(x)] * 2)), VALUES, orders=0, traced=False),
    Row("SparseSlice", lambda x: numbers(tf.sparse_slice(sparse(x), [0, 1], [2, 2])), VALUES, traced=False),
    Row("SparseSliceGrad", slice_gradient, (normal(1),)),
    Row("SparseFillEmptyRows", filled, (normal(2), np.float64(9)), traced=False),
    Row("SparseFillEmptyRowsGrad", lambda dy: raw_ops.SparseFillEmptyRowsGrad([2, 0], dy), (normal(4),)),
]
