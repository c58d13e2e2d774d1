"""Numbers as strings, and strings as numbers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.errors import invalid
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.strings import as_strings, of_each


def _float_format(dtype: Any, precision: int, scientific: bool, shortest: bool, width: int, fill: str) -> str:
    """The C format of a number."""
    kind = np.dtype(dtype).kind
    if kind in "iu" and precision >= 0:
        raise invalid(f"precision not supported for datatype {np.dtype(dtype).name}")
    if kind not in "fc" and (scientific or shortest):
        raise invalid(f"scientific and shortest format not supported for datatype {np.dtype(dtype).name}")
    if scientific and shortest:
        raise invalid("Cannot select both scientific and shortest notation")
    if len(fill) > 1:
        raise invalid("Fill string must be one or fewer characters")
    if fill and fill not in " +-0":
        raise invalid(f'Fill argument not supported: "{fill}"')
    letter = "d" if kind in "iu" else "e" if scientific else "g" if shortest else "f"
    return "%" + fill + (str(width) if width > 0 else "") + (f".{precision}" if precision >= 0 else "") + letter


def _printed(template: str, x: float) -> str:
    if x - x != 0:  # C pads NaN and infinity with spaces
        template = template.replace("%0", "%", 1)
    return template % x


def _as_string(xp: Any, input: Any, *, precision: int, scientific: bool, shortest: bool, width: int, fill: str) -> Any:
    x = np.asarray(input)
    if x.dtype == np.bool_:
        return of_each(lambda v: b"true" if v else b"false", x)
    template = _float_format(x.dtype, precision, scientific, shortest, width, fill)
    if x.dtype.kind == "c":
        return of_each(lambda z: f"({_printed(template, z.real)},{_printed(template, z.imag)})".encode(), x)
    if x.dtype.kind not in "iu":
        x = x.astype(np.float64)
    return of_each(lambda v: _printed(template, v).encode(), x)


AS_STRING = define(
    "AsString", "input: T", "output: string",
    attrs={"precision": -1, "scientific": False, "shortest": False, "width": -1, "fill": ""},
    types={
        "T": (
            dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.complex64, dtypes.complex128,
            dtypes.float32, dtypes.float64, dtypes.bool,
        )
    },
    shape=shape_rules.same, kernel=_as_string, gradient=not_differentiable,
)  # fmt: skip


def as_string(
    input: Any, precision: int = -1, scientific: bool = False, shortest: bool = False, width: int = -1,
    fill: str = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Numbers as text: ``%f``, or ``%e`` if ``scientific``, or ``%g`` if ``shortest``; integers ``%d``."""
    return apply(
        AS_STRING, input, precision=precision, scientific=scientific, shortest=shortest, width=width,
        fill=fill, name=name,
    )  # fmt: skip


_INTEGER = re.compile(rb"-?\d+")
_FLOAT = re.compile(rb"(?i)[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(inf|nan)")
_HEX = re.compile(rb"(?i)[+-]?0x[0-9a-f]*\.?[0-9a-f]*(p[+-]?\d+)?")


def _number(text: bytes, dtype: DType) -> Any:
    body = text.strip()
    if dtype.is_integer:
        if _INTEGER.fullmatch(body) and dtype.min <= int(body) <= dtype.max:
            return int(body)
    elif _FLOAT.fullmatch(body):
        return float(body)
    elif _HEX.fullmatch(body):
        return float.fromhex(body.decode())
    raise invalid(f"StringToNumberOp could not correctly convert string: {text.decode(errors='replace')}")


def _numbers(xp: Any, x: Any, *, out_type: DType) -> Any:
    """All at once where Python's ``int`` and ``float`` take the same for numbers: of these characters alone."""
    texts = as_strings(x)
    kind, marks = (int, b"0123456789-") if out_type.is_integer else (float, b"0123456789.eE+-")
    flat = texts.ravel().tolist()
    if not b"".join(flat).translate(None, marks):
        try:
            return np.fromiter(map(kind, flat), out_type.np, len(flat)).reshape(texts.shape)
        except (ValueError, OverflowError):
            pass  # one of them is none, and which is found one by one
    return of_each(lambda text: _number(text, out_type), x, dtype=out_type.np)


STRING_TO_NUMBER = define(
    "StringToNumber", "string_tensor: string", "output: out_type", attrs={"out_type": dtypes.float32},
    types={"out_type": (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)}, shape=shape_rules.same,
    kernel=_numbers, gradient=not_differentiable,
)  # fmt: skip


def string_to_number(
    string_tensor: Any = None, out_type: Any = dtypes.float32, name: str | None = None, input: Any = None
) -> Tensor:
    """The numbers that the strings spell.

    A run fails if one does not.
    """
    string_tensor = deprecated_argument_lookup("input", input, "string_tensor", string_tensor)
    return apply(STRING_TO_NUMBER, string_tensor, out_type=as_dtype(out_type), name=name)
