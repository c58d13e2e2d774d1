"""``MultiDeviceIterator``: the elements of a dataset, to several devices in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.data import structures
from retrograd.data.dataset import Dataset
from retrograd.data.generators import _generator_dataset
from retrograd.data.iterators import Iterator
from retrograd.data.optionals import Optional, get_next_as_optional
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import device as on_device
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import control, iterators
from retrograd.ops import shared_iterators as ops


class MultiDeviceIterator:
    """Device ``i`` of ``n`` gets the elements ``i``, ``i + n``, and so on; what others do not ask for yet waits.

    Args:
      max_buffer_size: how many elements wait for a device in TensorFlow; here as many as there are.
      prefetch_buffer_size: how many elements each device is ahead.
    """

    def __init__(
        self, dataset: Dataset, devices: Sequence[str], max_buffer_size: int = 1, prefetch_buffer_size: int = 1,
        source_device: str = "/cpu:0",
    ) -> None:  # fmt: skip
        if not devices:
            raise ValueError("Attr 'devices' of 'MultiDeviceIterator' Op passed list of length 0 less than minimum 1.")
        self._devices = list(devices)
        self._element_spec = dataset.element_spec
        types, shapes = structures.flat_types(self._element_spec), structures.flat_shapes(self._element_spec)
        with on_device(source_device):
            whole = dataset._apply_options()
            handle = apply(
                ops.MULTI_DEVICE_ITERATOR, devices=self._devices, shared_name="", container="", output_types=types,
                output_shapes=shapes,
            )  # fmt: skip
            size = as_tensor(max_buffer_size, dtypes.int64, name="max_buffer_size")
            begun = apply(ops.MULTI_DEVICE_ITERATOR_INIT, whole._variant_tensor, handle, size)
        self._iterators: list[Any] = []
        for i, device in enumerate(self._devices):
            with on_device(device):
                own = _of_device(handle, begun, i, self._element_spec)
                if prefetch_buffer_size > 0:
                    own = own.prefetch(prefetch_buffer_size)
                self._iterators.append(iter(own) if default_graph().is_eager else _initializable(own))

    @property
    def initializer(self) -> Operation:
        """The op that begins anew; nothing where ops run at once, where the iterator has begun already."""
        if default_graph().is_eager:
            return control.no_op()
        return control.group(*[iterator.initializer for iterator in self._iterators])

    def get_next(self, device: str | None = None) -> Any:
        """The next element of each device, or of one.

        Raises:
          ValueError: there is no such device.
        """
        if device is not None:
            return self._iterators[self._devices.index(device)].get_next()
        return [iterator.get_next() for iterator in self._iterators]

    def get_next_as_optional(self) -> list[Optional]:
        """The next element of each device, or none."""
        return [get_next_as_optional(iterator) for iterator in self._iterators]

    @property
    def element_spec(self) -> Any:
        """The structure of the elements."""
        return self._element_spec


def _of_device(handle: Tensor, begun: Tensor, shard: int, spec: Any) -> Dataset:
    """The elements of one device."""

    def init(number: Tensor) -> Tensor:
        return number

    def following(incarnation: Tensor) -> Any:
        tensors = apply(
            ops.MULTI_DEVICE_ITERATOR_NEXT, handle, as_tensor(shard, dtypes.int32), incarnation,
            output_types=structures.flat_types(spec), output_shapes=structures.flat_shapes(spec),
        )  # fmt: skip
        return structures.element_of(spec, tensors)

    def finalize(incarnation: Tensor) -> Tensor:
        return incarnation

    return _generator_dataset(begun, init, following, finalize)


def _initializable(dataset: Dataset) -> Iterator:
    handle = apply(iterators.ITERATOR, container="", shared_name="", **dataset._flat_structure)
    return Iterator.of(handle, apply(iterators.MAKE_ITERATOR, dataset._variant_tensor, handle), dataset.element_spec)
