"""Initializers that keep lengths: orthogonal matrices and convolutions, and the identity."""

from __future__ import annotations

import itertools
import math
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    constants,
    diagonals,
    grids,
    joining,
    matrices,
    orthogonal,
    permuting,
    random,
    rounding,
    scattering,
    slicing,
)
from retrograd.state.initializers import Draws, Initializer, draws, floating

Grid = dict[tuple[int, ...], Any]  # the matrices of a convolution kernel, by their place in it


class Orthogonal(Initializer):
    """``gain`` times a matrix whose rows or columns, whichever are fewer, are orthonormal.

    A tensor of more dimensions is such a matrix of all dimensions but the last by the last.
    """

    _options = ("gain", "seed")

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.gain, self.dtype, self.seed = gain, floating(dtype), seed

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return self.drawn(draws(self.seed), shape, dtype or self.dtype)

    def drawn(self, draws: Draws, shape: Any, dtype: Any) -> Tensor:
        """A variable of this shape."""
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        rows, columns = math.prod(int(n) for n in shape[:-1]), int(shape[-1])
        q = _random_orthogonal(max(rows, columns), min(rows, columns), dtype, draws)
        if rows < columns:
            q = permuting.matrix_transpose(q)
        result: Tensor = self.gain * arrays.reshape(q, shape)
        return result


def _random_orthogonal(rows: int, columns: int, dtype: Any, draws: Draws) -> Any:
    """Orthonormal columns, uniformly distributed: q of a normal matrix, with the signs of r's diagonal."""
    normal = draws.normal([rows, columns] if rows == columns else (rows, columns), dtype=dtype)
    q, r = orthogonal.qr(normal, full_matrices=False)
    return q * rounding.sign(diagonals.diag_part(r))


