"""Tensors as text: ``tf.print``, ``tf.Print``, ``strings.format``, and what assertions say."""

from __future__ import annotations

import pprint
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, log
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.graph.text import escaped
from retrograd.ops import shape_rules

# -- elements ----------------------------------------------------------------------------------


def number_text(x: Any) -> str:
    """A number as TensorFlow writes it: the shorter of two precisions if it reads back as the same float.

    >>> number_text(np.float32(0.1)), number_text(np.float32(1e10)), number_text(np.float64(1) / 3)
    ('0.1', '1e+10', '0.33333333333333331')
    """
    dtype = np.asarray(x).dtype
    if dtype == np.bool_:
        return "1" if x else "0"
    if dtype.kind == "c":
        return "?"
    if dtype.kind in "iu":
        return str(int(x))
    double = dtype == np.float64
    value = np.float64(x) if double else np.float32(x)
    text = f"{value:.15g}" if double else f"{value:.6g}"
    if type(value)(text) == value or value != value:
        return text
    return f"{value:.17g}" if double else f"{value:.9g}"


def _element(x: Any) -> str:
    return escaped(x) if isinstance(x, bytes) else number_text(x)


def _quoted_element(x: Any) -> str:
    return f'"{escaped(x)}"' if isinstance(x, bytes) else number_text(x)


# -- whole tensors -----------------------------------------------------------------------------


def summary(x: Any, n_most: int) -> str:
    """The first ``n_most`` elements (all of them if negative), rows in brackets: ``[1 2][3...]...``."""
    x = np.asarray(x)
    limit = x.size if n_most < 0 else min(n_most, x.size)
    more = "..." if x.size > limit else ""
    flat = [_element(v) for v in x.ravel()[:limit]]
    if x.ndim < 2:
        return " ".join(flat) + more
    return _rows(x.shape, flat) + more


def _rows(dims: tuple[int, ...], elements: list[str]) -> str:
    """The innermost row in which the elements run out ends with dots."""
    if len(dims) == 1:
        taken = elements[: dims[0]]
        del elements[: dims[0]]
        return " ".join(taken) + ("..." if len(taken) < dims[0] else "")
    text = ""
    for _ in range(dims[0]):
        if elements:
            text += f"[{_rows(dims[1:], elements)}]"
    return text


def listing(x: Any, n_ends: int) -> str:
    """Nested brackets with the first and last ``n_ends`` entries of each dimension (all if negative)."""
    x = np.asarray(x)
    n_ends = x.size if n_ends < 0 else min(n_ends, x.size)
    return _listed(x, n_ends, 1)


def _listed(x: Any, n_ends: int, depth: int) -> str:
    if not np.ndim(x):
        return _quoted_element(x[()] if isinstance(x, np.ndarray) else x)
    shortened = len(x) > 2 * n_ends
    shown = [*range(n_ends), *range(len(x) - n_ends, len(x))] if shortened else range(len(x))
    parts = [_listed(x[i], n_ends, depth + 1) for i in shown]
    if shortened:
        parts.insert(n_ends, "...")
    space = " " if x.ndim == 1 else "\n" * (x.ndim - 1) + " " * depth
    lead = space if shortened and not n_ends else ""  # TensorFlow spaces the dots even where they stand alone
    return f"[{lead}{space.join(parts)}]"


# -- tf.Print ----------------------------------------------------------------------------------


def _print(
    xp: Any, memory: dict[str, Any], x: Any, data: list[Any], *, message: str, first_n: int, summarize: int
) -> Any:
    n_before = memory.get("calls", 0)
    if first_n < 0 or n_before < first_n:
        memory["calls"] = n_before + 1
        print(message + "".join(f"[{summary(v, summarize)}]" for v in data), file=sys.stderr, flush=True)
    return x


PRINT = define(
    "Print", "input: T, data: *U", "output: T", attrs={"message": "", "first_n": -1, "summarize": 3},
    shape=shape_rules.same, kernel=_print, effect=Effect.HOST,
    gradient=lambda op, dy: [dy] + [None] * (len(op.inputs) - 1),
)  # fmt: skip


