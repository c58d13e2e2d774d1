"""Rows of public functions: their contracts, and what TensorFlow 1.15.5 gave for them."""

from __future__ import annotations

import functools
from fnmatch import fnmatch
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from case_table import check_gradient, check_shapes, check_tiers
from cases import ROWS as OPS
from function_table import FunctionRow, Watcher, code_of, inputs_of, measured
from functions import ROWS
from functions_without_rows import WITHOUT
from recorded_cases import golden
from test_public import is_inner, public

from retrograd import tf
from retrograd.graph.definition import import_every_op, no_derivative, not_differentiable

import_every_op()

RECORD = golden("function_rows")
every_row = pytest.mark.parametrize("row", ROWS, ids=str)


def test_every_row_has_a_name_of_its_own_and_a_record() -> None:
    assert sorted(map(str, ROWS)) == sorted(RECORD)


@every_row
def test_inferred_shape_contains_the_result(row: FunctionRow) -> None:
    """Of inputs of unknown shape too, where TensorFlow takes them."""
    refused = dict(zip(("rank", "nothing"), RECORD[str(row)]["refused"], strict=True))
    check_shapes(row, ["all", *(known for known, error in refused.items() if not error)])


@pytest.mark.parametrize("row", [r for r in ROWS if r.traced], ids=str)
def test_tiers_agree(row: FunctionRow) -> None:
    check_tiers(row)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@pytest.mark.parametrize("row", [r for r in ROWS if r.orders and r.stepped], ids=str)
def test_gradient_agrees_with_numerical(row: FunctionRow) -> None:
    check_gradient(row)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@every_row
def test_values_and_slopes_are_those_recorded(row: FunctionRow) -> None:
    mine, theirs = measured(tf, row), RECORD[str(row)]
    if not theirs["none"]:  # TensorFlow has no gradient of it
        mine.update(none=[], slopes=[])
    assert mine["none"] == theirs["none"]
    for what in ("values", "slopes"):
        for i, (ours, recorded) in enumerate(zip(mine[what], theirs[what], strict=True)):
            assert ours[0] == recorded[0], (what, i)
            close_to(ours[1], recorded[1], row, f"{what} {i}")


def close_to(mine: Any, theirs: Any, row: FunctionRow, words: str) -> None:
    tolerance = max(row.rounding, 1e-8)
    np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance, err_msg=words)


# -- that nothing is left out ------------------------------------------------------------------

CONTROL_FLOW = {
    "Enter",
    "Exit",
    "Merge",
    "Switch",
    "NextIteration",
}  # their derivatives are those of loops and branches


def has_derivative(op: Any) -> bool:
    definition = op.definition
    if op.type in CONTROL_FLOW:
        return True
    if definition.gradient in (not_differentiable, no_derivative):
        return False
    return definition.gradient is not None or (definition.is_pure and definition.kernel is not None)


def named(name: str) -> Any:
    """The code of a public function."""
    return code_of(functools.reduce(getattr, name.split("."), tf))


def public_functions() -> dict[Any, list[str]]:
    """Of each function the names under which it is public."""
    found: dict[Any, list[str]] = {}
    for path, name, (kind, *_), value in public():
        plain = kind == "function" and isinstance(value, FunctionType | functools.partial)
        code = code_of(value) if plain and not is_inner(path, name) else None
        if code is not None:
            found.setdefault(code, []).append(f"{path}.{name}".lstrip("."))
    return found


@pytest.mark.filterwarnings("ignore")
def test_every_differentiable_function_is_moved_by_a_row() -> None:
    """What none moves has a reason, and no reason is given for what is moved under every name."""
    names = public_functions()
    own = {name: named(name) for row in ROWS if row.orders for name in row.op.split()}
    watcher = Watcher({*names, *own.values()}, has_derivative)
    for row in [*OPS, *ROWS]:
        if row.orders:
            with tf.Graph().as_default():
                xs = inputs_of(tf, row, "all")
                roots = {x for i, x in enumerate(xs) if x.dtype.is_floating and i not in row.still}
                with watcher.watching(roots):
                    row.build(*xs)
    assert not [name for name, code in own.items() if code not in watcher.codes]
    patterns = [pattern for listed in WITHOUT.values() for pattern in listed.split()]
    missing = [
        sorted(group)[0]
        for code, group in names.items()
        if code not in watcher.codes and not any(fnmatch(n, p) for n in group for p in patterns)
    ]
    assert not missing
