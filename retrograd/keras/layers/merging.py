"""Layers of several inputs: their sum, product, mean, extremum, what they have in common, one after the other."""

from __future__ import annotations

from typing import Any

from retrograd.graph.shapes import TensorShape
from retrograd.keras import backend as K
from retrograd.nn.layers.engine import Layer
from retrograd.ops import arithmetic, arrays, constants


class _Merge(Layer):
    """One output of inputs that broadcast."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def _merged(self, inputs: list[Any]) -> Any:
        raise NotImplementedError

    def build(self, input_shape: Any) -> None:
        if not isinstance(input_shape, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        if len(input_shape) < 2:
            raise ValueError(
                f"A merge layer should be called on a list of at least 2 inputs. Got {len(input_shape)} inputs."
            )
        shapes = [tuple(TensorShape(s).as_list()) if TensorShape(s).ndims is not None else None for s in input_shape]
        batches = {s[0] for s in shapes if s is not None} - {None}
        if len(batches) > 1:
            raise ValueError(f"Can not merge tensors with different batch sizes. Got tensors with shapes : {shapes}")
        ranks = {None if s is None else len(s) for s in shapes}
        self._needs_reshape = None in ranks or len(ranks) > 1
        merged: Any = None if shapes[0] is None else shapes[0][1:]
        for s in shapes[1:]:
            merged = _broadcast(merged, None if s is None else s[1:])
        self.built = True

    def call(self, inputs: Any) -> Any:
        if not isinstance(inputs, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        if not self._needs_reshape:
            return self._merged(inputs)
        rank = max(K.ndim(x) or 0 for x in inputs)
        aligned = []
        for x in inputs:
            for _ in range(rank - (K.ndim(x) or 0)):
                x = arrays.expand_dims(x, axis=1)
            aligned.append(x)
        return self._merged(aligned)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shapes = [tuple(TensorShape(s).as_list()) for s in input_shape]
        merged: Any = shapes[0][1:]
        for s in shapes[1:]:
            merged = _broadcast(merged, s[1:])
        batches = {s[0] for s in shapes} - {None}
        return TensorShape([batches.pop() if len(batches) == 1 else None, *merged])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        if not _given(inputs, mask):
            return None
        masks = [arrays.expand_dims(m, axis=0) for m in mask if m is not None]
        return K.all_(K.concatenate(masks, axis=0), axis=0, keepdims=False)


def _given(inputs: Any, mask: Any) -> bool:
    """Whether any input has a mask.

    Raises:
      ValueError: masks and inputs are not lists of equal length.
    """
    if mask is None:
        return False
    if not isinstance(mask, list):
        raise ValueError("`mask` should be a list.")
    if not isinstance(inputs, list):
        raise ValueError("`inputs` should be a list.")
    if len(mask) != len(inputs):
        raise ValueError("The lists `inputs` and `mask` should have the same length.")
    return any(m is not None for m in mask)


def _broadcast(a: Any, b: Any) -> Any:
    if a is None or b is None:
        return None
    if len(a) < len(b):
        a, b = b, a
    if not b:
        return a
    result = list(a[: len(a) - len(b)])
    for m, n in zip(a[-len(b) :], b, strict=True):
        if m is None or n is None:
            result.append(None)
        elif 1 in (m, n):
            result.append(m if n == 1 else n)
        elif m != n:
            raise ValueError(f"Operands could not be broadcast together with shapes {a} {b}")
        else:
            result.append(m)
    return tuple(result)


class Add(_Merge):
    """The sum of the inputs."""

    def _merged(self, inputs: list[Any]) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output = output + x
        return output


class Subtract(_Merge):
    """The first input without the second."""

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        if len(input_shape) != 2:
            raise ValueError("A `Subtract` layer should be called on exactly 2 inputs")

    def _merged(self, inputs: list[Any]) -> Any:
        if len(inputs) != 2:
            raise ValueError("A `Subtract` layer should be called on exactly 2 inputs")
        return inputs[0] - inputs[1]


class Multiply(_Merge):
    """The product of the inputs."""

    def _merged(self, inputs: list[Any]) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output = output * x
        return output


class Average(_Merge):
    """The mean of the inputs."""

    def _merged(self, inputs: list[Any]) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output = output + x
        return output / len(inputs)


class Maximum(_Merge):
    """The largest of the inputs, element by element."""

    def _merged(self, inputs: list[Any]) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output = arithmetic.maximum(output, x)
        return output


class Minimum(_Merge):
    """The smallest of the inputs, element by element."""

    def _merged(self, inputs: list[Any]) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output = arithmetic.minimum(output, x)
        return output


class Concatenate(_Merge):
    """The inputs one after the other along ``axis``."""

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        if not isinstance(input_shape, list) or len(input_shape) < 2:
            raise ValueError("A `Concatenate` layer should be called on a list of at least 2 inputs")
        shapes = [TensorShape(s) for s in input_shape]
        if all(s.ndims is None for s in shapes):
            return
        rest = []
        for s in shapes:
            sizes = s.as_list()
            del sizes[self.axis]
            rest.append(sizes)
        if any(len(r) != len(rest[0]) or any(a != b and None not in (a, b) for a, b in zip(r, rest[0], strict=True))
               for r in rest):  # fmt: skip
            raise ValueError(
                "A `Concatenate` layer requires inputs with matching shapes except for the concat axis. Got inputs "
                f"shapes: {[tuple(s.as_list()) for s in shapes]}"
            )
        self.built = True

    def call(self, inputs: Any) -> Any:
        if not isinstance(inputs, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        return K.concatenate(inputs, axis=self.axis)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        if not isinstance(input_shape, list):
            raise ValueError("A `Concatenate` layer should be called on a list of inputs.")
        shapes = [TensorShape(s).as_list() for s in input_shape]
        result = list(shapes[0])
        along = [s[self.axis] for s in shapes]
        known = [n for n in along if n is not None]
        result[self.axis] = sum(known) if len(known) == len(along) else None
        return TensorShape(result)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        if not _given(inputs, mask):
            return None
        masks: list[Any] = []
        for x, m in zip(inputs, mask, strict=True):
            if m is None:
                masks.append(constants.ones_like(x, dtype="bool"))
            elif (K.ndim(m) or 0) < (K.ndim(x) or 0):
                masks.append(arrays.expand_dims(m, -1))
            else:
                masks.append(m)
        return K.all_(K.concatenate(masks, axis=self.axis), axis=-1, keepdims=False)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "axis": self.axis}


class Dot(_Merge):
    """The product of two inputs over an axis of each, example by example."""

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(axes, int) and (not isinstance(axes, list | tuple) or len(axes) != 2):
            raise TypeError(f"Invalid type for `axes` - should be a list or an int. Received: {axes}")
        self.axes, self.normalize = axes, normalize

    def build(self, input_shape: Any) -> None:
        if not isinstance(input_shape, list) or len(input_shape) != 2:
            raise ValueError("A `Dot` layer should be called on a list of 2 inputs.")
        self.built = True

    def _pair(self, inputs: Any) -> list[int]:
        ranks = [K.ndim(x) or 0 for x in inputs]
        axes = [self.axes] * 2 if isinstance(self.axes, int) else list(self.axes)
        return [a % n for a, n in zip(axes, ranks, strict=True)]

    def _merged(self, inputs: list[Any]) -> Any:
        x, y = inputs
        axes = self._pair(inputs)
        if self.normalize:
            x, y = K.l2_normalize(x, axis=axes[0]), K.l2_normalize(y, axis=axes[1])
        return K.batch_dot(x, y, axes)

    def call(self, inputs: Any) -> Any:
        return self._merged(inputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        if not isinstance(input_shape, list) or len(input_shape) != 2:
            raise ValueError("A `Dot` layer should be called on a list of 2 inputs.")
        first, second = (TensorShape(s).as_list() for s in input_shape)
        axes = [self.axes] * 2 if isinstance(self.axes, int) else list(self.axes)
        first.pop(axes[0])
        second.pop(axes[1])
        result = first + second[1:]
        return TensorShape(result if len(result) > 1 else [*result, 1])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return None

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "axes": self.axes, "normalize": self.normalize}


def add(inputs: Any, **kwargs: Any) -> Any:
    """The sum of the inputs."""
    return Add(**kwargs)(inputs)


def subtract(inputs: Any, **kwargs: Any) -> Any:
    """The first input without the second."""
    return Subtract(**kwargs)(inputs)


def multiply(inputs: Any, **kwargs: Any) -> Any:
    """The product of the inputs."""
    return Multiply(**kwargs)(inputs)


def average(inputs: Any, **kwargs: Any) -> Any:
    """The mean of the inputs."""
    return Average(**kwargs)(inputs)


def maximum(inputs: Any, **kwargs: Any) -> Any:
    """The largest of the inputs."""
    return Maximum(**kwargs)(inputs)


def minimum(inputs: Any, **kwargs: Any) -> Any:
    """The smallest of the inputs."""
    return Minimum(**kwargs)(inputs)


def concatenate(inputs: Any, axis: int = -1, **kwargs: Any) -> Any:
    """The inputs one after the other."""
    return Concatenate(axis=axis, **kwargs)(inputs)


def dot(inputs: Any, axes: Any, normalize: bool = False, **kwargs: Any) -> Any:
    """The product of two inputs over an axis of each."""
    return Dot(axes=axes, normalize=normalize, **kwargs)(inputs)
