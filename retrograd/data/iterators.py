"""Iterators: ways through a dataset that a session keeps."""

from __future__ import annotations

import warnings
from typing import Any

from retrograd.data import nest, structures
from retrograd.eager.graph import eager_graph
from retrograd.eager.tensor import EagerTensor
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.errors import OutOfRangeError
from retrograd.graph.scopes import add_to_collection, device, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import iterators as ops
from retrograd.run.store import Memory

GET_NEXT_CALL_WARNING_THRESHOLD = 32
GET_NEXT_CALL_WARNING_MESSAGE = (
    "`Iterator.get_next()` was called more than 32 times. Each call adds an op to the graph, and none takes an "
    "element out: call it once, outside of the training loop, and run what it gives again and again."
)


class Iterator(structures.OfElements):
    """A way through a dataset."""

    _is_trackable = True

    def __init__(
        self, iterator_resource: Tensor, initializer: Any, output_types: Any, output_shapes: Any, output_classes: Any
    ) -> None:
        """The iterator that a handle stands for; mostly ``Dataset.make_initializable_iterator`` makes one.

        Args:
          iterator_resource: the handle, perhaps of an iterator that a file brought into the graph.
          initializer: the op that begins anew, or None.
          output_types, output_shapes, output_classes: of the elements, as of ``Dataset``.
        """
        self._hold(iterator_resource, initializer, _described(output_types, output_shapes, output_classes))

    @classmethod
    def of(cls, resource: Tensor, initializer: Any, element_spec: Any) -> Iterator:
        """The iterator over elements as ``element_spec`` says."""
        iterator = cls.__new__(cls)
        iterator._hold(resource, initializer, element_spec)
        return iterator

    def _hold(self, resource: Tensor, initializer: Any, element_spec: Any) -> None:
        self._iterator_resource = resource
        self._initializer = initializer
        self._element_spec = element_spec
        self._string_handle = apply(ops.TO_STRING_HANDLE, resource)
        self._get_next_call_count = 0
        add_to_collection("iterators", resource)

    @staticmethod
    def from_structure(
        output_types: Any, output_shapes: Any = None, shared_name: str | None = None, output_classes: Any = None
    ) -> Iterator:
        """An iterator that can be initialized with any dataset of these types; see ``make_initializer``."""
        spec = _described(output_types, output_shapes, output_classes)
        with device("/cpu:0"):
            handle = apply(
                ops.ITERATOR, container="", shared_name=shared_name or "",
                output_types=structures.flat_types(spec), output_shapes=structures.flat_shapes(spec),
            )  # fmt: skip
        return Iterator.of(handle, None, spec)

    @staticmethod
    def from_string_handle(
        string_handle: Any, output_types: Any, output_shapes: Any = None, output_classes: Any = None
    ) -> Iterator:
        """The iterator that has this handle, which a run can feed."""
        spec = _described(output_types, output_shapes, output_classes)
        string_handle = as_tensor(string_handle, dtypes.string)
        with device("/cpu:0"):
            handle = apply(
                ops.FROM_STRING_HANDLE_V2, string_handle, output_types=structures.flat_types(spec),
                output_shapes=structures.flat_shapes(spec),
            )  # fmt: skip
        return Iterator.of(handle, None, spec)

    @property
    def initializer(self) -> Any:
        """The op that begins anew.

        Raises:
          ValueError: the iterator needs none, or gets its dataset by ``make_initializer``.
        """
        if self._initializer is not None:
            return self._initializer
        raise ValueError("Iterator does not have an initializer.")

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """An op that begins with ``dataset``.

        Raises:
          TypeError: its elements are not of the iterator's types.
        """
        from retrograd.graph.scopes import colocate_with

        with name_scope(name, "make_initializer") as scope:
            found, wanted = dataset.element_spec, self._element_spec
            nest.assert_same_structure(structures.legacy_types(wanted), structures.legacy_types(found))
            nest.assert_same_structure(structures.legacy_shapes(wanted), structures.legacy_shapes(found))
            rows = zip(
                nest.flatten(structures.legacy_classes(wanted)), nest.flatten(structures.legacy_classes(found)),
                strict=True,
            )  # fmt: skip
            for mine, theirs in rows:
                if mine is not theirs and not isinstance(mine, structures.DatasetSpec):
                    raise TypeError(f"Expected output classes {self.output_classes!r} but got dataset with output "
                                    f"classes {dataset.output_classes!r}.")  # fmt: skip
            for mine, theirs in zip(structures.flat_types(wanted), structures.flat_types(found), strict=True):
                if mine != theirs:
                    raise TypeError(f"Expected output types {self.output_types!r} but got dataset with output types "
                                    f"{dataset.output_types!r}.")  # fmt: skip
            for mine, theirs in zip(structures.flat_shapes(wanted), structures.flat_shapes(found), strict=True):
                if not mine.is_compatible_with(theirs):
                    raise TypeError(f"Expected output shapes compatible with {self.output_shapes!r} but got dataset "
                                    f"with output shapes {dataset.output_shapes!r}.")  # fmt: skip
            with colocate_with(self._iterator_resource.op):
                return apply(ops.MAKE_ITERATOR, dataset._variant_tensor, self._iterator_resource, name=scope)

    def get_next(self, name: str | None = None) -> Any:
        """The next element; a run raises ``OutOfRangeError`` at the end.

        Each call adds an op: call it once, and run what it gives again and again.
        """
        self._get_next_call_count += 1
        if self._get_next_call_count > GET_NEXT_CALL_WARNING_THRESHOLD:
            warnings.warn(GET_NEXT_CALL_WARNING_MESSAGE, stacklevel=2)
        tensors = apply(
            ops.GET_NEXT, self._iterator_resource, name=name, output_types=structures.flat_types(self._element_spec),
            output_shapes=structures.flat_shapes(self._element_spec),
        )  # fmt: skip
        return structures.element_of(self._element_spec, tensors)

    def string_handle(self, name: str | None = None) -> Tensor:
        """A string by which runs can feed this iterator to another; see ``from_string_handle``."""
        if name is None:
            return self._string_handle
        return apply(ops.TO_STRING_HANDLE, self._iterator_resource, name=name)


