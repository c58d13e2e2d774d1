"""The case table, and that no differentiable op is without a row."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from case_table import (
    Row,
    check_blocked,
    check_broadcasting,
    check_gradient,
    check_shapes,
    check_tiers,
    is_blocked,
    reached,
)
from cases import ROWS

import retrograd
from retrograd import tf
from retrograd.grad.vjp import SMOOTH
from retrograd.graph.definition import REGISTRY, Argument, OpDef, import_every_op, no_derivative, not_differentiable
from retrograd.ops import shape_rules
from retrograd.tf import raw_ops

import_every_op()  # the rows name some that no part imports

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


BLOCKED = [r for r in ROWS if is_blocked(r) and r.op != "RandomGamma"]  # a draw moves, see below
REPEATING = [
    r for r in ROWS
    if r.orders and len(r.inputs) == 2 and not r.still and REGISTRY[r.op].gradient is not None
    and REGISTRY[r.op].shape is shape_rules.broadcast
    and {np.ndim(a) for a in r.inputs} <= {1, 2} and max(np.ndim(a) for a in r.inputs) == 2
]  # fmt: skip


def test_every_op_that_broadcasts_does_so_in_each_direction() -> None:
    broadcasting = {n for n, d in REGISTRY.items() if d.shape is shape_rules.broadcast and smooth_arguments(d)}
    with_rule = {name for name in broadcasting if REGISTRY[name].gradient is not None}
    # The first inputs of two are taken as constants; nothing flows through the third.
    assert with_rule - {row.op for row in REPEATING} == {"Polygamma", "Zeta", "TruncateDiv"}


@pytest.mark.parametrize("row", BLOCKED, ids=str)
def test_no_derivative_flows(row: Row) -> None:
    check_blocked(row)


@pytest.mark.parametrize("row", REPEATING, ids=str)
def test_gradient_of_repeated_inputs(row: Row) -> None:
    check_broadcasting(row)


# -- that nothing is left out ------------------------------------------------------------------


def may_be_smooth(definition: OpDef, argument: Argument) -> bool:
    """Whether an argument can be a continuum whose value does not shape the result."""
    kinds = [argument.dtype] if argument.dtype else definition.types.get(argument.type_attr or "", SMOOTH)
    return argument.name not in definition.static and not SMOOTH.isdisjoint(kinds)


def smooth_arguments(definition: OpDef) -> set[tuple[str, str]]:
    """The inputs with respect to which ops of a type are differentiated."""
    if definition.gradient in (not_differentiable, no_derivative):
        return set()
    if definition.gradient is None and not (definition.is_pure and definition.kernel is not None):
        return set()
    if not any(may_be_smooth(definition, y) for y in definition.outputs):
        return set()
    return {(definition.name, x.name) for x in definition.inputs if may_be_smooth(definition, x)}


# TensorFlow's rules let nothing flow to these.
TAKEN_AS_CONSTANT = {
    ("BatchMatrixSolveLs", "l2_regularizer"), ("Conv3DBackpropInput", "input"), ("Conv3DBackpropFilter", "filter"),
    ("Betainc", "a"), ("Betainc", "b"), ("MatrixSolveLs", "l2_regularizer"), ("PadV2", "constant_values"),
    ("Polygamma", "a"), ("SparseAdd", "thresh"), ("Zeta", "x"), ("PreventGradient", "input"),
    ("TruncateDiv", "x"), ("TruncateDiv", "y"), ("FusedBatchNorm", "mean"), ("FusedBatchNorm", "variance"),
    ("FusedBatchNormV2", "mean"), ("FusedBatchNormV2", "variance"), ("FusedBatchNormV3", "mean"),
    ("FusedBatchNormV3", "variance"), ("FusedBatchNormGradV3", "reserve_space_3"),
    ("ResizeBilinearGrad", "original_image"), ("ResizeBicubicGrad", "original_image"),
    ("ImageProjectiveTransform", "transforms"), ("ImageProjectiveTransformV2", "transforms"),
    ("MatrixDiagV2", "padding_value"),
    ("MatrixDiagPartV2", "padding_value"), ("QuantizeAndDequantizeV3", "input_min"),
    ("QuantizeAndDequantizeV3", "input_max"), ("QuantizeAndDequantizeV2", "input_min"),
    ("QuantizeAndDequantizeV2", "input_max"), ("ScaleAndTranslate", "scale"), ("ScaleAndTranslate", "translation"),
    ("ScaleAndTranslateGrad", "original_image"), ("ScaleAndTranslateGrad", "scale"),
    ("ScaleAndTranslateGrad", "translation"),
}  # fmt: skip
TESTED_BELOW = {("RandomGamma", "alpha")}
# Calls of functions, which rows do not hold: tests/test_functional_ops.py, test_eager.py.  A number as a condition
# is not moved.
CALLS = {
    ("Case", "input"), ("EagerPyFunc", "input"), ("If", "cond"), ("If", "input"), ("PartitionedCall", "args"),
    ("StatefulPartitionedCall", "args"), ("StatelessIf", "cond"), ("StatelessIf", "input"),
}  # fmt: skip
# Their gradients have to stand on devices: tests/test_last_names.py.
ON_DEVICES = {("NcclAllReduce", "input"), ("NcclBroadcast", "input"), ("NcclReduce", "input")}
# No value gets here that depends on another: references, and arrays into which nothing was written yet.
NEVER_MOVED = {
    ("RefEnter", "data"), ("RefIdentity", "input"), ("RefMerge", "inputs"), ("RefSwitch", "data"),
    ("TensorArraySplitV3", "flow_in"),
}  # fmt: skip


def test_every_smooth_argument_of_every_op_is_moved_by_a_row() -> None:
    for module in pkgutil.walk_packages(retrograd.__path__, "retrograd."):
        if module.name.split(".")[1] in ("ops", "flow", "grad", "derivatives", "state", "nn", "train", "io"):
            importlib.import_module(module.name)
    wanted = set().union(*map(smooth_arguments, REGISTRY.values()))
    moved = set().union(*(reached(row) for row in ROWS if row.orders))
    assert sorted(wanted - moved) == sorted(TAKEN_AS_CONSTANT | TESTED_BELOW | CALLS | ON_DEVICES | NEVER_MOVED)


ONE_ORDER = {
    "CTCLoss",  # there is none, as in TensorFlow, and it says so
    "SparseAdd",  # TensorFlow lets nothing flow through SparseAddGrad
    "IgammaGradA", "RandomGammaGrad",  # there is a second, and JAX takes long to trace it
    "LSTMBlockCell", "BlockLSTM", "BlockLSTMV2", "GRUBlockCell",  # their gradient ops have none,
    "CudnnRNN", "CudnnRNNV2",
    "CudnnRNNV3",  # as in TensorFlow
    "AdjustHue", "AdjustSaturation",  # hue and saturation turn at edges, where differences of slopes say nothing
    "CropAndResizeGradBoxes", "CropAndResizeGradImage",  # gradients themselves, between pixels
    "Resampler",  # its gradient op has none, as in TensorFlow
}  # fmt: skip


def test_second_order_is_left_out_nowhere_else() -> None:
    assert {row.op for row in ROWS if row.orders == 1} == ONE_ORDER


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
