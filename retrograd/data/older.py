"""Transformations of ``tf.contrib.data`` that ``tf.data`` has in another form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.data import nest
from retrograd.data.dataset import Dataset, VariantDataset
from retrograd.data.experimental import Reducer, Transformation, parallel_interleave
from retrograd.data.iterators import make_one_shot_iterator
from retrograd.data.readers import TFRecordDataset
from retrograd.data.structures import from_legacy
from retrograd.data.tables import make_batched_features_dataset
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, asserts, comparison, indexing, reductions


def batch_and_drop_remainder(batch_size: Any) -> Transformation:
    """Batches of exactly ``batch_size`` elements."""
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(batch_size: Any, padded_shapes: Any, padding_values: Any = None) -> Transformation:
    """Batches of exactly ``batch_size`` elements, each filled up to ``padded_shapes``."""
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values, drop_remainder=True)


def sloppy_interleave(map_func: Callable[..., Any], cycle_length: Any, block_length: Any = 1) -> Transformation:
    """``parallel_interleave`` that need not keep the order."""
    return parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


def reduce_dataset(dataset: Dataset, reducer: Reducer) -> Any:
    """The state that ``reducer`` ends with.

    Raises:
      TypeError: ``dataset`` is none.
    """
    if not isinstance(dataset, Dataset):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")

    return dataset.reduce(reducer.init_func(np.int64(0)), reducer.reduce_func)


def read_batch_features(
    file_pattern: Any, batch_size: Any, features: dict[str, Any], reader: Any = TFRecordDataset,
    reader_args: Any = None, randomize_input: bool = True, num_epochs: int | None = None, capacity: int = 10000,
) -> Any:  # fmt: skip
    """The next batch of examples in files, as a dict of their features."""
    dataset = make_batched_features_dataset(
        file_pattern, batch_size, features, reader=reader, reader_args=reader_args, shuffle=randomize_input,
        num_epochs=num_epochs, shuffle_buffer_size=capacity,
    )  # fmt: skip
    return make_one_shot_iterator(dataset).get_next()


def assert_element_shape(expected_shapes: Any) -> Transformation:
    """The same elements, of which a run requires these shapes; what is None in them may be anything.

    Raises:
      ValueError: the shapes that are known already are others.
    """

    def applied(dataset: Dataset) -> Dataset:
        flat = [TensorShape(shape) for shape in nest.flatten_up_to(dataset.output_shapes, expected_shapes)]
        known = nest.flatten(dataset.output_shapes)
        merged = [a.merge_with(b) for a, b in zip(known, flat, strict=True)]

        def checked(*elements: Any) -> Any:
            tensors = [_of_shape(x, shape) for x, shape in zip(nest.flatten(elements), flat, strict=True)]
            found = nest.pack_sequence_as(elements, tensors)
            return found[0] if len(elements) == 1 else found

        whole = dataset.map(checked)
        shapes = nest.pack_sequence_as(dataset.output_shapes, merged)
        spec = from_legacy(dataset.output_types, shapes, dataset.output_classes)
        return VariantDataset(whole._variant_tensor, spec, [whole])

    return applied


def _of_shape(x: Tensor, shape: TensorShape) -> Tensor:
    """``x``, once its shape was found to be ``shape``."""
    if shape.ndims is None:
        return x
    sizes = arrays.shape(x)
    known = [(i, n) for i, n in enumerate(shape.as_list()) if n is not None]
    words = f"Expected shape for Tensor {x.name} is {shape} but saw shape: "
    checks = [asserts.Assert(comparison.equal(arrays.rank(x), shape.ndims), [words, sizes])]
    with control_dependencies(checks):
        places, wanted = [i for i, _ in known], [n for _, n in known]
        if known:
            same = comparison.equal(indexing.gather(sizes, places), wanted)
            checks.append(asserts.Assert(reductions.reduce_all(same), [words, sizes]))
    with control_dependencies(checks):
        return arrays.identity(x)
