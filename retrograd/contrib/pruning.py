"""``tf.contrib.model_pruning``: weights of small magnitude are set to 0 while a model is trained.

Each weight w is used as m * w.  Every few steps the threshold t moves towards the magnitude above which the wanted
share of weights lies, and m = 1 where |w| >= t.  The share of zeros after step s is
s_f + (s_i - s_f) (1 - (s - s_0) / (s_1 - s_0))^3.  Source: Zhu and Gupta, "To prune, or not to prune", 2017;
order of nodes: TensorFlow 1.15.5.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from retrograd.graph import dtypes, log
from retrograd.graph.scopes import add_to_collection, control_dependencies, get_collection, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.nn.activations import zero_fraction
from retrograd.nn.pooling import pool
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    permuting,
    powers,
    ranking,
    repeating,
    rounding,
    scattering,
    slicing,
    state,
    sums,
)
from retrograd.ops import indexing as indexing_ops
from retrograd.ops.conditions import cond
from retrograd.ops.control import no_op
from retrograd.state.initializers import Ones, Zeros
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.scopes import get_variable, variable_scope
from retrograd.train.hparams import HParams
from retrograd.train.training_util import get_global_step

MASK_COLLECTION = "masks"
THRESHOLD_COLLECTION = "thresholds"
MASKED_WEIGHT_COLLECTION = "masked_weights"
WEIGHT_COLLECTION = "kernel"
MASKED_WEIGHT_NAME = "weights/masked_weight"

# -- masks ---------------------------------------------------------------------------------------


def apply_mask(x: Any, scope: Any = "") -> Tensor:
    """``mask * x``, with new variables ``mask`` and ``threshold`` of ``scope``, which is ``x`` until it is pruned."""
    with variable_scope(scope):
        mask = get_variable("mask", x.shape, initializer=Ones(), trainable=False, dtype=x.dtype)
    with variable_scope(scope):
        threshold = get_variable("threshold", [], initializer=Zeros(), trainable=False, dtype=x.dtype)
    masked = arithmetic.multiply(mask, x, MASKED_WEIGHT_NAME)
    if not any(mask is known for known in default_graph().get_collection_ref(MASK_COLLECTION)):
        add_to_collection(THRESHOLD_COLLECTION, threshold)
        add_to_collection(MASK_COLLECTION, mask)
        add_to_collection(MASKED_WEIGHT_COLLECTION, masked)
        add_to_collection(WEIGHT_COLLECTION, x)
    return masked


def get_masked_weights() -> list[Any]:
    """The products of masks and weights."""
    return get_collection(MASKED_WEIGHT_COLLECTION)


def get_masks() -> list[Any]:
    """The masks."""
    return get_collection(MASK_COLLECTION)


def get_thresholds() -> list[Any]:
    """The thresholds."""
    return get_collection(THRESHOLD_COLLECTION)


def get_weights() -> list[Any]:
    """The weights that have masks."""
    return get_collection(WEIGHT_COLLECTION)


def get_weight_sparsity() -> list[Tensor]:
    """The share of zeros in each mask."""
    return [zero_fraction(mask) for mask in get_masks()]


def get_pruning_hparams() -> HParams:
    """What can be said of a pruning, with its defaults."""
    return HParams(
        name="model_pruning", begin_pruning_step=0, end_pruning_step=-1, weight_sparsity_map=[""],
        block_dims_map=[""], threshold_decay=0.0, pruning_frequency=10, nbins=256, block_height=1, block_width=1,
        block_pooling_function="AVG", initial_sparsity=0.0, target_sparsity=0.5, sparsity_function_begin_step=0,
        sparsity_function_end_step=100, sparsity_function_exponent=3.0, use_tpu=False,
    )  # fmt: skip


# -- pruning -------------------------------------------------------------------------------------


def _spread(mask: Tensor, block: list[int]) -> Tensor:
    """Each number of a matrix as a block of equal ones."""

    def rows(x: Tensor, times: int) -> Tensor:
        m, n = x.shape.as_list()
        assert m is not None
        index = (np.arange(m)[None, :] * times + np.arange(times)[:, None]).reshape(-1, 1).astype(np.int32)
        places = constants.constant(index)
        return scattering.scatter_nd(places, repeating.tile(x, [times, 1]), [m * times, n])

    if block[0] > 1:
        mask = rows(mask, block[0])
    if block[1] > 1:
        mask = permuting.transpose(rows(permuting.transpose(mask), block[1]))
    return mask


def _by_pattern(entries: list[str]) -> list[tuple[Any, str]]:
    """``pattern:value`` entries, the empty ones left out."""
    pairs = [entry.split(":") for entry in entries if entry]
    return [(re.compile(pattern), value) for pattern, value in pairs]


class Pruning:
    """The pruning of all weights that have masks.

    Raises:
      ValueError: the hyperparameters cannot be.
      NotImplementedError: ``use_tpu``, or weights in parts.
    """

    def __init__(self, spec: HParams | None = None, global_step: Any = None, sparsity: Any = None) -> None:
        self._spec: Any = spec or get_pruning_hparams()
        self._check()
        step = get_global_step() if global_step is None else global_step
        self._global_step = casts.cast(step, dtypes.int32)
        self._sparsity = self._wanted_sparsity() if sparsity is None else sparsity
        self._assign_ops: list[Any] = []
        self._last_update_step = self._step_of_last_update()
        self._blocks = []
        for pattern, text in _by_pattern(self._spec.block_dims_map):
            sizes = text.split("x")
            if len(sizes) != 2:
                raise ValueError(f"Expected 2 values for block dim for {pattern.pattern}, got {sizes}")
            self._blocks.append((pattern, [int(n) for n in sizes]))
        self._shares = [(pattern, float(text)) for pattern, text in _by_pattern(self._spec.weight_sparsity_map)]
        if any(share >= 1.0 for _, share in self._shares):
            raise ValueError("Weight sparsity can not exceed 1.0")

    def _check(self) -> None:
        spec = self._spec
        if spec.use_tpu:
            raise NotImplementedError("use_tpu: there are no TPUs; use_tpu=False builds the same pruning")
        if spec.begin_pruning_step < 0:
            raise ValueError("Illegal value for begin_pruning_step")
        if spec.end_pruning_step not in (-1,) and spec.begin_pruning_step >= spec.end_pruning_step:
            raise ValueError(
                f"Pruning must begin before it can end. begin_step={spec.begin_pruning_step}, "
                f"end_step={spec.end_pruning_step}.Set end_pruning_step to -1 if pruning is required till "
                "trainingstops"
            )
        if spec.sparsity_function_begin_step < 0:
            raise ValueError("Illegal value for sparsity_function_begin_step")
        if spec.sparsity_function_begin_step >= spec.sparsity_function_end_step:
            raise ValueError("Sparsity function requires begin_step < end_step")
        for word in ("threshold_decay", "initial_sparsity", "target_sparsity"):
            if not 0.0 <= getattr(spec, word) < 1.0:
                raise ValueError(f"{word} must be in range [0,1)")

    def _wanted_sparsity(self) -> Tensor:
        spec = self._spec
        begin, end = spec.sparsity_function_begin_step, spec.sparsity_function_end_step
        with name_scope(spec.name):
            passed = casts.cast(self._global_step - begin, dtypes.float32)
            p = arithmetic.minimum(1.0, arithmetic.maximum(0.0, arithmetic.div(passed, end - begin)))
            left = powers.pow_(1 - p, spec.sparsity_function_exponent)
            more = arithmetic.multiply(spec.initial_sparsity - spec.target_sparsity, left)
            return arithmetic.add(more, spec.target_sparsity, name="sparsity")

    def _step_of_last_update(self) -> Any:
        name = "last_mask_update_step"
        with variable_scope(self._spec.name, use_resource=self._spec.use_tpu) as scope:
            try:
                return get_variable(name, [], initializer=Zeros(), trainable=False, dtype=dtypes.int32)
            except ValueError:  # a second pruning counts with the first one's
                scope.reuse_variables()
                return get_variable(name, dtype=dtypes.int32)

    def _sparsity_of(self, name: str) -> Any:
        shares = [share for pattern, share in self._shares if pattern.search(name)]
        if not shares:
            return self._sparsity
        if len(shares) > 1:
            raise ValueError(f"Multiple matches in weight_sparsity_map for weight {name}")
        return arithmetic.multiply(self._sparsity, arithmetic.div(shares[0], self._spec.target_sparsity))

    def _block_of(self, name: str) -> list[int]:
        blocks = [block for pattern, block in self._blocks if pattern.search(name)]
        if len(blocks) > 1:
            raise ValueError(f"Multiple matches in block_dims_map for weight {name}")
        return blocks[0] if blocks else [self._spec.block_height, self._spec.block_width]

    def _update_mask(self, weights: Any, threshold: Any) -> tuple[Tensor, Tensor]:
        """The moved threshold, and the mask that follows from it."""
        sparsity = self._sparsity_of(weights.op.name)
        decay = self._spec.threshold_decay
        with name_scope(weights.op.name + "_pruning_ops"):
            sizes = rounding.abs_(weights)
            count = casts.cast(arrays.size(sizes), dtypes.float32) * (1 - sparsity)
            k = casts.cast(rounding.round_(count), dtypes.int32)
            values, _ = ranking.top_k(arrays.reshape(sizes, [-1]), k=arrays.size(sizes))
            current = indexing_ops.gather(values, k - 1)
            moved = sums.add_n([arithmetic.multiply(current, 1 - decay), arithmetic.multiply(threshold, decay)])
            return moved, casts.cast(comparison.greater_equal(sizes, moved), dtypes.float32)

    def _update_block_mask(self, weights: Any, threshold: Any) -> tuple[Tensor, Tensor]:
        """The same for blocks of a matrix, by the mean or the largest magnitude in each."""
        block = self._block_of(weights.op.name)
        matrix = arrays.squeeze(weights)
        if matrix.shape.ndims != 2 or block == [1, 1]:
            return self._update_mask(weights, threshold)
        rows, columns = matrix.shape.as_list()
        block = [int(whole or 0) if n == -1 else n for n, whole in zip(block, (rows, columns), strict=True)]
        kind = self._spec.block_pooling_function
        if kind not in ("AVG", "MAX"):
            raise ValueError(f"Unknown pooling function for block sparsity: {kind}")
        with name_scope(weights.op.name + "_pruning_ops"):
            picture = arrays.reshape(rounding.abs_(matrix), [1, rows, columns, 1])
            name = weights.op.name + "_pooled"
            pooled = pool(picture, window_shape=block, pooling_type=kind, strides=block, padding="SAME", name=name)
            if pooled.shape.ndims != 2:
                pooled = arrays.squeeze(pooled, axis=[0, 3])
            moved, mask = self._update_mask(pooled, threshold)
            mask = slicing.slice_(_spread(mask, block), [0, 0], [rows, columns])
        return moved, arrays.reshape(mask, arrays.shape(weights))

    def _assign_masks(self) -> None:
        masks, weights, thresholds = get_masks(), get_weights(), get_thresholds()
        if len(masks) != len(thresholds):
            raise ValueError(f"Number of masks {len(masks)} and number of thresholds {len(thresholds)} mismatch")
        for mask, weight, threshold in zip(masks, weights, thresholds, strict=False):
            if isinstance(weight, PartitionedVariable):
                raise NotImplementedError(f"{weight.name} is in parts: prune variables that are whole")
            moved, new = self._update_block_mask(weight, threshold)
            for variable, value in ((threshold, moved), (mask, new)):
                self._assign_ops.append(state.assign(variable, value, name=variable.op.name + "_assign"))

    def mask_update_op(self) -> Any:
        """The op that moves every threshold and makes every mask anew."""
        with name_scope(self._spec.name):
            if not self._assign_ops:
                self._assign_masks()
            step = state.assign(self._last_update_step, self._global_step, name="last_mask_update_step_assign")
            with control_dependencies([step]), control_dependencies(self._assign_ops):
                log.info("Updating masks.")
                return no_op("mask_update")

    def conditional_mask_update_op(self) -> Any:
        """The same in steps in which pruning is due."""
        spec = self._spec
        with name_scope(spec.name):
            has_begun = comparison.greater_equal(self._global_step, spec.begin_pruning_step)
            before_end = comparison.less_equal(self._global_step, spec.end_pruning_step)
            has_no_end = comparison.less(spec.end_pruning_step, 0)
            in_range = comparison.logical_and(has_begun, comparison.logical_or(before_end, has_no_end))
            next_step = arithmetic.add(self._last_update_step, spec.pruning_frequency)
            is_due = comparison.logical_and(in_range, comparison.less_equal(next_step, self._global_step))
        return cond(is_due, self.mask_update_op, no_op)

    def add_pruning_summaries(self) -> None:
        """Summaries of the share of zeros, wanted and in each mask, and of the thresholds."""
        with name_scope(self._spec.name + "_summaries"):
            summaries.scalar("sparsity", self._sparsity)
            summaries.scalar("last_mask_update_step", self._last_update_step)
            for mask, threshold in zip(get_masks(), get_thresholds(), strict=False):
                summaries.scalar(mask.op.name + "/sparsity", zero_fraction(mask))
                summaries.scalar(threshold.op.name + "/threshold", threshold)

    def print_hparams(self) -> None:
        """Log the hyperparameters."""
        log.info(self._spec.to_json())
