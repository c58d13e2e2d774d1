"""Areas under curves of ``tf.contrib.metrics`` that need all values so far, or histograms of them.

Source: TensorFlow 1.15.5's arguments, order of nodes and messages; DeLong et al., 1988, for the intervals.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.nn.distributions.normal import Normal
from retrograd.nn.metrics.streaming import alike, collected, metric_variable
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    casts,
    checks,
    comparison,
    conditions,
    constants,
    control,
    convolution,
    exponentials,
    grids,
    indexing,
    joining,
    padding,
    permuting,
    powers,
    ranking,
    reductions,
    rounding,
    scans,
    scatters,
    segments,
    state,
    uniqueness,
)
from retrograd.ops.confusion import remove_squeezable_dimensions
from retrograd.state.initializers import zeros_initializer
from retrograd.state.scopes import get_variable, variable_scope

_EPSILON = 1e-7

# -- all values so far ---------------------------------------------------------------------------


def _next_size(required: Any, growth_factor: float = 1.5) -> Any:
    """The power of ``growth_factor`` that holds so many."""
    exponent = rounding.ceil(
        exponentials.log(casts.cast(required, dtypes.float32))
        / exponentials.log(casts.cast(growth_factor, dtypes.float32))
    )
    return casts.cast(rounding.ceil(growth_factor**exponent), dtypes.int32)


def streaming_concat(
    values: Any, axis: int = 0, max_size: int | None = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """All values so far, joined along ``axis``; at most ``max_size`` of them.

    Raises:
      ValueError: a size other than that along ``axis`` is not known.
    """
    with variable_scope(name, "streaming_concat", (values,)):
        if values.shape.dims is None:
            raise ValueError("`values` must have known statically known rank")
        rank = len(values.shape)
        if axis < 0:
            axis += rank
        if not 0 <= axis < rank:
            raise ValueError(f"axis = {axis!r} not in [0, {rank!r})")
        fixed = [d.value for n, d in enumerate(values.shape) if n != axis]
        if any(n is None for n in fixed):
            raise ValueError(
                "all dimensions of `values` other than the dimension to concatenate along must have statically known "
                "size"
            )
        start = [0 if max_size is None else max_size, *fixed]
        held = metric_variable(start, values.dtype, validate_shape=False, name="array")
        size = metric_variable([], dtypes.int32, name="size")
        back = [0 if n == axis else n + 1 if n < axis else n for n in range(rank)]
        valid = held[:size]
        valid.set_shape([None, *fixed])
        value = permuting.transpose(valid, back, name="concat")
        more = arrays.shape(values)[axis]
        if max_size is not None:
            more = arithmetic.minimum(more, max_size - size)
        rows = permuting.transpose(values, [axis, *(n for n in range(rank) if n != axis)])[:more]

        def grown() -> Any:
            new = constants.zeros(joining.stack([_next_size(new_size), *fixed]), dtype=values.dtype)
            old = held.value()
            with control_dependencies([old]):
                placed = state.assign(held, new, validate_shape=False)
            with control_dependencies([placed]):
                copied = held[:size].assign(old[:size])
            with control_dependencies([copied]):
                return control.no_op()

        new_size = size + more
        room = arrays.shape_internal(held, optimize=False)[0]
        make_room = conditions.cond(new_size > room, grown, control.no_op)
        with control_dependencies([make_room]):
            appended = held[size:new_size].assign(rows)
        with control_dependencies([appended]):
            update = size.assign(new_size)
        return collected(metrics_collections, value), collected(updates_collections, update)


def _checked_labels(labels: Any) -> list[Any]:
    return [
        checks.assert_greater_equal(
            labels, constants.zeros_like(labels, dtypes.int64), message="labels must be 0 or 1, at least one is <0"
        ),
        checks.assert_less_equal(
            labels, constants.ones_like(labels, dtypes.int64), message="labels must be 0 or 1, at least one is >1"
        ),
    ]


def streaming_dynamic_auc(
    labels: Any, predictions: Any, curve: str = "ROC", metrics_collections: Any = (), updates_collections: Any = (),
    name: str | None = None, weights: Any = None,
) -> Any:  # fmt: skip
    """The area under the curve with a threshold at every prediction so far.

    Raises:
      ValueError: there is no such curve.
    """
    if curve not in ("PR", "ROC"):
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
    with variable_scope(name, "dynamic_auc"):
        labels.shape.assert_is_compatible_with(predictions.shape)
        predictions = arrays.reshape(casts.cast(predictions, dtypes.float64), [-1])
        labels = arrays.reshape(casts.cast(labels, dtypes.int64), [-1])
        with control_dependencies(_checked_labels(labels)):
            all_predictions, more_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, more_labels = streaming_concat(labels, name="concat_labels")
            all_weights = None
            updates = [more_labels, more_predictions]
            if weights is not None:
                weights = arrays.reshape(casts.cast(weights, dtypes.float64), [-1])
                all_weights, more_weights = streaming_concat(weights, name="concat_weights")
                updates.append(more_weights)
            update = control.group(*updates)
            area = _area(all_labels, all_predictions, curve, all_weights)
            collected(updates_collections, update)
            return collected(metrics_collections, area), update


def _area(labels: Any, predictions: Any, curve: str, weights: Any) -> Any:
    """The area by trapezoids between the points at each distinct prediction; 0 if all labels are the same."""
    size = arrays.size(predictions)
    if weights is None:
        weights = constants.ones_like(labels, dtype=dtypes.float64)
    labels, predictions, weights = alike(labels, predictions, weights)
    total = reductions.reduce_sum(weights)

    def of_those(holds: Any, values: Any, like: Any) -> Any:
        return comparison.where(holds, values, constants.zeros_like(like, dtype=dtypes.float64))

    positive = reductions.reduce_sum(of_those(comparison.greater(labels, 0), weights, labels))

    def area() -> Any:
        sorted_, order = ranking.top_k(predictions, k=size)
        truth, heavy = indexing.gather(labels, order), indexing.gather(weights, order)
        _, _, counts = uniqueness.unique_with_counts(sorted_)
        ends = casts.cast(padding.pad(scans.cumsum(counts), paddings=[[1, 0]]), dtypes.int32)

        def up_to_ends(values: Any) -> Any:
            return indexing.gather(padding.pad(scans.cumsum(values), paddings=[[1, 0]]), ends)

        hits = up_to_ends(of_those(comparison.greater(truth, 0), heavy, truth))
        if curve == "ROC":
            misses = up_to_ends(of_those(comparison.less(truth, 1), heavy, truth))
            negative = total - positive
            x, y = arithmetic.truediv(misses, negative), arithmetic.truediv(hits, positive)
        else:
            x = arithmetic.truediv(hits, positive)
            called = up_to_ends(heavy)
            precision = arithmetic.truediv(hits, called)
            y = comparison.where(
                comparison.greater(ends, 0), precision, constants.ones_like(hits, dtype=dtypes.float64)
            )
        heights = arithmetic.add(y[1:], y[:-1]) / 2.0
        widths = rounding.abs_(arithmetic.subtract(x[1:], x[:-1]))
        return reductions.reduce_sum(arithmetic.multiply(heights, widths))

    one_class = comparison.logical_or(comparison.equal(positive, 0), comparison.equal(positive, total))
    return conditions.cond(one_class, true_fn=lambda: constants.constant(0, dtypes.float64), false_fn=area)


# -- intervals -----------------------------------------------------------------------------------


class AucData(NamedTuple):
    """An area and the ends of its interval."""

    auc: Any
    lower: Any
    upper: Any


def auc_with_confidence_intervals(
    labels: Any, predictions: Any, weights: Any = None, alpha: float = 0.95, logit_transformation: bool = True,
    metrics_collections: Any = (), updates_collections: Any = (), name: str | None = None,
) -> Any:  # fmt: skip
    """The area under the ROC curve by placements, and the interval that holds it with probability ``alpha``.

    Raises:
      ValueError: ``alpha`` is not between 0 and 1.
    """
    if not (0 < alpha < 1):
        raise ValueError(f"alpha must be between 0 and 1; currently {alpha:.02f}")
    if weights is None:
        weights = constants.ones_like(predictions)
    with variable_scope(name, "auc_with_confidence_intervals", [labels, predictions, weights]):
        predictions, labels, weights = alike(predictions, labels, weights)
        total = reductions.reduce_sum(weights)
        weights = arrays.reshape(weights, [-1])
        predictions = arrays.reshape(casts.cast(predictions, dtypes.float64), [-1])
        labels = arrays.reshape(casts.cast(labels, dtypes.int64), [-1])
        with control_dependencies(_checked_labels(labels)):
            all_predictions, more_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, more_labels = streaming_concat(labels, name="concat_labels")
            all_weights, more_weights = streaming_concat(weights, name="concat_weights")
            updates = control.group(more_labels, more_predictions, more_weights)
            both = comparison.logical_and(
                comparison.equal(reductions.reduce_min(labels), 0), comparison.equal(reductions.reduce_max(labels), 1)
            )
            enough = comparison.greater_equal(total, 1.0)
            is_valid = comparison.logical_and(both, enough)
            update = conditions.cond(enough, lambda: updates, control.no_op)
            found = _placed(all_labels, all_predictions, all_weights, alpha, logit_transformation, is_valid)
            collected(updates_collections, update)
            return collected(metrics_collections, found), update


def _placed(labels: Any, predictions: Any, weights: Any, alpha: float, by_logit: bool, is_valid: Any) -> AucData:
    """The area, and its interval, from where each prediction stands among those of the other class."""
    size = arrays.size(predictions, out_type=dtypes.int32)
    total_0 = reductions.reduce_sum(casts.cast(1 - labels, weights.dtype) * weights)
    total_1 = reductions.reduce_sum(casts.cast(labels, weights.dtype) * weights)
    rising, order = ranking.top_k(predictions, k=size, sorted=True)
    rising = permuting.reverse(rising, axis=constants.zeros(1, dtypes.int32))
    order = permuting.reverse(order, axis=constants.zeros(1, dtypes.int32))
    truth, heavy = indexing.gather(labels, order), indexing.gather(weights, order)
    _, segment = uniqueness.unique(rising)
    is_true = casts.cast(truth, dtypes.float32)
    is_false = 1.0 - is_true
    of_true, of_false = heavy * is_true, heavy * is_false
    below_true = segments.segment_sum(of_false, segment)
    below_false = segments.segment_sum(of_true, segment)
    sum_true = scans.cumsum(below_true, exclusive=True)
    sum_false = scans.cumsum(below_false, exclusive=True)
    place_true = (sum_true + below_true / 2.0) / (reductions.reduce_sum(below_true) + _EPSILON)
    place_false = (sum_false + below_false / 2.0) / (reductions.reduce_sum(below_false) + _EPSILON)
    place_true, place_false = indexing.gather(place_true, segment), indexing.gather(place_false, segment)
    placed = place_true * is_true + place_false * is_false
    placed_0 = placed * casts.cast(1 - truth, weights.dtype)
    weights_0 = heavy * casts.cast(1 - truth, weights.dtype)
    placed_1 = placed * casts.cast(truth, weights.dtype)
    weights_1 = heavy * casts.cast(truth, weights.dtype)
    auc_0 = reductions.reduce_sum(weights_0 * (1.0 - placed_0)) / (total_0 + _EPSILON)
    auc_1 = reductions.reduce_sum(weights_1 * placed_1) / (total_1 + _EPSILON)
    auc = comparison.where(comparison.less(total_0, total_1), auc_1, auc_0)
    spread_0 = weights_0 * powers.square(1.0 - placed_0 - auc_0)
    var_0 = reductions.reduce_sum(spread_0) / (total_0 - 1.0 + _EPSILON)
    spread_1 = weights_1 * arithmetic.squared_difference(placed_1, auc_1)
    var_1 = reductions.reduce_sum(spread_1) / (total_1 - 1.0 + _EPSILON)
    error = powers.sqrt(var_0 / (total_0 + _EPSILON) + var_1 / (total_1 + _EPSILON))
    z = Normal(loc=0.0, scale=1.0).quantile((1.0 - alpha) / 2.0)
    if by_logit:
        centre = exponentials.log(auc / (1.0 - auc + _EPSILON))
        error = error / (auc * (1.0 - auc + _EPSILON))
        low, high = centre + z * error, centre - z * error

        def from_logit(x: Any) -> Any:
            return 1.0 / (1.0 + exponentials.exp(arithmetic.negative(x)) + _EPSILON)

        low, high = from_logit(low), from_logit(high)
    else:
        low, high = auc + z * error, auc - z * error

    def unless_certain(end: Any) -> Any:
        certain = comparison.logical_or(
            comparison.equal(auc, constants.ones_like(auc)), comparison.equal(auc, constants.zeros_like(auc))
        )
        return comparison.where(certain, auc, end)

    lower, upper = unless_certain(low), unless_certain(high)
    nothing = constants.constant(0.0)
    return AucData(*conditions.cond(is_valid, lambda: [auc, lower, upper], lambda: [nothing] * 3))


# -- buckets -------------------------------------------------------------------------------------


class PrecisionRecallData(NamedTuple):
    """Counts, precision and recall at evenly spread thresholds."""

    tp: Any
    fp: Any
    tn: Any
    fn: Any
    precision: Any
    recall: Any
    thresholds: Any


def precision_recall_at_equal_thresholds(
    labels: Any, predictions: Any, weights: Any = None, num_thresholds: int | None = None,
    use_locking: bool | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Counts, precision and recall at ``num_thresholds`` (201) evenly spread thresholds, through buckets."""
    n = 201 if num_thresholds is None else num_thresholds
    weights = 1.0 if weights is None else weights
    locking = True if use_locking is None else use_locking
    checks.assert_type(labels, dtypes.bool)
    with variable_scope(name, "precision_recall_at_equal_thresholds", (labels, predictions, weights)):
        within = "predictions must be in [0, 1]"
        bounds = [
            checks.assert_greater_equal(predictions, casts.cast(0.0, dtype=predictions.dtype), message=within),
            checks.assert_less_equal(predictions, casts.cast(1.0, dtype=predictions.dtype), message=within),
        ]
        with control_dependencies(bounds):
            predictions, labels, weights = alike(predictions, labels, weights)
        kind = dtypes.float64
        truth, weights = casts.cast(labels, kind), casts.cast(weights, kind)
        positive, negative = truth * weights, (1.0 - truth) * weights
        predictions = arrays.reshape(predictions, [-1])
        positive, negative = arrays.reshape(positive, [-1]), arrays.reshape(negative, [-1])
        place = casts.cast(rounding.floor(predictions * (n - 1)), dtypes.int32)
        with name_scope("variables"):
            held_tp = metric_variable([n], kind, name="tp_buckets")
            held_fp = metric_variable([n], kind, name="fp_buckets")
        with name_scope("update_op"):
            more_tp = scatters.scatter_add(held_tp, place, positive, use_locking=locking)
            more_fp = scatters.scatter_add(held_fp, place, negative, use_locking=locking)
        tp = scans.cumsum(held_tp, reverse=True, name="tp")
        fp = scans.cumsum(held_fp, reverse=True, name="fp")
        tn, fn = fp[0] - fp, tp[0] - tp
        epsilon = as_tensor(1e-7, dtype=kind)
        precision = tp / arithmetic.maximum(epsilon, tp + fp)
        recall = tp / arithmetic.maximum(epsilon, tp + fn)
        found = [casts.cast(x, predictions.dtype) for x in (tp, fp, tn, fn, precision, recall)]
        limits = casts.cast(grids.linspace(0.0, 1.0, n), predictions.dtype)
        result = PrecisionRecallData._make([*found, limits])
        return result, control.group(more_tp, more_fp)


