"""``tf.contrib.kernel_methods``: random features for kernels, a hinge loss of several classes.

z(x) = sqrt(2 / D) cos(W x + b) with W normal and b uniform, so that z(x) z(y) is nearly exp(-|x - y|^2 / 2 s^2).
Source: Rahimi and Recht, "Random features for large-scale kernel machines", 2007; TensorFlow 1.15.5's draws and nodes.
"""

from __future__ import annotations

import abc
import math
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn import losses
from retrograd.ops import activations, arithmetic, arrays, casts, checks, constants, joining, matrices, reductions
from retrograd.ops import indexing as indexing_ops
from retrograd.ops.trigonometry import cos


class InvalidShapeError(Exception):
    """A tensor has another shape than a mapper takes."""


class DenseKernelMapper(abc.ABC):
    """A map from points to features."""

    @abc.abstractmethod
    def map(self, input_tensor: Any) -> Any:
        """The features of each row."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The mapper's name."""

    @property
    @abc.abstractmethod
    def output_dim(self) -> int:
        """The number of features."""


class RandomFourierFeatureMapper(DenseKernelMapper):
    """``output_dim`` random features for the Gaussian kernel of width ``stddev``."""

    def __init__(
        self, input_dim: int, output_dim: int, stddev: float = 1.0, seed: int = 1, name: str | None = None
    ) -> None:
        self._input_dim = input_dim
        self._output_dim = output_dim
        self._stddev = stddev
        self._seed = seed
        self._name = name

    @property
    def name(self) -> str:
        return self._name or str(id(self))

    @property
    def input_dim(self) -> int:
        """The number of dimensions of a point."""
        return self._input_dim

    @property
    def output_dim(self) -> int:
        return self._output_dim

    def map(self, input_tensor: Any) -> Tensor:
        """Features of each row; the same ones in every call, and NumPy's generator is started anew by the seed.

        Raises:
          InvalidShapeError: the input is no matrix, or has another number of columns.
        """
        shape = input_tensor.shape
        if len(shape) != 2:
            raise InvalidShapeError(f"The shape of the tensor should be 2. Got {len(shape)} instead.")
        if shape[1] != self._input_dim:
            expected = f"expected {self._input_dim} input features, got {shape[1]} instead"
            raise InvalidShapeError(f"Invalid dimension: {expected}.")
        np.random.seed(self._seed)
        draws = np.random.normal(scale=1.0 / self._stddev, size=[self._input_dim, self._output_dim])
        w = constants.constant(draws, dtype=dtypes.float32)
        b = constants.constant(np.random.uniform(0.0, 2 * np.pi, [self._output_dim]), dtype=dtypes.float32)
        return math.sqrt(2.0 / self._output_dim) * cos(arithmetic.add(matrices.matmul(input_tensor, w), b))


def sparse_multiclass_hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = losses.Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """max(0, max_j (1 + z_j - z_y)) over the other classes j, for the class y.

    Raises:
      ValueError: a rank or a dtype is not possible.
    """
    with name_scope(scope, "sparse_multiclass_hinge_loss", (logits, labels)) as scope:
        rank = logits.shape.ndims
        if rank != 2:
            raise ValueError(f"logits should have rank 2 ([batch_size, num_classes]). Given rank is {rank}")
        shape = arrays.shape(logits)
        batch, classes = shape[0], shape[1]
        logits = casts.cast(logits, dtypes.float32)
        if labels.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError(f"Invalid dtype for labels: {labels.dtype}. Acceptable dtypes: int32 and int64")
        rank = labels.shape.ndims
        if rank not in (1, 2):
            raise ValueError(f"labels should have rank 1 ([batch_size]) or 2 ([batch_size, 1]). Given rank is {rank}")
        with control_dependencies([checks.assert_less(labels, casts.cast(classes, labels.dtype))]):
            labels = arrays.reshape(labels, shape=[-1])
        weights = as_tensor(weights)
        if weights.shape.ndims not in (0, 1, 2):
            raise ValueError(
                f"non-scalar weights should have rank 1 ([batch_size]) or 2 ([batch_size, 1]). Given rank is {rank}"
            )
        if weights.shape.ndims > 0:
            weights = arrays.reshape(weights, shape=[-1])
            weights.shape.assert_is_compatible_with(labels.shape)
        rows = arrays.reshape(constants.range_(batch), shape=[batch, 1])
        columns = arrays.reshape(casts.cast(labels, rows.dtype), shape=[batch, 1])
        of_labels = indexing_ops.gather_nd(logits, joining.concat([rows, columns], axis=1))
        of_labels = arrays.reshape(of_labels, shape=[batch, 1])
        others = indexing_ops.one_hot(labels, depth=classes, on_value=0.0, off_value=1.0)
        margin = activations.relu(logits - of_labels + others)
        loss = reductions.reduce_max(margin, axis=1)
        return losses.compute_weighted_loss(loss, weights, scope, loss_collection, reduction=reduction)
