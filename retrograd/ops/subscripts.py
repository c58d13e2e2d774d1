"""The op ``Einsum``: a sum of products over labelled axes, in one node (``tf.einsum`` composes it of other ops)."""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from retrograd.graph import errors, shapes
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text


def _parsed(equation: bytes | str) -> tuple[list[str], str]:
    """The labels of each input and those of the output; ``...`` stays in its place.

    Raises:
      ValueError: the equation is none.
    """
    text = as_text(equation)
    if text.count("->") != 1:
        raise ValueError(f"Expecting exactly one '->' in einsum equation: {text}")
    left, output = text.split("->")
    inputs = left.split(",")
    if not 1 <= len(inputs) <= 2:
        raise ValueError(f"Expecting 1 or 2 input subscripts in equation '{text}' but got: {len(inputs)}")
    for label in output.replace("...", ""):
        if label not in left:
            raise ValueError(
                f"Einsum output subscripts for equation '{text}' has label '{label}' which is not present in the input "
                "subscripts"
            )
    return inputs, output


def _contracted(inputs: list[Tensor], *, equation: bytes | str) -> RawShape:
    labels, output = _parsed(equation)
    sizes: dict[str, int | None] = {}
    rest: RawShape = ()
    for x, each in zip(inputs, labels, strict=True):
        if x.dims is None:
            rest = None if "..." in each else rest
            continue
        before, dots, after = each.partition("...")
        if (len(x.dims) != len(each) and not dots) or len(x.dims) < len(before) + len(after):
            least = "at least " if dots else ""
            raise ValueError(f"Shape must be {least}rank {len(before + after)} but is rank {len(x.dims)}")
        end = len(x.dims) - len(after)
        for label, size in zip(before + after, x.dims[: len(before)] + x.dims[end:], strict=True):
            sizes[label] = shapes.merge_dim(sizes.get(label), size)
        rest = shapes.broadcast(rest, x.dims[len(before) : end])
    before, dots, after = output.partition("...")
    if dots and rest is None:
        return None
    if rest and not dots:
        raise ValueError(f"Shape must be at most rank 0 but is rank {len(rest)}")
    return tuple(sizes.get(k) for k in before) + (rest or () if dots else ()) + tuple(sizes.get(k) for k in after)


def _einsum(xp: Any, inputs: list[Any], *, equation: bytes | str) -> Any:
    """NumPy's, where the output names each label once: a label that it repeats is tied by an identity matrix."""
    labels, output = _parsed(equation)
    sizes: dict[str, int] = {}
    for i, (x, each) in enumerate(zip(inputs, labels, strict=True)):
        before, dots, after = each.partition("...")
        if np.ndim(x) < len(before + after) or (not dots and np.ndim(x) > len(before)):
            least = "at least " if dots else ""
            raise errors.InvalidArgumentError(
                None, None, f"Expected input {i} to have rank {least}{len(before + after)} but got: {np.ndim(x)}"
            )
        rest = np.ndim(x) - len(before + after)
        if rest and dots and dots not in output:
            raise errors.InvalidArgumentError(
                None, None,
                f"Output contains {rest} broadcasting dimension(s) but no ellipsis (...) was found in the output "
                "subscripts.",
            )  # fmt: skip
        for axis, label in [*enumerate(before), *((-1 - j, k) for j, k in enumerate(reversed(after)))]:
            size = np.shape(x)[axis]
            if sizes.setdefault(label, size) != size:
                raise errors.InvalidArgumentError(
                    None, None,
                    f"Expected dimension {sizes[label]} at axis {axis % np.ndim(x)} of the input shaped "
                    f"{shapes.shape_text(np.shape(x))} but got dimension {size}",
                )  # fmt: skip
    unused = iter(c for c in string.ascii_letters if c not in as_text(equation))
    letters = {k: k if k in string.ascii_letters else next(unused) for k in sizes}
    dtype = inputs[0].dtype
    terms = ["...".join("".join(letters[k] for k in part) for part in each.split("...")) for each in labels]
    operands, result, seen = list(inputs), "", set()
    for part in output.partition("..."):
        for label in [part] if part == "..." else part:
            letter = letters.get(label, label)
            if letter in seen:
                twin = next(unused)
                operands.append(xp.eye(sizes[label], dtype=dtype))
                terms.append(letter + twin)
                letter = twin
            seen.add(letter)
            result += letter
    if "..." not in result:
        terms = [term.replace("...", "") for term in terms]  # no dimension stands there
    return xp.asarray(xp.einsum(f"{','.join(terms)}->{result}", *operands, optimize=True), dtype)


EINSUM = define(
    "Einsum", "inputs: N*T", "output: T", attrs={"equation": REQUIRED}, shape=_contracted, kernel=_einsum,
)  # fmt: skip
