"""Finding the ops and tensors of a graph by name."""

from __future__ import annotations

import re
from typing import Any

from retrograd.graph.errors import nearest
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text


class Lookup:
    """The part of ``Graph`` that turns names and objects into its ops and tensors."""

    _by_name: dict[str, Operation]

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The ``Tensor`` or ``Operation`` of this graph that ``obj`` names or is.

        Raises:
          KeyError: there is none of that name.
          ValueError: the name is malformed, or ``obj`` is of another graph.
          TypeError: ``obj`` is neither a name nor anything of a graph.
        """
        types = ([Tensor] if allow_tensor else []) + ([Operation] if allow_operation else [])
        if not types:
            raise ValueError("allow_tensor and allow_operation can't both be False.")
        wanted = " or ".join(t.__name__ for t in types)
        stands_for = element_of(obj)
        obj = obj if stands_for is None else stands_for
        if isinstance(obj, str | bytes):
            return self._named(as_text(obj), allow_tensor, allow_operation, wanted)
        for kind in types:
            if isinstance(obj, kind):
                if obj.graph is not self:
                    raise foreign(obj, kind.__name__)
                return obj
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {wanted}.")

    def _named(self, name: str, allow_tensor: bool, allow_operation: bool, wanted: str) -> Any:
        if ":" in name and allow_tensor:
            op_name, _, index = name.partition(":")
            if not re.fullmatch(r"\d+", index):
                raise ValueError(
                    f"The name {name!r} looks a like a Tensor name, but is not a valid one. "
                    'Tensor names must be of the form "<op_name>:<output_index>".'
                )
            return self._output(name, op_name, int(index))
        if ":" in name:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a {wanted}.")
        if not allow_operation:
            if name in self._by_name:
                raise _with_hint(
                    ValueError(
                        f"The name {name!r} refers to an Operation, not a {wanted}. "
                        'Tensor names must be of the form "<op_name>:<output_index>".'
                    ),
                    f"'{name}:0'",
                )
            raise ValueError(
                f"The name {name!r} looks like an (invalid) Operation name, not a {wanted}. "
                'Tensor names must be of the form "<op_name>:<output_index>".'
            )
        if name not in self._by_name:
            raise self._no_such(KeyError(f"The name {name!r} refers to an Operation not in the graph."), name)
        return self._by_name[name]

    def _output(self, name: str, op_name: str, index: int) -> Tensor:
        op = self._by_name.get(op_name)
        if op is None:
            raise self._no_such(
                KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. "
                    f"The operation, {op_name!r}, does not exist in the graph."
                ),
                op_name,
            )
        if index >= len(op.outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. "
                f"The operation, {op_name!r}, exists but only has {len(op.outputs)} outputs."
            )
        return op.outputs[index]

    def _no_such(self, error: KeyError, name: str) -> KeyError:
        near = nearest(name, self._by_name)
        return _with_hint(error, repr(near)) if near else error

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation called ``name``."""
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        element: Operation = self.as_graph_element(name, allow_tensor=False, allow_operation=True)
        return element

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor called ``name``, such as ``"add:0"``."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        element: Tensor = self.as_graph_element(name, allow_tensor=True, allow_operation=False)
        return element

    def _get_operation_by_name_unsafe(self, name: str) -> Operation:
        return self.get_operation_by_name(name)


def element_of(obj: Any) -> Any:
    """The tensor that a variable or an object of the user's stands for, by its own word; None if it has none."""
    convert = getattr(obj, "_as_graph_element", None)
    return None if convert is None else convert()


def foreign(obj: Any, kind: str) -> ValueError:
    """The error for something that belongs to another graph."""
    error = ValueError(f"{kind} {obj} is not an element of this graph.")
    place = (obj.op if isinstance(obj, Tensor) else obj).place
    error.add_note(
        "  Why:   it was built in another tf.Graph than the one in use here"
        + (f"\n  Where: built at {place}" if place else "")
        + "\n  Fix:   build and run it in one graph:  with graph.as_default(): ... tf.Session(graph=graph)"
    )
    return error


def _with_hint(error: Any, suggestion: str) -> Any:
    error.add_note(f"  Fix:   did you mean {suggestion}?")
    return error
