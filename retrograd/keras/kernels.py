"""Kernels between the rows of two matrices, and a layer whose outputs approximate them by their products."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.keras import initializers
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    exponentials,
    matrices,
    reductions,
    repeating,
    rounding,
    trigonometry,
)
from retrograd.ops.biases import bias_add
from retrograd.state.initializers import (
    Initializer,
    constant_initializer,
    random_normal_initializer,
    random_uniform_initializer,
)


def inner_product(u: Any, v: Any) -> Tensor:
    """``u[i] . v[j]`` for all rows i of ``u`` and j of ``v``; a vector is a matrix of one row."""
    return matrices.matmul(_as_matrix(u), _as_matrix(v), transpose_b=True)


def exact_gaussian_kernel(x: Any, y: Any, stddev: Any) -> Tensor:
    """``exp(-||x[i] - y[j]||^2 / (2 stddev^2))`` for all rows i of ``x`` and j of ``y``, of shape (rows, rows).

    Raises:
      ValueError: a rank is not 1 or 2, or the rows are not equally long.
    """
    x, y = _in_pairs(x, y)
    return exponentials.exp(-reductions.reduce_sum(arithmetic.squared_difference(x, y), 2) / (2 * stddev * stddev))


def exact_laplacian_kernel(x: Any, y: Any, stddev: Any) -> Tensor:
    """``exp(-||x[i] - y[j]||_1 / stddev)`` for all rows i of ``x`` and j of ``y``, of shape (rows, rows).

    Raises:
      ValueError: a rank is not 1 or 2, or the rows are not equally long.
    """
    x, y = _in_pairs(x, y)
    return exponentials.exp(-reductions.reduce_sum(rounding.abs_(arithmetic.subtract(x, y)), 2) / stddev)


def _as_matrix(u: Any) -> Tensor:
    u = as_tensor(u)
    if u.shape.ndims not in (1, 2):
        raise ValueError(f"The input tensor should have rank 1 or 2. Given rank: {u.shape.ndims}")
    return arrays.expand_dims(u, 0) if u.shape.ndims == 1 else u


def _in_pairs(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Every row of ``x`` beside every row of ``y``, twice in shape (rows of x, rows of y, length)."""
    x, y = _as_matrix(x), _as_matrix(y)
    if x.shape[1] != y.shape[1]:
        raise ValueError(
            f"The outermost dimensions of the input tensors should match. Given: {y.shape[1]} vs {x.shape[1]}."
        )
    rows = [y.shape[0], x.shape[0]]
    return (
        repeating.tile(arrays.expand_dims(x, 1), [1, rows[0], 1]),
        repeating.tile(arrays.expand_dims(y, 0), [rows[1], 1, 1]),
    )


_KINDS = ["gaussian", "laplacian"]


class RandomFourierFeatures(Layer):
    """``cos(x W / scale + b)`` with W and b drawn once: products of outputs approximate a kernel of the inputs.

    W is normal for the Gaussian kernel and Cauchy for the Laplacian one, b uniform in 0 to 2 pi (Rahimi and Recht,
    2007).  Inputs have shape (batch, size).

    Args:
      output_dim: how many features.
      kernel_initializer: ``"gaussian"``, ``"laplacian"``, or what draws W.
      scale: the width of the kernel; by default ``sqrt(size / 2)`` for the Gaussian one, else 1.

    Raises:
      ValueError: an argument or the shape of the inputs does not fit.
    """

    def __init__(
        self, output_dim: int, kernel_initializer: Any = "gaussian", scale: float | None = None,
        trainable: bool = False, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        if output_dim <= 0:
            raise ValueError(f"`output_dim` should be a positive integer. Given: {output_dim}.")
        if isinstance(kernel_initializer, str) and kernel_initializer.lower() not in _KINDS:
            raise ValueError(f"Unsupported kernel type: '{kernel_initializer}'. Supported kernel types: {_KINDS}.")
        if scale is not None and scale <= 0.0:
            raise ValueError(f"When provided, `scale` should be a positive float. Given: {scale}.")
        super().__init__(trainable=trainable, name=name, **kwargs)
        self.output_dim, self.kernel_initializer, self.scale = output_dim, kernel_initializer, scale

    def build(self, input_shape: Any) -> None:
        shape = TensorShape(input_shape)
        if shape.rank != 2:
            raise ValueError(f"The rank of the input tensor should be 2. Got {shape.ndims} instead.")
        size = shape[1].value
        if size is None:
            raise ValueError(
                "The last dimension of the inputs to `RandomFourierFeatures` should be defined. Found `None`."
            )
        self.input_spec = InputSpec(ndim=2, axes={1: size})
        kind = self.kernel_initializer.lower() if isinstance(self.kernel_initializer, str) else None
        drawn = {
            "gaussian": lambda: random_normal_initializer(stddev=1.0),
            "laplacian": lambda: constant_initializer(_cauchy((size, self.output_dim))),
        }.get(kind or "", lambda: self.kernel_initializer)()
        unscaled = self.add_weight(
            name="unscaled_random_features", shape=(size, self.output_dim), dtype="float32", initializer=drawn,
            trainable=False,
        )  # fmt: skip
        self.bias = self.add_weight(
            name="random_features_bias", shape=(self.output_dim,), dtype="float32",
            initializer=random_uniform_initializer(minval=0.0, maxval=2 * np.pi, dtype="float32"), trainable=False,
        )  # fmt: skip
        if self.scale is None:
            self.scale = float(np.sqrt(size / 2.0)) if kind == "gaussian" else 1.0
        scale = self.add_weight(
            name="random_features_scale", shape=(1,), dtype="float32", initializer=constant_initializer(self.scale),
            trainable=True, constraint="NonNeg",
        )  # fmt: skip
        self.kernel = (1.0 / scale) * unscaled
        super().build(shape)

    def call(self, inputs: Any) -> Tensor:
        x = apply(casts.CAST, as_tensor(inputs, dtype=self.dtype), DstT=dtypes.float32)
        return trigonometry.cos(bias_add(matrices.matmul(x, self.kernel), self.bias))

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).with_rank(2)
        if shape[-1].value is None:
            raise ValueError(f"The innermost dimension of input shape must be defined. Given: {shape}")
        return shape[:-1].concatenate(self.output_dim)

    def get_config(self) -> dict[str, Any]:
        initializer = self.kernel_initializer
        if isinstance(initializer, Initializer):
            initializer = initializers.serialize(initializer)
        config = {"output_dim": self.output_dim, "kernel_initializer": initializer, "scale": self.scale}
        return {**super().get_config(), **config}


def _cauchy(shape: tuple[int, int]) -> Any:
    """Draws of the standard Cauchy distribution, by its inverse."""
    return np.tan(np.pi * (np.random.uniform(size=shape) - 0.5))
