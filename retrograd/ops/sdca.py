"""Linear models by stochastic dual coordinate ascent (SDCA): one dual variable for each example, kept by its id.

Going through the examples of a batch in random order, each one's dual variable is set to the best value while the
others stay; the weights are what the dual variables make of the examples, w = sum(a x) / l2. TensorFlow's order comes
from a generator that nobody can seed; here it follows from the batch.

Sources: see ``ops/sdca_losses.py``; adaptive order after D. Csiba, Z. Qu and P. Richtarik, "Stochastic dual
coordinate ascent with adaptive probabilities", ICML 2015.
"""

from __future__ import annotations

import zlib
from typing import Any, NamedTuple

import numpy as np

from retrograd.graph import shapes
from retrograd.graph.apply import apply, apply_op
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.errors import invalid
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.hashing import farm_128
from retrograd.ops.sdca_losses import LOSSES, Loss

# -- a batch ---------------------------------------------------------------------------------------


class _Batch:
    """The rows of examples over the weights of all columns, sparse ones before dense ones."""

    def __init__(self, columns: list[tuple[Any, ...]], dense: list[Any], dense_weights: list[Any], n: int):
        self.rows: list[list[np.ndarray]] = [[] for _ in range(n)]
        self.values: list[list[np.ndarray]] = [[] for _ in range(n)]
        offset = 0
        for examples, features, values, ids in columns:
            self._add_sparse(examples, _places(features, ids) + offset, values, n)
            offset += len(ids)
        for matrix, weights in zip(dense, dense_weights, strict=True):
            matrix, size = np.asarray(matrix, np.float64).reshape(n, -1), np.size(weights)
            if matrix.shape[1] > size:
                raise invalid(
                    f"More dense features than we have parameters for: {matrix.shape[1]} > {size}"
                )  # fmt: skip
            places = np.arange(offset, offset + matrix.shape[1])
            for i in range(n):
                self.rows[i].append(places)
                self.values[i].append(matrix[i])
            offset += size

    def _add_sparse(self, examples: Any, places: Any, values: Any, n: int) -> None:
        if len(examples) and not 0 <= examples.min() <= examples.max() < n:
            raise invalid(f"Found example indices out of valid range: {examples.max()}")
        order = np.argsort(examples, kind="stable")
        starts = np.searchsorted(examples[order], np.arange(n + 1))
        for i in range(n):
            here = order[starts[i] : starts[i + 1]]
            if len(np.unique(places[here])) < len(here):
                raise invalid("Duplicate index in sparse vector.")
            self.rows[i].append(places[here])
            self.values[i].append(values[here])

    def example(self, i: int) -> tuple[np.ndarray, np.ndarray]:
        """The places of the weights that example ``i`` uses, and its values there."""
        if not self.rows[i]:
            return np.zeros(0, np.int64), np.zeros(0)
        return np.concatenate(self.rows[i]), np.concatenate(self.values[i]).astype(np.float64)


def _places(features: Any, ids: Any) -> Any:
    """Where the features stand among the ids, whose weights are given."""
    order = np.argsort(ids, kind="stable")
    found = np.searchsorted(ids, features, sorter=order)
    missing = found >= len(ids)
    places = order[np.minimum(found, len(ids) - 1)] if len(ids) else np.zeros(len(features), np.int64)
    wrong = missing | (ids[places] != features) if len(ids) else missing
    if wrong.any():
        raise invalid(f"Found sparse feature indices out of valid range: {features[wrong][0]}")
    return places


def _shrunk(weights: Any, by: float) -> Any:
    """The weights moved towards 0 by ``by``: what the l1 regularization leaves."""
    return np.sign(weights) * np.maximum(np.abs(weights) - by, 0.0)


def _optimized(
    xp: Any, memory: Any, examples: list[Any], features: list[Any], values: list[Any], dense: list[Any],
    example_weights: Any, labels: Any, ids: list[Any], sparse_weights: list[Any], dense_weights: list[Any],
    state: Any, *, loss_type: str, adaptive: bool, l1: float, l2: float, num_loss_partitions: int,
) -> list[Any]:  # fmt: skip
    n = len(example_weights)
    if np.shape(state) != (n, 4):
        found = shapes.shape_text(np.shape(state))
        raise invalid(f"Expected shape [{n},4] for example_state_data, got {found}")
    if len(labels) < n:
        raise invalid(f"Expected {n} labels, got {len(labels)}")
    given = [np.asarray(v) for v in values] + [np.ones(len(f)) for f in features[len(values) :]]
    columns = [tuple(map(np.asarray, column)) for column in zip(examples, features, given, ids, strict=True)]
    batch = _Batch(columns, dense, dense_weights, n)
    parts = [*sparse_weights, *dense_weights]
    weights = np.concatenate([np.zeros(0), *(np.ravel(w) for w in parts)]).astype(np.float64)
    change = np.zeros_like(weights)
    loss = LOSSES[loss_type]
    ys = [loss.label(float(y)) for y in labels[:n]]
    rows = [batch.example(i) for i in range(n)]
    lengths = np.array([float(v @ v) for _, v in rows]) / l2
    before = [float(_shrunk(weights[at], l1 / l2) @ v) for at, v in rows]
    new, old = np.array(state, np.float64), np.asarray(state)
    rng = np.random.RandomState(zlib.crc32(old.tobytes()))
    # TensorFlow goes through a batch once, whatever num_inner_iterations says
    for i in _order(rng, adaptive, loss, ys, rows, old, example_weights, lengths, weights, l1 / l2):
        (at, v), weight, a = rows[i], float(example_weights[i]), float(old[i, 0])
        z = float(_shrunk(weights[at] + num_loss_partitions * change[at], l1 / l2) @ v)
        best = loss.best(ys[i], z, a, num_loss_partitions * weight * lengths[i])
        change[at] += (best - a) * weight / l2 * v
        new[i] = best, weight * loss.primal(ys[i], before[i]), weight * loss.dual(ys[i], a), weight
    pieces = np.split(change.astype(np.float32), np.cumsum([np.size(w) for w in parts])[:-1]) if parts else []
    return [new.astype(np.float32), *(x.reshape(np.shape(w)) for x, w in zip(pieces, parts, strict=True))]


