"""Layers that look at data before training: ``Normalization``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from retrograd.data.dataset import INFINITE_CARDINALITY, Dataset
from retrograd.data.experimental import cardinality
from retrograd.data.iterators import get_legacy_output_shapes
from retrograd.graph import dtypes
from retrograd.graph.errors import OutOfRangeError
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.static import get_static_value
from retrograd.keras import backend as K
from retrograd.nn.layers.engine import Layer
from retrograd.ops import arrays


class Accumulator(NamedTuple):
    """What was seen: how many numbers in each place, their mean and their variance."""

    count: Any
    mean: Any
    variance: Any


class NormalizingCombiner:
    """Means and variances of arrays over all axes but ``axis``, of several parts put together."""

    def __init__(self, axis: Any) -> None:
        self.axis = axis

    def compute(self, values: Any, accumulator: Accumulator | None = None) -> Accumulator:
        """What is seen in ``values``, added to what was seen before."""
        values = np.asarray(values)
        kept = {axis % values.ndim for axis in np.ravel(self.axis).tolist()}
        over = tuple(i for i in range(values.ndim) if i not in kept)
        count = np.array(np.prod([values.shape[i] for i in over], dtype=np.int64), np.int32)
        wide = values.astype(np.float64)
        found = self._create_accumulator(count, wide.mean(over), wide.var(over))
        return found if accumulator is None else self.merge([accumulator, found])

    def merge(self, accumulators: Iterable[Accumulator]) -> Accumulator:
        """m = sum n_i m_i / N,  v = sum n_i (v_i + (m_i - m)^2) / N."""
        parts = list(accumulators)
        total = np.sum([part.count for part in parts], axis=0)
        mean = np.sum([part.mean * part.count for part in parts], axis=0) / total
        spread = [(part.variance + (part.mean - mean) ** 2) * part.count for part in parts]
        return self._create_accumulator(total, mean, np.sum(spread, axis=0) / total)

    def extract(self, accumulator: Accumulator) -> dict[str, Any]:
        """The values of the layer's variables, by their names."""
        return accumulator._asdict()

    def restore(self, output: Mapping[str, Any]) -> Accumulator:
        """What was seen, from the variables.

        Raises:
          RuntimeError: there are a mean or a variance and no count.
        """
        if output["count"] == 0 and (np.any(output["mean"]) or np.any(output["variance"])):
            raise RuntimeError(
                "The mean and/or variance of a Normalization preprocessing layer were set without also setting "
                "'count'. If 'count' is not also set, 'adapt' cannot be called unless the 'reset_state' arg is True."
            )
        return self._create_accumulator(output["count"], output["mean"], output["variance"])

    def serialize(self, accumulator: Accumulator) -> bytes:
        """What was seen as JSON."""
        return json.dumps({key: np.asarray(value).tolist() for key, value in accumulator._asdict().items()}).encode()

    def deserialize(self, encoded_accumulator: bytes) -> Accumulator:
        """What was seen, from JSON."""
        found = json.loads(encoded_accumulator)
        return self._create_accumulator(found["count"], found["mean"], found["variance"])

    def _create_accumulator(self, count: Any, mean: Any, variance: Any) -> Accumulator:
        return Accumulator(np.array(count), np.array(mean), np.array(variance))


class Normalization(Layer):
    """``(x - mean) / variance``, as TensorFlow 1.15.5 has it, with those of the data that ``adapt`` was shown.

    Args:
      axis: the axis or axes that have their own means; 0 may not be.

    Raises:
      ValueError: ``axis`` is 0.
    """

    _NormalizingCombiner = NormalizingCombiner

    def __init__(self, axis: Any = -1, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(dtype=dtype or K.floatx(), **kwargs)
        if axis == 0:
            raise ValueError("The argument 'axis' may not be 0.")
        self.axis = axis
        self._combiner = NormalizingCombiner(axis)

    def build(self, input_shape: Any) -> None:
        sizes = tuple(getattr(size, "value", size) for size in input_shape)
        self._broadcast = [1] * len(sizes)
        shape = []
        for axis in self.axis if isinstance(self.axis, Sequence) else (self.axis,):
            shape.append(sizes[axis])
            self._broadcast[axis] = sizes[axis]
        self.mean, self.variance = (
            self.add_weight(name, shape, dtype=dtypes.float32, initializer="zeros", trainable=False)
            for name in ("mean", "variance")
        )
        self.count = self.add_weight("count", [], dtype=dtypes.int32, initializer="zeros", trainable=False)
        super().build(input_shape)

    def adapt(self, data: Any, reset_state: bool = True) -> None:
        """Find the means and variances of an array, or of the batches of a dataset.

        Args:
          reset_state: whether what was seen before is forgotten.

        Raises:
          RuntimeError: it is not, and mean or variance were set without a count.
          ValueError: ``data`` is something else, or the dataset has no end.
        """
        if isinstance(data, np.ndarray):
            parts: Iterable[Any] = [data]
            shape = (None, *data.shape[1:])
        elif isinstance(data, Dataset):
            if _size(data) == INFINITE_CARDINALITY:
                raise ValueError(
                    'The dataset passed to "adapt()" has an infinite number of elements. Please use dataset.take(...) '
                    "to make the number of elements finite."
                )
            parts, shape = _elements(data), get_legacy_output_shapes(data)
        else:
            raise ValueError(f"adapt() requires a Dataset or a Numpy array as input, got {type(data)}")
        if not self.built:
            self.build(shape)
            self.built = True
        variables = {"count": self.count, "mean": self.mean, "variance": self.variance}
        seen = None
        if not reset_state:
            seen = self._combiner.restore(
                dict(zip(variables, K.batch_get_value(list(variables.values())), strict=True))
            )
            seen = seen if seen.count else None
        for part in parts:
            seen = self._combiner.compute(part, seen)
        if seen is not None:
            found = self._combiner.extract(seen)
            K.batch_set_value([(variable, found[name]) for name, variable in variables.items()])

    def call(self, inputs: Any) -> Any:
        mean, variance = (arrays.reshape(v, self._broadcast) for v in (self.mean, self.variance))
        return (inputs - mean) / variance

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "axis": self.axis}

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Set mean, variance and count; a count that is not given is 0."""
        super().set_weights([*weights, np.array(0)] if len(weights) == 2 else weights)


def _size(dataset: Dataset) -> int:
    found = cardinality(dataset)
    if executing_eagerly():
        return int(found.numpy())  # type: ignore[attr-defined]
    known = get_static_value(found)
    return int(K.get_session().run(found) if known is None else known)


def _elements(dataset: Dataset) -> Iterator[Any]:
    """The elements as arrays."""
    if executing_eagerly():
        for element in dataset:
            yield element.numpy()
        return
    iterator = dataset.make_initializable_iterator()
    element, session = iterator.get_next(), K.get_session()
    session.run(iterator.initializer)
    while True:
        try:
            yield session.run(element)
        except OutOfRangeError:
            return