def Print(
    input_: Any, data: Any, message: str | None = None, first_n: int | None = None,
    summarize: int | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """``input_``, and each time that it is computed a line on stderr with ``message`` and ``data``.

    Only the ``first_n`` times of a session, and only the first ``summarize`` elements (3) of each tensor.
    """
    return apply(
        PRINT, input_, data, message=message or "", first_n=-1 if first_n is None else first_n,
        summarize=3 if summarize is None else summarize, name=name,
    )  # fmt: skip


# -- tf.strings.format -------------------------------------------------------------------------


def _format(xp: Any, inputs: list[Any], *, template: str, placeholder: str, summarize: int) -> Any:
    parts = template.split(placeholder)
    texts = [listing(x, summarize) for x in inputs]
    filled = parts[0] + "".join(text + part for text, part in zip(texts, parts[1:], strict=True))
    return np.array(filled.encode(), dtype=object)


STRING_FORMAT = define(
    "StringFormat", "inputs: *T", "output: string",
    attrs={"template": "%s", "placeholder": "%s", "summarize": 3}, shape=shape_rules.scalar, kernel=_format,
    gradient=not_differentiable,
)  # fmt: skip


def string_format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Tensor:
    """``template`` with each ``placeholder`` replaced by the text of an input.

    Raises:
      ValueError: there are more or fewer placeholders than inputs.
    """
    if isinstance(inputs, TensorLike) or not isinstance(inputs, list | tuple):
        inputs = [inputs]
    n_places = template.count(placeholder)
    if n_places != len(inputs):
        raise ValueError(
            f"{n_places} placeholder(s) in template does not match {len(inputs)} tensor(s) provided as input"
        )
    return apply(
        STRING_FORMAT,
        list(inputs),
        template=template,
        placeholder=placeholder,
        summarize=summarize,
        name=name,
    )


# -- tf.print ----------------------------------------------------------------------------------

_STREAMS: dict[str, Callable[[str], Any]] = {
    "stdout": lambda text: print(text, end="", file=sys.stdout, flush=True),
    "stderr": lambda text: print(text, end="", file=sys.stderr, flush=True),
    "log(info)": log.info,
    "log(warning)": log.warning,
    "log(error)": log.error,
}


def _print_v2(xp: Any, memory: dict[str, Any], text: Any, *, output_stream: str, end: str) -> list[Any]:
    line = np.asarray(text).item().decode(errors="replace")
    if output_stream.startswith("file://"):
        with open(output_stream[len("file://") :], "a") as file:
            file.write(line + end)
    elif output_stream.startswith("log("):
        _STREAMS[output_stream](line)
    else:
        _STREAMS[output_stream](line + end)
    return []


PRINT_V2 = define(
    "PrintV2", "input: string", "", attrs={"output_stream": "stderr", "end": "\n"}, kernel=_print_v2,
    effect=Effect.HOST,
)  # fmt: skip


def _stream_name(stream: Any) -> str:
    if isinstance(stream, str) and (stream.startswith("file://") or stream in ("stdout", "stderr")):
        return stream
    known = [
        (sys.stdout, "stdout"), (sys.stderr, "stderr"), (log.info, "log(info)"), (log.INFO, "log(info)"),
        (log.warning, "log(warning)"), (log.WARN, "log(warning)"), (log.error, "log(error)"),
        (log.ERROR, "log(error)"),
    ]  # fmt: skip
    for target, name in known:
        if stream is target:
            return name
    raise ValueError(
        f"Unsupported output stream, logging level, or file.{stream}. Supported streams are sys.stdout, "
        "sys.stderr, tf.logging.info, tf.logging.warning, tf.logging.error. File needs to be in the form "
        "of 'file://<filepath>'."
    )


def print_(*inputs: Any, **kwargs: Any) -> Any:
    """An op that prints ``inputs``, tensors and any other values, when it runs.

    Args:
      output_stream: ``sys.stderr`` (the default), ``sys.stdout``, a function of ``tf.logging``, or ``"file://..."``.
      summarize: how many entries to show at each end of a dimension (3); -1 for all.
      sep, end: as Python's ``print``.
      name: of the op.
    """
    stream = kwargs.pop("output_stream", sys.stderr)
    name = kwargs.pop("name", None)
    summarize = kwargs.pop("summarize", 3)
    sep = kwargs.pop("sep", " ")
    end = kwargs.pop("end", "\n")
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    target = _stream_name(stream)
    if len(inputs) == 1 and isinstance(inputs[0], Tensor) and _is_scalar_text(inputs[0]):
        text = inputs[0]
    else:
        text = _formatted(inputs, sep, summarize, f"{name}_format" if name else None)
    return apply(PRINT_V2, text, output_stream=target, end=end, name=name)


def _is_scalar_text(x: Tensor) -> bool:
    return x.dtype is dtypes.string and x.dims == ()


class _Place:
    """What stands for a tensor while a structure is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _formatted(inputs: tuple[Any, ...], sep: str, summarize: int, name: str | None) -> Tensor:
    """The inputs side by side; tensors within lists, tuples and dicts are shown in their places."""
    placeholder = "{}"
    while any(placeholder in x for x in inputs if isinstance(x, str)):
        placeholder += "0"
    tensors: list[Any] = []
    place = _Place(placeholder)
    texts = [x if isinstance(x, str) else _text(_with_places(x, place, tensors)) for x in inputs]
    return string_format(sep.join(texts), tensors, placeholder, summarize, name)


def _text(value: Any) -> str:
    return repr(value) if isinstance(value, _Place) else pprint.pformat(value)


def _with_places(value: Any, place: _Place, tensors: list[Any]) -> Any:
    """``value`` with ``place`` for each of its tensors, which are appended to ``tensors``."""
    if isinstance(value, SparseTensor):
        tensors += [value.indices, value.values, value.dense_shape]
        return f"SparseTensor(indices={place}, values={place}, shape={place})"
    if isinstance(value, TensorLike):
        tensors.append(as_tensor(value))
        return place
    if isinstance(value, dict):
        filled = {key: _with_places(value[key], place, tensors) for key in sorted(value)}
        return type(value)((key, filled[key]) for key in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_with_places(v, place, tensors) for v in value])
    if isinstance(value, list | tuple):
        return type(value)(_with_places(v, place, tensors) for v in value)
    return value