def _order(
    rng: Any, adaptive: bool, loss: Loss, ys: list[float], rows: list[Any], state: Any, weights: Any, lengths: Any,
    model: Any, shrinkage: float,
) -> Any:  # fmt: skip
    """The examples in random order; an adaptive one takes those first, mostly, that are far from their best."""
    if not adaptive:
        return rng.permutation(len(ys))
    predicted = [float(_shrunk(model[at], shrinkage) @ v) for at, v in rows]
    far = np.array([abs(state[i, 0] + loss.slope(y, z)) for i, (y, z) in enumerate(zip(ys, predicted, strict=True))])
    chances = np.asarray(weights, np.float64) * far * np.sqrt(lengths + 1)
    with np.errstate(divide="ignore"):
        return np.argsort(-(np.log(chances) + rng.gumbel(size=len(ys))), kind="stable")


def _optimizer_shapes(
    examples: list[Tensor], features: list[Tensor], values: list[Tensor], dense: list[Tensor], weights: Tensor,
    labels: Tensor, ids: list[Tensor], sparse_weights: list[Tensor], dense_weights: list[Tensor], state: Tensor,
) -> list[RawShape]:  # fmt: skip
    rows = shape_rules.with_rank(weights, 1)
    shape_rules.with_rank(labels, 1)
    n = None if rows is None else rows[0]
    return [(n, 4), *(w.dims for w in sparse_weights), *(w.dims for w in dense_weights)]


_INPUTS = (
    "sparse_example_indices: num_sparse_features*int64, sparse_feature_indices: num_sparse_features*int64, "
    "sparse_feature_values: num_sparse_features_with_values*float32, dense_features: num_dense_features*float32, "
    "example_weights: float32, example_labels: float32, sparse_indices: num_sparse_features*int64, "
    "sparse_weights: num_sparse_features*float32, dense_weights: num_dense_features*float32, "
    "example_state_data: float32"
)
_OUTPUTS = (
    "out_example_state_data: float32, out_delta_sparse_weights: num_sparse_features*float32, "
    "out_delta_dense_weights: num_dense_features*float32"
)
_ATTRS = {
    "loss_type": REQUIRED, "num_sparse_features": REQUIRED, "num_sparse_features_with_values": REQUIRED,
    "num_dense_features": REQUIRED, "l1": REQUIRED, "l2": REQUIRED, "num_loss_partitions": REQUIRED,
    "num_inner_iterations": REQUIRED,
}  # fmt: skip


def _adaptative(
    xp: Any, memory: Any, *inputs: Any, adaptative: bool, loss_type: str, l1: float, l2: float, num_loss_partitions: int
) -> list[Any]:
    return _optimized(
        xp, memory, *inputs, loss_type=loss_type, adaptive=adaptative, l1=l1, l2=l2,
        num_loss_partitions=num_loss_partitions,
    )  # fmt: skip


_CHOICES = {"loss_type": tuple(LOSSES)}
_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}
OPTIMIZER = define(
    "SdcaOptimizer", _INPUTS, _OUTPUTS, attrs={**_ATTRS, "adaptative": False}, choices=_CHOICES,
    shape=_optimizer_shapes, kernel=_adaptative, **_HOST,
)  # fmt: skip
OPTIMIZER_V2 = define(
    "SdcaOptimizerV2", _INPUTS, _OUTPUTS, attrs={**_ATTRS, "adaptive": False}, choices=_CHOICES,
    shape=_optimizer_shapes, kernel=_optimized, **_HOST,
)  # fmt: skip


def _fingerprints(xp: Any, input: Any) -> Any:
    pairs = [farm_128(text if isinstance(text, bytes) else text.encode()) for text in np.ravel(input)]
    # 0 and 1 are left to the tables that these are the keys of
    moved = [(low if low >= 2 else low + 2**64 - 3, high) for low, high in pairs]
    return np.array(moved, np.uint64).reshape(len(moved), 2).view(np.int64)


