"""Iterators as ops: what a session keeps of its way through a dataset.

At run time a handle is the iterator's ``IteratorState``.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, type_word
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.values import in_array
from retrograd.ops import list_values
from retrograd.ops.dataset_states import Next, Scope, as_value, unwrapped
from retrograd.ops.queues import resource_of
from retrograd.ops.whole_files import texts

_numbers = itertools.count()


class IteratorState:
    """A way through a dataset, once it has been initialized with one."""

    def __init__(self, name: str, types: list[DType], shapes: list[RawShape]) -> None:
        self.name = name
        self.types = types
        self.shapes = shapes
        self.lock = threading.RLock()
        self.scope: Scope | None = None
        self.following: Next | None = None
        self.handle: bytes | None = None
        self.begun_by = ""  # the name of the op that gave it its dataset
        self.position = 0  # how many elements it was asked for since
        self.anew: tuple[Any, Any] | None = None  # the dataset and its notes, where no op of a graph gave them

    def begin(self, dataset: Any, memory: Any, source: Sequence[int] = ()) -> None:
        """Start at the beginning of a dataset; the seeds of its shuffles follow from ``source``, if that is given."""
        with self.lock:
            self.close()
            self.scope = Scope(memory, source=source)
            self.following = self.scope.begun(unwrapped(dataset))
            self.begun_by, self.position = memory.op.name, 0

    def next(self) -> list[Any]:
        """The next element.

        Raises:
          OutOfRangeError: there is none.
          FailedPreconditionError: there is no dataset yet.
        """
        with self.lock:
            if self.following is None:
                raise errors.FailedPreconditionError(
                    None, None, "GetNext() failed because the iterator has not been initialized. Ensure that you have "
                    "run the initializer operation for this iterator before getting the next element.",
                )  # fmt: skip
            self.position += 1
            try:
                return [as_value(value) for value in self.following()]
            except StopIteration:
                self.position -= 1
                raise errors.OutOfRangeError(None, None, "End of sequence") from None

    def close(self) -> None:
        """End the threads that compute ahead."""
        if self.scope is not None:
            self.scope.close()


_TYPED: dict[str, Any] = {"output_types": REQUIRED, "output_shapes": REQUIRED}
_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}


def _iterator(
    xp: Any, memory: Any, *, container: Any, shared_name: Any, output_types: list[DType], output_shapes: list[Any]
) -> Any:
    shapes = [s._raw for s in output_shapes]
    return resource_of(memory, container, shared_name, lambda name: IteratorState(name, list(output_types), shapes))


ITERATOR = define(
    "IteratorV2", "", "handle: resource", attrs={"shared_name": REQUIRED, "container": REQUIRED, **_TYPED},
    shape=lambda: (), kernel=_iterator, **_HOST,
)  # fmt: skip
define(
    "Iterator", "", "handle: resource", attrs={"shared_name": REQUIRED, "container": REQUIRED, **_TYPED},
    shape=lambda: (), kernel=_iterator, **_HOST,
)  # fmt: skip


def _make(xp: Any, memory: Any, dataset: Any, iterator: Any) -> list[Any]:
    iterator.begin(dataset, memory)
    return []


MAKE_ITERATOR = define(
    "MakeIterator", "dataset: variant, iterator: resource", "", shape=lambda dataset, iterator: [], kernel=_make,
    **_HOST,
)  # fmt: skip


def _one_shot(
    xp: Any, memory: Any, *, dataset_factory: Any, container: Any, shared_name: Any, output_types: list[DType],
    output_shapes: list[Any],
) -> Any:  # fmt: skip
    iterator: IteratorState = _iterator(
        xp, memory, container=container, shared_name=shared_name, output_types=output_types,
        output_shapes=output_shapes,
    )  # fmt: skip
    with iterator.lock:
        if iterator.following is None:
            iterator.begin(memory.call(dataset_factory)([])[0], memory)
    return iterator


ONE_SHOT = define(
    "OneShotIterator", "", "handle: resource",
    attrs={"dataset_factory": REQUIRED, **_TYPED, "container": "", "shared_name": ""}, shape=lambda: (),
    kernel=_one_shot, **_HOST,
)  # fmt: skip


def _next(xp: Any, memory: Any, iterator: Any) -> list[Any]:
    with memory.store.given_way():
        element: list[Any] = iterator.next()
        return element


def _known(iterator: Any, *, output_shapes: list[Any]) -> list[RawShape]:
    return [s._raw for s in output_shapes]


GET_NEXT, GET_NEXT_SYNC = (
    define(name, "iterator: resource", "components: *output_types", attrs=_TYPED, shape=_known, kernel=_next, **_HOST)
    for name in ("IteratorGetNext", "IteratorGetNextSync")
)


def _handle(xp: Any, memory: Any, iterator: Any) -> Any:
    with iterator.lock:
        if iterator.handle is None:
            iterator.handle = b"iterator %d of %s" % (next(_numbers), iterator.name.encode())
            memory.resource("iterators", iterator.handle.decode(), lambda: iterator)
        return in_array(iterator.handle)


TO_STRING_HANDLE = define(
    "IteratorToStringHandle", "resource_handle: resource", "string_handle: string", shape=lambda iterator: (),
    kernel=_handle, **_HOST,
)  # fmt: skip


def _from_handle(xp: Any, memory: Any, handle: Any, *, output_types: list[DType], output_shapes: list[Any]) -> Any:
    if np.ndim(handle):
        raise errors.InvalidArgumentError(None, None, "string_handle must be a scalar")
    name = texts(handle)[0].decode(errors="replace")
    found = memory.shared.resources.get(("iterators", name))
    _, is_handle, shared_name = name.partition(" of ")
    if found is None and is_handle:  # of another session; this one may have an iterator of the same shared name
        found = memory.shared.resources.get(("", shared_name))
        if found is None:
            raise errors.NotFoundError(None, None, f"Resource localhost/{shared_name} does not exist.")
    if not isinstance(found, IteratorState):
        raise errors.InvalidArgumentError(None, None, "Could not parse string_handle as a valid ResourceHandle")
    _check_types(found, list(output_types))
    _check_shapes(found, [s._raw for s in output_shapes])
    return found


def _check_types(iterator: IteratorState, types: list[DType]) -> None:
    if not types:
        return
    if len(types) != len(iterator.types):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Number of components does not match: expected {len(types)} types but got {len(iterator.types)}.",
        )
    for i, (wanted, found) in enumerate(zip(types, iterator.types, strict=True)):
        if wanted != found:
            words = f"expected {type_word(wanted)} but got {type_word(found)}."
            raise errors.InvalidArgumentError(None, None, f"Data type mismatch at component {i}: {words}")


def _check_shapes(iterator: IteratorState, shapes: list[RawShape]) -> None:
    from retrograd.graph.shapes import compatible, shape_text

    for i, (wanted, found) in enumerate(zip(shapes, iterator.shapes, strict=False)):
        if not compatible(wanted, found):
            raise errors.InvalidArgumentError(
                None, None,
                f"Incompatible shapes at component {i}: expected {shape_text(wanted)} but got {shape_text(found)}.",
            )  # fmt: skip


# -- iterators that are saved ------------------------------------------------------------------


def _saved(xp: Any, memory: Any, iterator: Any) -> Any:
    with iterator.lock:
        if iterator.scope is None:
            raise errors.FailedPreconditionError(None, None, "an iterator that has no dataset yet cannot be saved")
        state = {"begun_by": iterator.begun_by, "position": iterator.position, "source": iterator.scope.source}
        return in_array(json.dumps(state).encode())


SERIALIZE = define(
    "SerializeIterator", "resource_handle: resource", "serialized: variant", shape=lambda iterator: (), kernel=_saved,
    **_HOST,
)  # fmt: skip


def _restored(xp: Any, memory: Any, iterator: Any, serialized: Any) -> list[Any]:
    """The op that gave the iterator its dataset gives it again, and as many elements as before are passed over."""
    state = _state_of(serialized)
    with iterator.lock:
        dataset, own = iterator.anew or _given_again(memory, state["begun_by"])
        iterator.begin(dataset, own, state["source"])
        assert iterator.following is not None
        for _ in range(state["position"]):
            with suppress(errors.OpError):
                iterator.following()
        iterator.position = state["position"]
    return []


def _given_again(memory: Any, begun_by: str) -> tuple[Any, Any]:
    """The dataset that an op of the graph gave the iterator, and where that op keeps its notes.

    Raises:
      NotFoundError: there is no such op.
    """
    op = _beginning(memory.op, begun_by)
    if op is None:
        raise errors.NotFoundError(
            None, None, f"the iterator was begun by {begun_by!r}, which this graph does not have"
        )
    own = memory.store.memory_of(op)
    if op.type == "OneShotIterator":
        return own.call(op.attrs["dataset_factory"])([])[0], own
    return own.value_of(op.inputs[0]), own


def _state_of(serialized: Any) -> dict[str, Any]:
    try:
        state: dict[str, Any] = json.loads(texts(serialized)[0])
        source = [int(n) for n in state["source"]]
        if int(state["position"]) < 0 or len(source) != 2 or min(source) < 0:
            raise ValueError
    except (ValueError, TypeError, KeyError, RecursionError):
        raise errors.InvalidArgumentError(None, None, "this is no state of an iterator of retrograd") from None
    return {"begun_by": str(state["begun_by"]), "position": int(state["position"]), "source": source}


def _beginning(op: Any, name: str) -> Any:
    """The op of that name, or else the only one, that gives the iterator of ``op`` its dataset."""
    (iterator, _) = op.inputs
    if iterator.op.type == "OneShotIterator":
        return iterator.op
    found = [reader for reader in iterator.readers if reader.type == "MakeIterator"]
    return next((x for x in found if x.name == name), found[0] if len(found) == 1 else None)


DESERIALIZE = define(
    "DeserializeIterator", "resource_handle: resource, serialized: variant", "", shape=lambda iterator, serialized: [],
    kernel=_restored, **_HOST,
)  # fmt: skip

# -- handles -----------------------------------------------------------------------------------

FROM_STRING_HANDLE, FROM_STRING_HANDLE_V2 = (
    define(
        name, "string_handle: string", "resource_handle: resource", attrs={"output_types": [], "output_shapes": []},
        shape=lambda handle: (), kernel=_from_handle, **_HOST,
    )
    for name in ("IteratorFromStringHandle", "IteratorFromStringHandleV2")
)  # fmt: skip

# -- elements that may be missing --------------------------------------------------------------


class Optional:
    """An element, or none."""

    shape = ()

    def __init__(self, values: list[Any] | None) -> None:
        self.values = values

    def zeros(self) -> Optional:
        """An element of zeros, or none."""
        return Optional(self.values and [list_values.zeros_like(v) for v in self.values])

    def __add__(self, other: Any) -> Optional:
        """The sums of what both hold, or none."""
        other = unwrapped(other)
        if not isinstance(other, Optional) or (self.values is None) != (other.values is None):
            raise invalid("Cannot add optionals because one has a value and the other doesn't.")
        if self.values is None or other.values is None:
            return Optional(None)
        mine, others = len(self.values), len(other.values)
        if mine != others:
            raise invalid(
                f"Cannot add optionals because they have different numbers of components ({mine} vs. {others})."
            )
        return Optional([_sum(x, y) for x, y in zip(self.values, other.values, strict=True)])


def _sum(x: Any, y: Any) -> Any:
    if np.shape(x) != np.shape(y):
        one, other = shape_text(np.shape(x)), shape_text(np.shape(y))
        raise invalid(
            f"Trying to add two tensors with incompatible element shapes. One is {one} and the other is {other}"
        )
    if isinstance(x, bytes) or (np.asarray(x).dtype == object and not isinstance(unwrapped(x), Optional)):
        raise invalid("Trying to add unsupported dtype 7")
    return x + y


def _next_or_none(xp: Any, memory: Any, iterator: Any) -> Any:
    with memory.store.given_way():
        try:
            return Optional(iterator.next())
        except errors.OutOfRangeError:
            return Optional(None)


GET_NEXT_AS_OPTIONAL = define(
    "IteratorGetNextAsOptional", "iterator: resource", "optional: variant", attrs=_TYPED,
    shape=lambda iterator: (), kernel=_next_or_none, **_HOST,
)  # fmt: skip
OPTIONAL_HAS_VALUE = define(
    "OptionalHasValue", "optional: variant", "has_value: bool", shape=lambda optional: (),
    kernel=lambda xp, memory, optional: np.bool_(unwrapped(optional).values is not None), **_HOST,
)  # fmt: skip


def _value(xp: Any, memory: Any, optional: Any) -> list[Any]:
    values: list[Any] | None = unwrapped(optional).values
    if values is None:
        raise errors.InvalidArgumentError(None, None, "The given optional does not have a value.")
    return values


OPTIONAL_GET_VALUE = define(
    "OptionalGetValue", "optional: variant", "components: *output_types", attrs=_TYPED, shape=_known, kernel=_value,
    **_HOST,
)  # fmt: skip
OPTIONAL_FROM_VALUE = define(
    "OptionalFromValue", "components: *Toutput_types", "optional: variant", shape=lambda components: (),
    kernel=lambda xp, memory, components: Optional(list(components)), **_HOST,
)  # fmt: skip
OPTIONAL_NONE = define(
    "OptionalNone", "", "optional: variant", shape=lambda: (), kernel=lambda xp, memory: Optional(None), **_HOST
)
