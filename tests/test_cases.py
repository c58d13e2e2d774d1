"""The case table, and that no differentiable op is without a row."""

from __future__ import annotations

import importlib
import pkgutil

import pytest
from case_table import Row, check_gradient, check_shapes, check_tiers
from cases import ROWS

from retrograd import ops
from retrograd.graph.definition import REGISTRY, not_differentiable

by_name = pytest.mark.parametrize("row", ROWS, ids=str)


@by_name
def test_inferred_shape_contains_the_result(row: Row) -> None:
    check_shapes(row)


@pytest.mark.parametrize("row", [r for r in ROWS if r.traced], ids=str)
def test_tiers_agree(row: Row) -> None:
    check_tiers(row)


@pytest.mark.parametrize("row", [r for r in ROWS if r.orders], ids=str)
def test_gradient_agrees_with_numerical(row: Row) -> None:
    check_gradient(row)


def test_every_differentiable_op_has_a_row() -> None:
    for module in pkgutil.iter_modules(ops.__path__, f"{ops.__name__}."):
        importlib.import_module(module.name)
    covered = {name for row in ROWS for name in (row.op, *row.also)}
    differentiable = {
        name
        for name, d in REGISTRY.items()
        if d.gradient is not None and d.gradient is not not_differentiable
    }
    assert not sorted(differentiable - covered)