class ConvolutionDeltaOrthogonal(Initializer):
    """``gain`` times a convolution: an orthogonal matrix at the kernel's centre, zero elsewhere."""

    _options = ("gain", "seed")

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.gain, self.dtype, self.seed = gain, floating(dtype), seed

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        dtype = dtype or self.dtype
        if len(shape) < 3 or len(shape) > 5:
            raise ValueError("The tensor to initialize must be at least three-dimensional and at most five-dimensional")
        if shape[-2] > shape[-1]:
            raise ValueError("In_filters cannot be greater than out_filters.")
        q = _random_orthogonal(shape[-1], shape[-1], dtype, draws(self.seed))
        q = slicing.slice_helper(q, (slice(None, shape[-2]), slice(None)))
        q = q * casts.cast(self.gain, dtype)
        centre = [[(n - 1) // 2 for n in shape[:-2]]]
        return scattering.scatter_nd(centre, arrays.expand_dims(q, 0), shape)


class ConvolutionOrthogonal(Initializer):
    """``gain`` times a random convolution that keeps lengths.

    It is a product of orthogonal kernels of size 2 (Xiao et al., 2018).
    """

    _options = ("gain", "seed")
    _dimensions = 0

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.gain, self.dtype, self.seed = gain, floating(dtype), seed

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        dtype = dtype or self.dtype
        number = {1: "three", 2: "four", 3: "five"}[self._dimensions]
        if len(shape) != self._dimensions + 2:
            raise ValueError(f"The tensor to initialize must be {number}-dimensional")
        if shape[-2] > shape[-1]:
            raise ValueError("In_filters cannot be greater than out_filters.")
        if any(n != shape[0] for n in shape[1:-2]):
            raise ValueError("Kernel sizes must be equal.")
        kernel = self._orthogonal_kernel(shape[0], shape[-2], shape[-1])
        result: Tensor = kernel * casts.cast(self.gain, dtype)
        return result

    def _next_seed(self) -> int | None:
        seed = self.seed
        if seed:
            self.seed = seed + 1
        return seed

    def _orthogonal_matrix(self, n: int) -> Any:
        return _random_orthogonal(n, n, self.dtype, draws(self._next_seed()))

    def _symmetric_projection(self, n: int) -> Any:
        """q m q' with random zeros and ones on the diagonal of m: its own square."""
        q = self._orthogonal_matrix(n)
        mask = casts.cast(random.random_normal([n], seed=self._next_seed()) > 0, self.dtype)
        c = arithmetic.multiply(q, mask)
        return matrices.matmul(c, permuting.matrix_transpose(c))

    def _orthogonal_kernel(self, size: int, inputs: int, outputs: int) -> Any:
        if inputs > outputs:
            raise ValueError("The number of input channels cannot exceed the number of output channels.")
        q = self._orthogonal_matrix(outputs)
        rows = slicing.slice_helper(q, (slice(0, inputs), slice(None)))
        if size == 1:
            for _ in range(self._dimensions):
                rows = arrays.expand_dims(rows, 0)
            return rows
        kernel = self._small_kernel(outputs)
        for _ in range(size - 2):
            kernel = self._convolved(kernel, self._small_kernel(outputs))
        for place in kernel:
            kernel[place] = matrices.matmul(rows, kernel[place])
        return _stacked(kernel, size, self._dimensions)

    def _small_kernel(self, n: int) -> Grid:
        return self._block_orth(*[self._symmetric_projection(n) for _ in range(self._dimensions)])

    def _block_orth(self, *projections: Any) -> Grid:
        """A kernel of size 2: at each place the product of p or I - p, one factor per dimension."""
        raise NotImplementedError

    def _convolved(self, a: Grid, b: Grid) -> Grid:
        """The kernel of two convolutions in turn."""
        dimensions = self._dimensions
        size_a, size_b = (round(len(m) ** (1 / dimensions)) for m in (a, b))
        size = size_a + size_b - 1
        n = next(iter(a.values())).shape.as_list()[0]
        result: Grid = {}
        for place in itertools.product(range(size), repeat=dimensions):
            result[place] = constants.zeros([n, n], self.dtype)
            for first in itertools.product(*(range(min(size_a, i + 1)) for i in place)):
                second = tuple(i - j for i, j in zip(place, first, strict=True))
                if all(j < size_b for j in second):
                    result[place] = result[place] + matrices.matmul(a[first], b[second])
        return result


def _stacked(grid: Grid, size: int, dimensions: int, place: tuple[int, ...] = ()) -> Any:
    if len(place) == dimensions:
        return grid[place]
    return joining.stack([_stacked(grid, size, dimensions, (*place, i)) for i in range(size)])


class ConvolutionOrthogonal1D(ConvolutionOrthogonal):
    """An orthogonal convolution over one dimension."""

    _dimensions = 1

    def _block_orth(self, *projections: Any) -> Grid:
        (p,) = projections
        rest = grids.eye(p.shape.as_list()[0], dtype=self.dtype)
        return {(0,): p, (1,): rest - p}


class ConvolutionOrthogonal2D(ConvolutionOrthogonal):
    """An orthogonal convolution over two dimensions."""

    _dimensions = 2

    def _block_orth(self, *projections: Any) -> Grid:
        p, q = projections
        if p.shape.as_list() != q.shape.as_list():
            raise ValueError("The dimension of the matrices must be the same.")
        one = grids.eye(p.shape.as_list()[0], dtype=self.dtype)
        return {
            (0, 0): matrices.matmul(p, q), (0, 1): matrices.matmul(p, one - q),
            (1, 0): matrices.matmul(one - p, q), (1, 1): matrices.matmul(one - p, one - q),
        }  # fmt: skip


class ConvolutionOrthogonal3D(ConvolutionOrthogonal):
    """An orthogonal convolution over three dimensions."""

    _dimensions = 3

    def _block_orth(self, *projections: Any) -> Grid:
        if len({tuple(p.shape.as_list()) for p in projections}) > 1:
            raise ValueError("The dimension of the matrices must be the same.")
        one = grids.eye(projections[0].shape.as_list()[0], dtype=self.dtype)
        result: Grid = {}
        for place in itertools.product((0, 1), repeat=3):
            a, b, c = (i * p + (1 - i) * (one - p) for i, p in zip(place, projections, strict=True))
            result[place] = matrices.matmul(matrices.matmul(a, b), c)
        return result


class Identity(Initializer):
    """``gain`` times the identity matrix; a part of it for a part of a variable."""

    _options = ("gain",)

    def __init__(self, gain: float = 1.0, dtype: Any = dtypes.float32) -> None:
        self.gain, self.dtype = gain, floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        whole = shape if partition_info is None else partition_info.full_shape
        if len(whole) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        sizes = whole.as_list() if isinstance(whole, TensorShape) else whole
        value: Any = grids.eye(sizes[0], sizes[1], dtype=dtype or self.dtype)
        if partition_info is not None:
            value = slicing.slice_(value, partition_info.var_offset, shape)
        result: Tensor = self.gain * value
        return result


orthogonal_initializer = Orthogonal
identity_initializer = Identity
convolutional_delta_orthogonal = ConvolutionDeltaOrthogonal
convolutional_orthogonal_1d = ConvolutionOrthogonal1D
convolutional_orthogonal_2d = ConvolutionOrthogonal2D
convolutional_orthogonal_3d = ConvolutionOrthogonal3D
