"""Pooling as layers: the mean or the largest element of windows of lines, images and volumes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.layers import sizes
from retrograd.nn.layers.base import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.ops import arrays, max_pooling, permuting, pooling


class _Pooling(Layer):
    """One element of each window.

    Args:
      pool_size, strides: one integer, or one for each dimension of space.
      padding: ``"valid"``, or ``"same"``: outputs as many as inputs, over the strides.
      data_format: ``"channels_last"`` or ``"channels_first"``.

    Raises:
      ValueError: an argument is not of the right kind.
    """

    rank: int
    _pool: Callable[..., Tensor]

    def __init__(
        self, pool_size: Any, strides: Any, padding: str = "valid", data_format: str = "channels_last",
        name: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, **kwargs)
        if strides is None:
            raise ValueError("Argument `strides` must not be None.")
        self.pool_size = sizes.normalize_tuple(pool_size, self.rank, "pool_size")
        self.strides = sizes.normalize_tuple(strides, self.rank, "strides")
        self.padding = sizes.padding_of_keras(padding)
        self.data_format = sizes.normalize_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Any) -> Tensor:
        """Volumes with the channels first are turned round; so are lines."""
        if self.rank == 2:
            return self._pooled(inputs, self.pool_size, self.strides, self.data_format)
        first = self.data_format == "channels_first"
        height = 3 if first else 2
        if self.rank == 1:
            inputs = arrays.expand_dims(inputs, height)
        pool_size, strides = ([*n, 1] if self.rank == 1 else n for n in (self.pool_size, self.strides))
        if first:
            rank = len(inputs.shape)
            inputs = permuting.transpose(inputs, (0, *range(2, rank), 1))
        outputs = self._pooled(inputs, pool_size, strides, "channels_last")
        if first:
            outputs = permuting.transpose(outputs, (0, rank - 1, *range(1, rank - 1)))
        return arrays.squeeze(outputs, height) if self.rank == 1 else outputs

    def _pooled(self, inputs: Any, pool_size: Any, strides: Any, data_format: str) -> Tensor:
        first = data_format == "channels_first"
        window = [1, 1, *pool_size] if first else [1, *pool_size, 1]
        steps = [1, 1, *strides] if first else [1, *strides, 1]
        form = sizes.convert_data_format(data_format, len(window))
        return type(self)._pool(inputs, window, steps, self.padding.upper(), data_format=form)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).as_list()
        first = self.data_format == "channels_first"
        space = shape[2:] if first else shape[1:-1]
        given = zip(space, self.pool_size, self.strides, strict=True)
        new = [sizes.conv_output_length(n, k, self.padding, s) for n, k, s in given]
        return TensorShape([*shape[:2], *new] if first else [shape[0], *new, shape[-1]])

    def get_config(self) -> dict[str, Any]:
        config = {
            "pool_size": self.pool_size, "padding": self.padding, "strides": self.strides,
            "data_format": self.data_format,
        }  # fmt: skip
        return {**super().get_config(), **config}


class AveragePooling1D(_Pooling):
    __doc__: str | None = f"The mean of windows of lines.\n\n{_Pooling.__doc__}"
    rank, _pool = 1, staticmethod(pooling.avg_pool)


class AveragePooling2D(_Pooling):
    __doc__: str | None = f"The mean of windows of images.\n\n{_Pooling.__doc__}"
    rank, _pool = 2, staticmethod(pooling.avg_pool)


class AveragePooling3D(_Pooling):
    __doc__: str | None = f"The mean of windows of volumes.\n\n{_Pooling.__doc__}"
    rank, _pool = 3, staticmethod(pooling.avg_pool3d)


class MaxPooling1D(_Pooling):
    __doc__: str | None = f"The largest element of windows of lines.\n\n{_Pooling.__doc__}"
    rank, _pool = 1, staticmethod(max_pooling.max_pool)


class MaxPooling2D(_Pooling):
    __doc__: str | None = f"The largest element of windows of images.\n\n{_Pooling.__doc__}"
    rank, _pool = 2, staticmethod(max_pooling.max_pool)


class MaxPooling3D(_Pooling):
    __doc__: str | None = f"The largest element of windows of volumes.\n\n{_Pooling.__doc__}"
    rank, _pool = 3, staticmethod(max_pooling.max_pool3d)


def _function(kind: type[_Pooling], word: str) -> Callable[..., Tensor]:
    def function(
        inputs: Any, pool_size: Any, strides: Any, padding: str = "valid", data_format: str = "channels_last",
        name: Any = None,
    ) -> Any:  # fmt: skip
        return kind(pool_size, strides, padding=padding, data_format=data_format, name=name).apply(inputs)

    function.__name__ = function.__qualname__ = word
    function.__doc__ = f"The outputs of a ``{kind.__name__}`` for ``inputs``; see there."
    return function


average_pooling1d = _function(AveragePooling1D, "average_pooling1d")
average_pooling2d = _function(AveragePooling2D, "average_pooling2d")
average_pooling3d = _function(AveragePooling3D, "average_pooling3d")
max_pooling1d = _function(MaxPooling1D, "max_pooling1d")
max_pooling2d = _function(MaxPooling2D, "max_pooling2d")
max_pooling3d = _function(MaxPooling3D, "max_pooling3d")

AvgPool2D, MaxPool2D = AveragePooling2D, MaxPooling2D
avg_pool2d, max_pool2d = average_pooling2d, max_pooling2d
