"""Models where ops run at once: what trains them is built into a graph of their own, on the same variables.

``compile``, ``fit`` and their like build and run in the graph of models, so a step of training is one plan, as
without eager execution.  A model that is called with tensors that have their values runs its layers at once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from retrograd.data.dataset import Dataset
from retrograd.data.experimental import UNKNOWN_CARDINALITY as UNKNOWN
from retrograd.data.experimental import cardinality
from retrograd.data.iterators import EagerIterator
from retrograd.eager.context import eager_mode
from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import graph_of_models
from retrograd.eager.tensor import EagerTensor
from retrograd.graph import nest, stack
from retrograd.graph.modes import executing_eagerly_outside_functions
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.keras.composites import value_of
from retrograd.ragged.tensor import RaggedTensor


def in_graph_of_models(method: Callable[..., Any]) -> Callable[..., Any]:
    """``method``, whose ops are built into the graph of models where others run at once."""

    @functools.wraps(method)
    def lifted(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not default_graph().is_eager:
            return method(self, *args, **kwargs)
        args = tuple(_as_data(x) for x in args)
        kwargs = {key: _as_data(x) for key, x in kwargs.items()}
        with graph_of_models().as_default():
            return method(self, *args, **kwargs)

    return lifted


def outside_of_models() -> AbstractContextManager[None]:
    """A block in which ops run at once again, if that is what programs see: for what a model calls of the program's."""
    return eager_mode() if executing_eagerly_outside_functions() else nullcontext()


def lifted_methods(*names: str) -> Callable[[type], type]:
    """Let these methods of a class build into the graph of models."""

    def decorate(cls: type) -> type:
        for name in names:
            setattr(cls, name, in_graph_of_models(getattr(cls, name)))
        return cls

    return decorate


def _as_data(value: Any) -> Any:
    """What a model takes in the place of tensors that have their values: arrays, and batches of arrays."""
    if isinstance(value, Dataset | EagerIterator):
        return EagerBatches(value)
    if isinstance(value, EagerTensor | SparseTensor | RaggedTensor):
        return value_of(value)
    if isinstance(value, list | tuple | dict) and any(
        isinstance(x, EagerTensor | SparseTensor | RaggedTensor) for x in nest.flatten(value)
    ):
        return nest.map_structure(value_of, value)
    if isinstance(value, tuple) and any(isinstance(x, Dataset) for x in value):
        return tuple(_as_data(x) for x in value)
    return value


class EagerBatches:
    """The elements of a dataset as arrays; the dataset begins anew when it has ended.

    ``epoch`` gives those of one pass, or as many as are asked for.
    """

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset
        self._iterator: Any = dataset if isinstance(dataset, EagerIterator) else None

    @property
    def inputs(self) -> Any:
        """The specs of the inputs in an element."""
        element = self._dataset.element_spec
        return element[0] if isinstance(element, tuple) else element

    @property
    def count(self) -> int:
        """The cardinality of the dataset."""
        if not isinstance(self._dataset, Dataset):
            return UNKNOWN
        with stack.graphs.pushed(eager_graph()):
            return int(np.asarray(cardinality(self._dataset)))

    def epoch(self, steps: int | None, anew: bool) -> Iterator[Any]:
        """The next ``steps`` elements, all that there are if that is None; with ``anew`` from the beginning."""
        if self._iterator is None or (anew and isinstance(self._dataset, Dataset)):
            with stack.graphs.pushed(eager_graph()):
                self._iterator = iter(self._dataset)
        given = 0
        while steps is None or given < steps:
            with stack.graphs.pushed(eager_graph()):
                element = next(self._iterator, _END)
                if element is _END:
                    return
                element = nest.map_structure(value_of, element)
            yield element
            given += 1


_END = object()
