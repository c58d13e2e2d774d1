"""The registry of gradients as programs look at it: which types have one, and functions that give what TensorFlow's do.

A rule here gives a list, one value for each input.  What programs call gives a single value where the op has one
input, as TensorFlow's functions do.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, MutableMapping
from typing import Any

from retrograd.grad import registry
from retrograd.grad.registry import GradientFunction
from retrograd.graph.definition import REGISTRY, import_every_op, no_derivative, not_differentiable
from retrograd.graph.operation import Operation


@functools.cache
def rule_of_type(op_type: str) -> GradientFunction:
    """``gradient(op, *dys)``: what this library's rule for a type gives, whatever has been registered since."""

    def gradient(op: Operation, *dys: Any) -> Any:
        rule = registry.own_rule(op, op_type)
        if rule is None:
            return None if len(op.inputs) == 1 else [None] * len(op.inputs)
        dxs = list(rule(op, *dys))
        return dxs[0] if len(dxs) == 1 else dxs

    gradient.__name__ = f"_{op_type}Grad"
    return gradient


def function_of_module(path: str, name: str) -> GradientFunction | None:
    """The function that an inner module of TensorFlow holds, as ``python.ops.nn_grad`` does ``_ReluGrad``."""
    for word in registry.recorded().get(path, ()):
        function, _, op_type = word.partition("=")
        if function == name:
            before, _, after = name[1:].rpartition("Grad")
            return rule_of_type(op_type or before + after)
    return None


def get_gradient_function(op: Operation) -> GradientFunction | None:
    """The function that differentiates ``op``; None if no derivative flows through it.

    Raises:
      LookupError: no gradient is known for its type.
    """
    rule = registry.gradient_of(op)
    if rule is None or not registry.is_own(op):
        return rule
    return rule_of_type(registry.type_of_rule(op))


class _Entry(dict[str, Any]):
    """``{"type": the function, "location": where it was registered}``; another function in it takes its place."""

    def __init__(self, op_type: str) -> None:
        self._op_type = op_type
        if op_type in registry.REGISTERED:
            function, where = registry.REGISTERED[op_type]
        else:
            rule = REGISTRY[op_type].gradient
            function, where = None if rule is not_differentiable else rule_of_type(op_type), None
        super().__init__(type=function, location=where)

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        if key != "type":
            return
        if value is rule_of_type(self._op_type):
            registry.REGISTERED.pop(self._op_type, None)
        else:
            registry.REGISTERED[self._op_type] = (value, self["location"])


class _Entries(MutableMapping[str, dict[str, Any]]):
    """The entry of every type that is known."""

    def __getitem__(self, op_type: str) -> dict[str, Any]:
        if op_type not in self:
            raise KeyError(op_type)
        return _Entry(op_type)

    def __setitem__(self, op_type: str, entry: dict[str, Any]) -> None:
        registry.REGISTERED[op_type] = (entry["type"], entry.get("location"))

    def __delitem__(self, op_type: str) -> None:
        if op_type not in self:
            raise KeyError(op_type)
        registry.REGISTERED[op_type] = (no_derivative, None)

    def __contains__(self, op_type: object) -> bool:
        if op_type in registry.REGISTERED:
            return registry.REGISTERED[str(op_type)][0] is not no_derivative
        definition = REGISTRY.get(str(op_type))
        return definition is not None and definition.gradient not in (None, no_derivative)

    def __iter__(self) -> Iterator[str]:
        import_every_op()
        return (name for name in {**REGISTRY, **registry.REGISTERED} if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class GradientRegistry:
    """``ops._gradient_registry``: gradient functions by the types of their ops, or by names of the program's own."""

    def __init__(self) -> None:
        self._name = "gradient"
        self._registry = _Entries()

    def register(self, candidate: GradientFunction | None, name: str | None = None) -> None:
        """Register ``candidate`` under ``name``, or its own name.

        Raises:
          KeyError: there is one of that name.
        """
        registry.register(str(name or getattr(candidate, "__name__", "")), candidate)

    def list(self) -> list[str]:
        """The names under which something is registered."""
        return [*self._registry]

    def lookup(self, name: str) -> GradientFunction | None:
        """What is registered under ``name``.

        Raises:
          LookupError: nothing is.
        """
        if name not in self._registry:
            raise LookupError(f"{self._name} registry has no entry for: {name}")
        return self._registry[name]["type"]  # type: ignore[no-any-return]


gradient_registry = GradientRegistry()