FPRINT = define(
    "SdcaFprint", "input: string", "output: int64", kernel=_fingerprints, gradient=not_differentiable,
    shape=lambda input: (None if (dims := shape_rules.with_rank(input, 1)) is None else dims[0], 2),
)  # fmt: skip


def _shrink(xp: Any, cells: list[Any], *, l1: float, l2: float) -> list[Any]:
    for cell in cells:
        old = cell.read()
        cell.write(xp.sign(old) * xp.maximum(xp.abs(old) - old.dtype.type(l1 / l2), old.dtype.type(0)))
    return []


SHRINK = define(
    "SdcaShrinkL1", "weights: ref num_features*float32", "",
    attrs={"num_features": REQUIRED, "l1": REQUIRED, "l2": REQUIRED}, shape=lambda weights: [], kernel=_shrink,
    effect=Effect.WRITE, gradient=not_differentiable,
)  # fmt: skip

# -- functions -------------------------------------------------------------------------------------


class SdcaOptimizer(NamedTuple):
    """The new states of the examples, and by how much the weights change."""

    out_example_state_data: Any
    out_delta_sparse_weights: Any
    out_delta_dense_weights: Any


def _with_names(made: list[Tensor], sparse: int) -> SdcaOptimizer:
    state, *changes = made
    return SdcaOptimizer(state, changes[:sparse], changes[sparse:])


def _check_counts(op: str, **counts: int) -> None:
    for key, value in counts.items():
        if value < 1:
            raise ValueError(f"Attr '{key}' of '{op}' Op passed {value} less than minimum 1.")


def sdca_optimizer_v2(
    sparse_example_indices: Any, sparse_feature_indices: Any, sparse_feature_values: Any, dense_features: Any,
    example_weights: Any, example_labels: Any, sparse_indices: Any, sparse_weights: Any, dense_weights: Any,
    example_state_data: Any, loss_type: str, l1: float, l2: float, num_loss_partitions: int,
    num_inner_iterations: int, adaptive: bool = True, name: str | None = None,
) -> SdcaOptimizer:  # fmt: skip
    """Go through the examples of a batch, and find the best dual variable of each while the others stay.

    Args:
      sparse_example_indices, sparse_feature_indices, sparse_feature_values: of each sparse feature, [entries].
      dense_features: matrices, [n, d].
      example_weights, example_labels: [n].
      sparse_indices, sparse_weights: of each sparse feature, the features that occur, and their weights.
      dense_weights: [d] each.
      example_state_data: [n, 4], the dual variable, primal loss, dual loss and weight of each example.
      adaptive: whether examples that are far from their best come first.

    Raises:
      InvalidArgumentError: when run, labels do not fit the loss, or indices are out of range.
    """
    _check_counts("SdcaOptimizerV2", num_loss_partitions=num_loss_partitions, num_inner_iterations=num_inner_iterations)
    made = apply(
        OPTIMIZER_V2, sparse_example_indices, sparse_feature_indices, sparse_feature_values, dense_features,
        example_weights, example_labels, sparse_indices, sparse_weights, dense_weights, example_state_data,
        loss_type=loss_type, l1=l1, l2=l2, num_loss_partitions=num_loss_partitions,
        num_inner_iterations=num_inner_iterations, adaptive=adaptive, name=name,
    )  # fmt: skip
    return _with_names(made, len(sparse_weights))


def sdca_optimizer(
    sparse_example_indices: Any, sparse_feature_indices: Any, sparse_feature_values: Any, dense_features: Any,
    example_weights: Any, example_labels: Any, sparse_indices: Any, sparse_weights: Any, dense_weights: Any,
    example_state_data: Any, loss_type: str, l1: float, l2: float, num_loss_partitions: int,
    num_inner_iterations: int, adaptative: bool = True, name: str | None = None,
) -> SdcaOptimizer:  # fmt: skip
    """``sdca_optimizer_v2`` under the attribute's first name."""
    _check_counts("SdcaOptimizer", num_loss_partitions=num_loss_partitions, num_inner_iterations=num_inner_iterations)
    made = apply(
        OPTIMIZER, sparse_example_indices, sparse_feature_indices, sparse_feature_values, dense_features,
        example_weights, example_labels, sparse_indices, sparse_weights, dense_weights, example_state_data,
        loss_type=loss_type, l1=l1, l2=l2, num_loss_partitions=num_loss_partitions,
        num_inner_iterations=num_inner_iterations, adaptative=adaptative, name=name,
    )  # fmt: skip
    return _with_names(made, len(sparse_weights))


def sdca_fprint(input: Any, name: str | None = None) -> Tensor:
    """The 128 bits of FarmHash of each string: [n] as [n, 2], int64."""
    return apply(FPRINT, input, name=name)


def sdca_shrink_l1(weights: Any, l1: float, l2: float, name: str | None = None) -> Operation:
    """An op that moves the variables' numbers towards 0 by ``l1 / l2``."""
    return apply_op(SHRINK, weights, l1=l1, l2=l2, name=name)