class EagerIterator(structures.OfElements):
    """A way through a dataset, where ops run at once: Python's.

    Raises:
      RuntimeError: a graph is being built.

    >>> from retrograd.eager.context import eager_mode
    >>> from retrograd.data.dataset import Dataset
    >>> with eager_mode():
    ...     [int(x) for x in EagerIterator(Dataset.range(3))]
    [0, 1, 2]
    """

    _is_trackable = True

    def __init__(self, dataset: Any) -> None:
        if not default_graph().is_eager:
            raise RuntimeError(
                f"{type(self)} objects can only be used when eager execution is enabled, use "
                "tf.data.Dataset.make_initializable_iterator or tf.data.Dataset.make_one_shot_iterator for graph "
                "construction"
            )
        self._dataset = dataset._apply_options()
        self._element_spec = dataset.element_spec
        types, shapes = structures.flat_types(self._element_spec), structures.flat_shapes(self._element_spec)
        variant = self._dataset._variant_tensor
        state = ops.IteratorState("anonymous", list(types), [s._raw for s in shapes])
        store = eager_graph().store
        state.anew = variant.value_now, Memory(variant.op, store)
        state.begin(*state.anew)
        self._iterator_resource = EagerTensor(state, dtypes.resource)
        self._attrs = {"output_types": types, "output_shapes": shapes}

    def __iter__(self) -> EagerIterator:
        return self

    def __next__(self) -> Any:
        return self.next()

    def next(self) -> Any:
        """The next element.

        Raises:
          StopIteration: there is none.
        """
        try:
            return self.get_next()
        except OutOfRangeError:
            raise StopIteration from None

    def get_next(self, name: str | None = None) -> Any:
        """The next element.

        Raises:
          OutOfRangeError: there is none.
        """
        tensors = apply(ops.GET_NEXT_SYNC, self._iterator_resource, name=name, **self._attrs)
        return structures.element_of(self._element_spec, tensors)

    _next_internal = get_next  # as TensorFlow's own programs call it


def _described(output_types: Any, output_shapes: Any, output_classes: Any) -> Any:
    """The structure of elements of which nothing need be known but the types."""
    types = nest.map_structure(dtypes.as_dtype, output_types)
    if output_shapes is None:
        shapes = nest.map_structure(lambda _: TensorShape(None), types)
    else:
        shapes = nest.map_structure_up_to(types, TensorShape, output_shapes)
    classes = nest.map_structure(lambda _: Tensor, types) if output_classes is None else output_classes
    return structures.from_legacy(types, shapes, classes)


# -- functions of datasets ---------------------------------------------------------------------


def make_one_shot_iterator(dataset: Any) -> Iterator:
    """An iterator that goes through the elements once, and needs no initialization."""
    iterator: Iterator = dataset.make_one_shot_iterator()
    return iterator


def make_initializable_iterator(dataset: Any, shared_name: str | None = None) -> Iterator:
    """An iterator that begins anew whenever its ``initializer`` is run."""
    iterator: Iterator = dataset.make_initializable_iterator(shared_name)
    return iterator


def get_legacy_output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes of the parts of an element."""
    return structures.legacy_types(dataset_or_iterator.element_spec)


def get_legacy_output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes of the parts of an element."""
    return structures.legacy_shapes(dataset_or_iterator.element_spec)


def get_legacy_output_classes(dataset_or_iterator: Any) -> Any:
    """The classes of the parts of an element."""
    return structures.legacy_classes(dataset_or_iterator.element_spec)


def get_structure(dataset_or_iterator: Any) -> Any:
    """The structure of the elements."""
    return dataset_or_iterator.element_spec
