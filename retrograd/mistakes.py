"""What to type where Python itself refuses a tensor, or an argument that a function does not take."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from typing import Any

from retrograd.graph.errors import taught
from retrograd.reasons import argument_meant

_WHY = "the graph is being built; a tensor has no value outside of a run"
_VALUE = "value = sess.run(x)  # and its value then"


def explained(error: BaseException) -> None:
    """Add to an uncaught error of Python's own why it happened, and what to type."""
    if not isinstance(error, TypeError | AttributeError) or getattr(error, "__notes__", None):
        return
    for words, told in _TOLD:
        found = re.search(words, str(error))
        if found is not None:
            taught(error, **told(found))
            return


def _always(why: str | None, fix: str | None) -> Callable[[re.Match[str]], dict[str, str | None]]:
    return lambda found: {"why": why, "fix": fix}


def _unknown_argument(found: re.Match[str]) -> dict[str, str | None]:
    listed = _arguments_of(found[1])
    for names in listed:
        near = argument_meant(found[2], names)
        if near is not None:
            return {"why": f"it takes {', '.join(names)}", "fix": f"{near}=..."}
    if not listed or any(names != listed[0] for names in listed):
        return {}  # of several functions of this name nothing tells which it was
    return {"why": f"it takes {', '.join(listed[0])}"}


def _arguments_of(path: str) -> list[list[str]]:
    """The arguments by name of each function of the library of which Python tells ``Class.method`` or ``function``."""
    import inspect

    found = []
    for function in _functions(path.split(".")):
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            continue
        names = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        found.append([n for n in names if n != "self" and not n.startswith("_")])
    return found


def _functions(path: list[str]) -> Iterable[Any]:
    for name, module in list(sys.modules.items()):
        if name.startswith("retrograd.") and not name.startswith("retrograd.tf"):
            found: Any = module
            for part in path:
                found = getattr(found, "__dict__", {}).get(part)
            if callable(found) and getattr(found, "__module__", None) == name:
                yield found


_TENSOR = r"'(?:Tensor|RefVariable|ResourceVariable)'"
_TOLD: tuple[tuple[str, Callable[[re.Match[str]], dict[str, str | None]]], ...] = (
    (rf"^(?:float|int|complex)\(\) argument must be .* not {_TENSOR}", _always(_WHY, _VALUE)),
    (r"^unsupported format string passed to (?:Tensor|RefVariable|ResourceVariable)\.", _always(_WHY, _VALUE)),
    (rf"^{_TENSOR} object has no attribute 'numpy'", _always(
        _WHY, "sess.run(x); or tf.enable_eager_execution() as the first line of the program")),
    (r"^'Tensor' object has no attribute '(?:assign|assign_add|assign_sub|load|initializer)'", _always(
        "a tensor is what an op computes; variables alone keep values", "x = tf.Variable(...)")),
    (r"^'Tensor' object has no attribute 'backward'", _always(
        "gradients are built as tensors, too", "tf.gradients(loss, variables), or optimizer.minimize(loss)")),
    (r"^'Tensor' object has no attribute '(?:item|tolist)'", _always(_WHY, _VALUE)),
    (r"^'type' object does not support the context manager protocol", _always(None, "with tf.Session() as sess:")),
    (r"^'Tensor' object does not support item assignment", _always(
        "a tensor is what an op computes, and does not change", "x = tf.tensor_scatter_nd_update(x, [[i]], [value])")),
    (rf"^{_TENSOR} object does not support item assignment", _always(
        "building changes no variable; a run does", "sess.run(w[i].assign(value))")),
    (rf"^{_TENSOR} object cannot be interpreted as an integer", _always(
        _WHY, "x.shape[i].value where the size is known; tf.range and tf.while_loop where it is not")),
    (r"^list indices must be integers or slices, not (?:Tensor|RefVariable)", _always(_WHY, "tf.gather(values, i)")),
    (rf"^can't multiply sequence by non-int of type {_TENSOR}", _always(None, "tf.constant(values) * x")),
    (r"^'list' object has no attribute '(?:dtype|op|get_shape)'", _always(
        "a list stands where one tensor is wanted", "tf.add_n(losses), tf.stack(tensors) or tf.concat(tensors, axis)")),
    (r"^([\w.]+)\(\) got an unexpected keyword argument '(\w+)'", _unknown_argument),
)  # fmt: skip
