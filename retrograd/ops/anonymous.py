"""Iterators of eager programs, which have no name; and datasets that nobody builds by a function of their own."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, variant
from retrograd.graph.values import in_array
from retrograd.ops.dataset_recipes import recipe
from retrograd.ops.dataset_states import Dataset, Element, Next, Scope, unwrapped
from retrograd.ops.datasets import TYPED, dataset_op
from retrograd.ops.iterators import IteratorState
from retrograd.ops.parsing import VALUES, parse_batch
from retrograd.ops.sparse_serialization import serialized_parts
from retrograd.ops.whole_files import texts

_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}
_DEVICE = b"/job:localhost/replica:0/task:0/device:CPU:0"


def _iterator(xp: Any, memory: Any, *, output_types: list[DType], output_shapes: list[Any]) -> IteratorState:
    return IteratorState("", list(output_types), [s._raw for s in output_shapes])


def _with_deleter(xp: Any, memory: Any, *, output_types: list[DType], output_shapes: list[Any]) -> list[Any]:
    iterator = _iterator(xp, memory, output_types=output_types, output_shapes=output_shapes)
    return [iterator, np.zeros((), object)]


def _delete(xp: Any, memory: Any, iterator: Any, deleter: Any) -> list[Any]:
    iterator.close()
    return []


define("AnonymousIterator", "", "handle: resource", attrs=TYPED, shape=lambda: (), kernel=_iterator, **_HOST)
define(
    "AnonymousIteratorV2", "", "handle: resource, deleter: variant", attrs=TYPED, shape=lambda: [(), ()],
    kernel=_with_deleter, **_HOST,
)  # fmt: skip
define(
    "DeleteIterator", "handle: resource, deleter: variant", "", shape=lambda handle, deleter: [], kernel=_delete,
    **_HOST,
)  # fmt: skip
define(
    "IteratorGetDevice", "resource: resource", "device: string", shape=lambda resource: (),
    kernel=lambda xp, memory, iterator: in_array(_DEVICE), **_HOST,
)  # fmt: skip

# -- datasets ----------------------------------------------------------------------------------


@recipe("Sleep")
def slowed(source: Dataset, seconds: float) -> Dataset:
    """The elements of ``source``, each after a pause."""

    def make(scope: Scope) -> Next:
        inner = source.make(scope)

        def following() -> Element:
            time.sleep(seconds)
            return inner()

        return following

    return Dataset(make, source.cardinality, [source])


dataset_op(
    "SleepDataset", "input_dataset: variant, sleep_microseconds: int64",
    lambda xp, memory, source, pause: slowed(unwrapped(source), int(pause) / 1e6),
)  # fmt: skip


@recipe("ParseExample")
def parsed(source: Dataset, keys: tuple[list[Any], list[Any]], defaults: list[Any], kinds: Any) -> Dataset:
    """Batches of serialized examples as their features, in the order of their keys."""
    sparse_keys, dense_keys = keys
    order = np.argsort([*map(_word, sparse_keys), *map(_word, dense_keys)], kind="stable").tolist()

    def make(scope: Scope) -> Next:
        inner = source.make(scope)

        def following() -> Element:
            (serialized,) = inner()
            found = parse_batch(np, serialized, np.empty(0, object), sparse_keys, dense_keys, defaults, **kinds)
            n = len(sparse_keys)
            sparse = [serialized_parts(list(found[i : 3 * n : n]), variant) for i in range(n)]
            values = [*sparse, *found[3 * n :]]
            return [values[i] for i in order]

        return following

    return Dataset(make, source.cardinality, [source])


def _word(key: Any) -> bytes:
    return texts(key)[0]


def _parse(
    xp: Any, memory: Any, source: Any, count: Any, defaults: list[Any], *, sparse_keys: Any, dense_keys: Any,
    sparse_types: Any, Tdense: Any, dense_shapes: Any,
) -> Dataset:  # fmt: skip
    kinds = {"sparse_types": sparse_types, "Tdense": Tdense, "dense_shapes": dense_shapes}
    made: Dataset = parsed(unwrapped(source), (sparse_keys, dense_keys), defaults, kinds)
    return made


define(
    "ParseExampleDataset", "input_dataset: variant, num_parallel_calls: int64, dense_defaults: *Tdense",
    "handle: variant",
    attrs={
        **dict.fromkeys(("sparse_keys", "dense_keys", "sparse_types", "dense_shapes"), REQUIRED), **TYPED,
        "sloppy": False,
    },
    types={"sparse_types": VALUES, "Tdense": VALUES}, shape=lambda source, count, defaults: (), kernel=_parse, **_HOST,
)  # fmt: skip