def auc_using_histogram(
    boolean_labels: Any, scores: Any, score_range: Any, nbins: int = 100, collections: Any = None,
    check_shape: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """The area under the ROC curve, from histograms of the scores of positives and of negatives.

    Raises:
      ValueError: the labels are no truth values.
    """
    collections = [GraphKeys.LOCAL_VARIABLES] if collections is None else collections
    with variable_scope(name, "auc_using_histogram", [boolean_labels, scores, score_range]):
        scores, boolean_labels = remove_squeezable_dimensions(scores, boolean_labels)
        score_range = as_tensor(score_range, name="score_range")
        labels, scores = _checked_scores(boolean_labels, scores, check_shape)
        with variable_scope(None, "make_auc_histograms", [labels, scores, nbins]):
            hits, misses = (
                uniqueness.histogram_fixed_width(
                    indexing.boolean_mask(scores, chosen()), score_range, nbins=nbins, dtype=dtypes.int64, name=word
                )
                for word, chosen in (("hist_true", lambda: labels), ("hist_false", lambda: ~labels))
            )
        with variable_scope(None, "hist_accumulate", [hits, misses]):
            all_hits, all_misses = (
                get_variable(
                    word, shape=[nbins], dtype=hits.dtype, initializer=zeros_initializer(), collections=collections,
                    trainable=False,
                )
                for word in ("hist_true_acc", "hist_false_acc")
            )  # fmt: skip
            update = control.group(all_hits.assign_add(hits), all_misses.assign_add(misses), name="update_op")
        return _histogram_area(all_hits, all_misses, nbins), update


def _checked_scores(labels: Any, scores: Any, check_shape: bool) -> tuple[Any, Any]:
    with name_scope("_check_labels_and_scores", values=[labels, scores]):
        labels, scores = as_tensor(labels, name="boolean_labels"), as_tensor(scores, name="scores")
        if labels.dtype != dtypes.bool:
            raise ValueError("Argument boolean_labels should have dtype bool.  Found: %s", labels.dtype)
        if not check_shape:
            return labels, scores
        ranks = [
            asserts.Assert(
                comparison.equal(1, arrays.rank(x)),
                [f"Argument {word} should have rank 1.  Found: ", x.name, arrays.shape(x)],
            )
            for word, x in (("boolean_labels", labels), ("scores", scores))
        ]
        with control_dependencies(ranks):
            return labels, scores


def _histogram_area(hits: Any, misses: Any, nbins: int) -> Any:
    y = arithmetic.truediv(hits, reductions.reduce_sum(hits))
    x = arithmetic.truediv(misses, reductions.reduce_sum(misses))
    dy, dx = permuting.reverse(y, [0], name="delta_y_t"), permuting.reverse(x, [0], name="delta_x_t")
    dy, dx = casts.cast(dy, dtypes.float32), casts.cast(dx, dtypes.float32)
    y = _summed(dy, nbins)
    first = dx[0] * y[0] / 2.0
    others = dx[1:] * (y[1:] + y[: nbins - 1]) / 2.0
    return arithmetic.add(first, reductions.reduce_sum(others), name="auc")


def _summed(x: Any, count: int) -> Any:
    """Running sums, as a convolution with ones."""
    with name_scope("strict_1d_cumsum", values=[x]):
        if count == 0:
            return constants.constant([])
        x = padding.pad(x, [[count - 1, 0]])
        ones = constants.ones_like(x)
        with name_scope("strict_conv1d", values=[x, ones]):
            x = arrays.reshape(x, (1, -1, 1, 1))
            ones = arrays.reshape(ones, (-1, 1, 1, 1))
            y = arrays.reshape(convolution.conv2d(x, ones, [1, 1, 1, 1], "SAME"), [-1])
        return y[:count]
