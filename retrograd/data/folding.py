"""Functions that carry a state from element to element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.data import nest, structures
from retrograd.data.dataset import Dataset, _made
from retrograd.data.functions import ElementFunction
from retrograd.graph.apply import apply
from retrograd.graph.convert import convert_to_tensor_or_composite
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.ops import datasets as ops


def _normalized(state: Any) -> Any:
    return nest.map_structure(_converted, state)


def _converted(leaf: Any) -> Any:
    if isinstance(leaf, SparseTensorValue):
        return SparseTensor.from_value(leaf)
    return convert_to_tensor_or_composite(leaf)


def fixed_point(
    build: Callable[[Any], tuple[ElementFunction, Any]], initial_spec: Any, name: str
) -> tuple[ElementFunction, Any]:
    """The function and the structure of the state that it keeps; shapes that change are left open.

    A state of another number of parts goes on as it is in ``reduce``: its op tells it.

    Raises:
      TypeError: the types of the state change.
    """
    spec = initial_spec
    while True:
        function, following = build(spec)
        if name == "reduce" and len(nest.flatten(following)) != len(nest.flatten(spec)):
            function.function.add_to_graph(_graph())
            return function, spec
        if structures.legacy_classes(following) != structures.legacy_classes(spec):
            raise TypeError(
                f"The element classes for the new state must match the initial state. Expected "
                f"{structures.legacy_classes(spec)}; got {structures.legacy_classes(following)}."
            )
        if structures.legacy_types(following) != structures.legacy_types(spec):
            raise TypeError(
                "The element types for the new state must match the initial state. Expected "
                f"{structures.legacy_types(spec)}; got {structures.legacy_types(following)}."
            )
        merged = structures.most_general(spec, following)
        if nest.flatten(merged) == nest.flatten(spec):
            function.function.add_to_graph(_graph())
            return function, spec
        spec = merged


def _graph() -> Any:
    from retrograd.graph.stack import default_graph

    return default_graph()


def reduced(dataset: Dataset, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
    """``state = reduce_func(state, element)`` over all elements."""
    state = _normalized(initial_state)

    def build(spec: Any) -> tuple[ElementFunction, Any]:
        function = ElementFunction(reduce_func, "reduce()", (spec, dataset.element_spec), adds=False)
        return function, function.output_spec

    function, spec = fixed_point(build, structures.spec_of(state), "reduce")
    outputs = apply(
        ops.REDUCE, dataset._variant_tensor, structures.tensors_of(spec, state), function.captured,
        f=function.attribute, output_types=structures.flat_types(spec), output_shapes=structures.flat_shapes(spec),
    )  # fmt: skip
    return structures.element_of(spec, outputs)


def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Callable[[Dataset], Dataset]:
    """``state, element' = scan_func(state, element)``: the elements' of a dataset, by ``dataset.apply``."""

    def applied(dataset: Dataset) -> Dataset:
        state = structures.normalized(initial_state)

        def build(spec: Any) -> tuple[ElementFunction, Any]:
            function = ElementFunction(
                scan_func, "tf.data.experimental.scan()", (spec, dataset.element_spec), adds=False
            )
            if not isinstance(function.output_spec, tuple) or len(function.output_spec) != 2:
                raise TypeError("The scan function must return a pair comprising the new state and the output value.")
            return function, function.output_spec[0]

        function, spec = fixed_point(build, structures.spec_of(state), "scan")
        return _made(
            ops.SCAN, [dataset], function.output_spec[1], dataset._variant_tensor, structures.tensors_of(spec, state),
            function.captured, f=function.attribute,
        )  # fmt: skip

    return applied
