"""Datasets of Python generators."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.data import nest, structures
from retrograd.data.dataset import Dataset, _made
from retrograd.data.functions import ElementFunction
from retrograd.graph import dtypes
from retrograd.graph.convert import convert_n_to_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import bytes_of
from retrograd.ops import datasets as ops
from retrograd.ops.host import numpy_function


class _Generators:
    """The iterators over a generator function that passes through the dataset have begun, by number."""

    def __init__(self, generator: Callable[..., Any]) -> None:
        self.generator = generator
        self.lock = threading.Lock()
        self.numbers = itertools.count()
        self.arguments: dict[int, tuple[Any, ...]] = {}
        self.iterators: dict[int, Any] = {}

    def begin(self, *args: Any) -> Any:
        with self.lock:
            number = next(self.numbers)
            self.arguments[number] = args
        return np.array(number, np.int64)

    def iterator(self, number: Any) -> Any:
        key = int(number)
        if key not in self.iterators:
            self.iterators[key] = iter(self.generator(*self.arguments.pop(key)))
        return self.iterators[key]

    def end(self, number: Any) -> Any:
        self.iterators.pop(int(number), None)
        return np.array(0, np.int64)


def from_generator(
    generator: Callable[..., Any], output_types: Any, output_shapes: Any = None, args: Any = None
) -> Dataset:
    """What ``generator(*args)``, called anew for each pass, yields."""
    if not callable(generator):
        raise TypeError("`generator` must be callable.")
    if output_shapes is None:
        output_shapes = nest.map_structure(lambda _: TensorShape(None), output_types)
    else:
        output_shapes = nest.map_structure_up_to(output_types, TensorShape, output_shapes)
    tensors = () if args is None else tuple(convert_n_to_tensor(args, name="args"))
    types = [as_dtype(t) for t in nest.flatten(output_types)]
    shapes = nest.flatten(output_shapes)
    state = _Generators(generator)

    def get_iterator_id_fn(unused: Any) -> Any:
        return numpy_function(state.begin, tensors, dtypes.int64)

    def generator_next_fn(iterator_id: Tensor) -> Any:
        def generator_py_func(number: Any) -> list[np.ndarray]:
            return _checked(next(state.iterator(number)), output_types, types, shapes)

        values = numpy_function(generator_py_func, [iterator_id], types)
        for value, shape in zip(values, shapes, strict=True):
            value.set_shape(shape)
        return nest.pack_sequence_as(output_types, list(values))

    def finalize_fn(iterator_id: Tensor) -> Any:
        return numpy_function(state.end, [iterator_id], dtypes.int64)

    def flat_map_fn(dummy: Any) -> Dataset:
        return _generator_dataset(dummy, get_iterator_id_fn, generator_next_fn, finalize_fn)

    return Dataset.from_tensors(0).flat_map(flat_map_fn)


def _generator_dataset(argument: Any, init: Any, following: Any, finalize: Any) -> Dataset:
    name = "Dataset.from_generator()"
    spec = structures.spec_of(argument)
    first = ElementFunction(init, name, spec)
    each = ElementFunction(following, name, first.output_spec)
    last = ElementFunction(finalize, name, first.output_spec)
    arguments = [*structures.tensors_of(spec, argument), *first.captured]
    return _made(
        ops.GENERATOR, [], each.output_spec, arguments, each.captured, last.captured, init_func=first.attribute,
        next_func=each.attribute, finalize_func=last.attribute,
    )  # fmt: skip


def _checked(values: Any, output_types: Any, types: list[DType], shapes: list[TensorShape]) -> list[np.ndarray]:
    """What a generator has yielded as arrays.

    Raises:
      TypeError, ValueError: it is not of the structure, the dtypes or the shapes that were promised.
    """
    try:
        flat = nest.flatten_up_to(output_types, values)
    except (TypeError, ValueError):
        raise TypeError(
            "`generator` yielded an element that did not match the expected structure. The expected structure was "
            f"{output_types}, but the yielded element was {values}."
        ) from None
    arrays = []
    for value, dtype in zip(flat, types, strict=True):
        try:
            arrays.append(_array(value, dtype))
        except (TypeError, ValueError):
            raise TypeError(
                "`generator` yielded an element that could not be converted to the expected type. The expected type "
                f"was {dtype.name}, but the yielded element was {value}."
            ) from None
    for array, dtype, shape in zip(arrays, types, shapes, strict=True):
        if not shape.is_compatible_with(array.shape):
            raise ValueError(
                f"`generator` yielded an element of shape {array.shape} where an element of shape {shape} was expected."
            )
        assert array.dtype == np.dtype(dtype.np)
    return arrays


def _array(value: Any, dtype: DType) -> np.ndarray:
    if dtype is dtypes.string:
        return bytes_of(np.asarray(value, object))
    array = np.asarray(value, order="C")
    if array.dtype.kind in "OUS":
        raise TypeError
    return array.astype(dtype.np, copy=False)
