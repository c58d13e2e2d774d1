"""The case table, and that no differentiable op is without a row."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from case_table import Row, check_gradient, check_shapes, check_tiers
from cases import ROWS

from retrograd import ops, tf
from retrograd.graph.definition import REGISTRY, not_differentiable
from retrograd.tf import raw_ops

SMOKE = {"AddV2", "MatMul", "Sum", "Max", "Relu", "Softmax", "GatherV2", "ConcatV2", "StridedSlice", "Reshape"}


def of(rows: list[Row]) -> pytest.MarkDecorator:
    """A test of each of ``rows``."""
    marked = [pytest.param(r, marks=pytest.mark.smoke) if r.op in SMOKE and not r.label else r for r in rows]
    return pytest.mark.parametrize("row", marked, ids=str)


@of(ROWS)
def test_inferred_shape_contains_the_result(row: Row) -> None:
    check_shapes(row)


@pytest.mark.parametrize("row", [r for r in ROWS if r.traced], ids=str)
def test_tiers_agree(row: Row) -> None:
    check_tiers(row)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@of([r for r in ROWS if r.orders])
def test_gradient_agrees_with_numerical(row: Row) -> None:
    check_gradient(row)


def test_every_differentiable_op_has_a_row() -> None:
    for module in pkgutil.iter_modules(ops.__path__, f"{ops.__name__}."):
        importlib.import_module(module.name)
    covered = {name for row in ROWS for name in (row.op, *row.also)}
    differentiable = {
        name for name, d in REGISTRY.items() if d.gradient is not None and d.gradient is not not_differentiable
    }
    assert not sorted(differentiable - covered)


# -- what no row can hold ----------------------------------------------------------------------

READS: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
    (lambda h: raw_ops.ReadVariableOp(h, tf.float64), tf.identity),
    (lambda h: raw_ops.ResourceGather(h, [2, 0, 2], tf.float64), lambda x: tf.gather(x, [2, 0, 2])),
    (lambda h: raw_ops.ResourceGatherNd(h, [[2, 0], [1, 1]], tf.float64), lambda x: tf.gather_nd(x, [[2, 0], [1, 1]])),
]


@pytest.mark.parametrize(("read", "same"), READS, ids=["ReadVariableOp", "ResourceGather", "ResourceGatherNd"])
def test_a_read_is_differentiated_as_what_it_reads(read: Any, same: Any) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(np.random.RandomState(0).randn(3, 2), use_resource=True)
        x = tf.constant(np.random.RandomState(0).randn(3, 2))
        slopes = [tf.gradients(tf.square(y), z)[0] for y, z in ((read(v.handle), v.handle), (same(x), x))]
        sess.run(v.initializer)
        mine, theirs = sess.run([tf.convert_to_tensor(s) for s in slopes])
        np.testing.assert_array_equal(mine, theirs)


def test_a_gamma_variate_moves_with_its_shape_parameter() -> None:
    """As the quantile of a fixed probability P(a, x) does: dx/da = -(dP/da) / (dP/dx)."""
    with tf.Graph().as_default(), tf.Session() as sess:
        a = tf.constant([0.5, 1.0, 3.0, 12.0], tf.float64)
        x = raw_ops.RandomGamma([5], a, seed=3)
        (got,) = tf.gradients(x, a)
        density = tf.exp((a - 1) * tf.log(x) - x - tf.lgamma(a))
        want = tf.reduce_sum(-raw_ops.IgammaGradA(a + tf.zeros_like(x), x) / density, 0)
        np.testing.assert_allclose(*sess.run([got, want]), rtol=1e-6)
