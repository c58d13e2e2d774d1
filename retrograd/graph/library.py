"""The functions of a graph, by name."""

from __future__ import annotations

from typing import Any

from retrograd.graph.definition import REGISTRY, OpDef, known
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.text import as_text

_FIRST_CONSUMER_WITH_FUNCTIONS = 12


class Library:
    """The part of ``Graph`` that holds the functions which its ops may call."""

    _functions: dict[str, Any]
    graph_def_versions: Any

    def _is_function(self, name: str | bytes) -> bool:
        return as_text(name) in self._functions

    def _get_function(self, name: str | bytes) -> Any:
        return self._functions.get(as_text(name))

    def _add_function(self, function: Any) -> None:
        """Let ops call ``function``.

        Raises:
          ValueError: it has two gradients.
          InvalidArgumentError: another function has its name.
        """
        name = function.name
        if function.grad_func_name is not None and function.python_grad_func is not None:
            raise ValueError(f"Gradient defined twice for function {name}")
        known = self._functions.get(name)
        if known is not None and known is not function and known.definition != function.definition:
            error = InvalidArgumentError(
                None,
                None,
                f"Cannot add function '{name}' because a different function with the same name already exists.",
            )
            error.add_note("  Fix:   leave out func_name: the name is then made from what the function computes")
            raise error
        self._functions[name] = function
        versions = self.graph_def_versions
        versions.min_consumer = max(versions.min_consumer, _FIRST_CONSUMER_WITH_FUNCTIONS)

    def op_definition(self, op_type: str) -> OpDef | None:
        """The op type of that name: one of the library's, or a function of this graph."""
        function = None if op_type in REGISTRY else self._functions.get(op_type)
        return known(op_type) if function is None else function.op_definition
