"""Functions with the arguments that TensorFlow 2 gave them: what ``tf.compat.v2`` holds where version 1 differs.

Each is the function of the first version under other names or another order of arguments, and builds the same nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from retrograd.flow import loops
from retrograd.grad import gradients as first_gradients
from retrograd.graph import convert, dtypes, scopes
from retrograd.graph.apply import apply
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.nn import cross_entropy
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    cases,
    checks,
    conditions,
    confusion,
    control,
    crops,
    indexing,
    norms,
    padding,
    permuting,
    ranking,
    reductions,
    shape_checks,
)
from retrograd.ops import boxes as boxes_ops
from retrograd.ops import random as random_ops
from retrograd.ops import softmax as softmaxes
from retrograd.ragged import dispatching


def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Tensor:
    """``value`` as a tensor; ``dtype_hint`` is a dtype to prefer where ``value`` allows it."""
    return convert.convert_to_tensor(value, dtype, name, dtype_hint=dtype_hint)


def shape(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """The shape of ``input`` as an integer vector."""
    return arrays.shape(input, name, out_type)


def size(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """The number of elements of ``input``."""
    return dispatching.size(input, name, out_type)


def zeros_like(input: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros of the shape and dtype of ``input``, or of ``dtype``."""
    return dispatching.zeros_like(input, dtype, name)


def ones_like(input: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones of the shape and dtype of ``input``, or of ``dtype``."""
    return dispatching.ones_like(input, dtype, name)


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """``input`` with a dimension of 1 put in at ``axis``."""
    return dispatching.expand_dims(input, axis, name)


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """``input`` without its dimensions of 1, or without those of ``axis``."""
    return dispatching.squeeze(input, axis, name)


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = "transpose") -> Tensor:
    """``a`` with its dimensions in the order of ``perm``, by default reversed."""
    return permuting.transpose(a, perm, name, conjugate)


def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None
) -> Tensor:
    """``tensor`` with ``paddings[i]`` elements put before and after it in dimension i."""
    return padding.pad(tensor, paddings, mode, name, constant_values)


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The slices of ``params`` at ``indices`` along ``axis``, by default the first after ``batch_dims``."""
    return dispatching.gather(params, indices, validate_indices, name, axis, batch_dims)


def gather_nd(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None) -> Tensor:
    """The slices of ``params`` that each row of ``indices`` names."""
    return dispatching.gather_nd(params, indices, name, batch_dims)


def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Tensor:
    """The slices of ``tensor`` along ``axis`` where ``mask`` holds."""
    return indexing.boolean_mask(tensor, mask, name, axis)


def reverse_sequence(
    input: Any, seq_lengths: Any, seq_axis: Any = None, batch_axis: Any = None, name: str | None = None
) -> Tensor:
    """Each row of ``input`` with its first ``seq_lengths`` elements reversed."""
    return permuting.reverse_sequence(input, seq_lengths, seq_axis, batch_axis, name)


def argmax(input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None) -> Tensor:
    """Where along ``axis``, by default the first, the largest element stands."""
    return ranking.argmax(input, axis, name, output_type=output_type)


def argmin(input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None) -> Tensor:
    """Where along ``axis``, by default the first, the smallest element stands."""
    return ranking.argmin(input, axis, name, output_type=output_type)


def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Tensor:
    """Whether each target is among the ``k`` largest predictions of its row."""
    return ranking.in_top_k(predictions, targets, k, name)


def reduce_sum(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None) -> Tensor:
    """The sum over ``axis``, by default over every axis."""
    return dispatching.reduce_sum(input_tensor, axis, keepdims, name)


def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None) -> Tensor:
    """The mean over ``axis``, by default over every axis."""
    return dispatching.reduce_mean(input_tensor, axis, keepdims, name)


def reduce_prod(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None) -> Tensor:
    """The product over ``axis``, by default over every axis."""
    return dispatching.reduce_prod(input_tensor, axis, keepdims, name)


def reduce_max(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None) -> Tensor:
    """The largest element over ``axis``, by default over every axis."""
    return dispatching.reduce_max(input_tensor, axis, keepdims, name)


def reduce_min(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None) -> Tensor:
    """The smallest element over ``axis``, by default over every axis."""
    return dispatching.reduce_min(input_tensor, axis, keepdims, name)


def reduce_logsumexp(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None) -> Tensor:
    """log(sum(exp(x))) over ``axis``, by default over every axis."""
    return reductions.reduce_logsumexp(input_tensor, axis, keepdims, name)


def reduce_all(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None) -> Tensor:
    """Whether every element over ``axis`` is true, by default over every axis."""
    return dispatching.reduce_all(input_tensor, axis, keepdims, name)


def reduce_any(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None) -> Tensor:
    """Whether some element over ``axis`` is true, by default over every axis."""
    return dispatching.reduce_any(input_tensor, axis, keepdims, name)


def count_nonzero(
    input: Any, axis: Any = None, keepdims: Any = None, dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """How many elements over ``axis`` are not zero."""
    return reductions.count_nonzero(input, axis, keepdims, dtype, name)


def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: Any = None, name: str | None = None
) -> Tensor:
    """The norm of ``tensor`` over ``axis``: see `retrograd.ops.norms.norm`."""
    return norms.norm(tensor, ord, axis, keepdims, name)


def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None) -> Tensor:
    """``x / sqrt(max(sum(x^2), epsilon))`` over ``axis``."""
    return norms.l2_normalize(x, axis, epsilon, name)


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """``scalar * x``; ``IndexedSlices`` stay sparse."""
    with scopes.name_scope(name, "scalar_mul", [x]) as name:
        return arithmetic.scalar_mul(scalar, x, name)


def softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """``exp(x) / sum(exp(x))`` over ``axis``, by default the last."""
    return softmaxes.softmax(logits, axis, name)


def log_softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """``x - log(sum(exp(x)))`` over ``axis``, by default the last."""
    return softmaxes.log_softmax(logits, axis, name)


def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: Any = -1, name: str | None = None) -> Tensor:
    """``-sum(labels * log_softmax(logits))`` over ``axis``; the labels get a gradient, too."""
    return softmaxes.softmax_cross_entropy_with_logits_v2(labels, logits, axis, name)


def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> Tensor:
    """``-log_softmax(logits)[label]`` for labels that are class numbers."""
    return cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """The cross entropy of independent classes."""
    return cross_entropy.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """``true_fn()`` if ``pred`` holds, else ``false_fn()``; a list of one stays a list."""
    return conditions.cond(pred, true_fn, false_fn, True, name)


def case(
    pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, strict: bool = False, name: str = "case"
) -> Any:
    """The function of the first pair whose predicate holds, else ``default()``."""
    return cases.case(pred_fn_pairs, default, exclusive, strict, name)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """``loop_vars`` after ``body`` has been applied as long as ``cond`` holds of them; a list of one stays a list."""
    return loops.while_loop(
        cond,
        body,
        loop_vars,
        shape_invariants,
        parallel_iterations,
        back_prop,
        swap_memory,
        name,
        maximum_iterations,
        return_same_structure=True,
    )


def tuple_(tensors: Any, control_inputs: Any = None, name: str | None = None) -> list[Any]:
    """The ``tensors``, each available only when all have been computed."""
    return control.tuple_(tensors, name, control_inputs)


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = first_gradients.UnconnectedGradients.NONE,
) -> list[Any]:
    """The derivative of ``sum(ys)`` with respect to each of ``xs``, its ops beside those that it derives."""
    return first_gradients.gradients(
        ys, xs, grad_ys, name, True, gate_gradients, aggregation_method, stop_gradients, unconnected_gradients
    )


def device(device_name: Any) -> AbstractContextManager[None]:
    """Place ops built in the block on a device."""
    return scopes.device(device_name)


def set_seed(seed: int | None) -> None:
    """The seed of the graph."""
    random_ops.set_random_seed(seed)


def assert_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Operation:
    """An op that fails unless ``x == y`` in every element."""
    return checks.assert_equal(x, y, summarize=summarize, message=message, name=name)


def assert_none_equal(
    x: Any, y: Any, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Operation:
    """An op that fails unless ``x != y`` in every element."""
    return checks.assert_none_equal(x, y, summarize=summarize, message=message, name=name)


def assert_less(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Operation:
    """An op that fails unless ``x < y`` in every element."""
    return checks.assert_less(x, y, summarize=summarize, message=message, name=name)


def assert_less_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Operation:
    """An op that fails unless ``x <= y`` in every element."""
    return checks.assert_less_equal(x, y, summarize=summarize, message=message, name=name)


def assert_greater(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Operation:
    """An op that fails unless ``x > y`` in every element."""
    return checks.assert_greater(x, y, summarize=summarize, message=message, name=name)


def assert_greater_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Operation:
    """An op that fails unless ``x >= y`` in every element."""
    return checks.assert_greater_equal(x, y, summarize=summarize, message=message, name=name)


def assert_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Operation:
    """An op that fails unless ``x > 0`` in every element."""
    return checks.assert_positive(x, summarize=summarize, message=message, name=name)


def assert_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Operation:
    """An op that fails unless ``x < 0`` in every element."""
    return checks.assert_negative(x, summarize=summarize, message=message, name=name)


def assert_non_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Operation:
    """An op that fails unless ``x >= 0`` in every element."""
    return checks.assert_non_negative(x, summarize=summarize, message=message, name=name)


def assert_non_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Operation:
    """An op that fails unless ``x <= 0`` in every element."""
    return checks.assert_non_positive(x, summarize=summarize, message=message, name=name)


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation:
    """An op that fails unless ``|x - y| < atol + rtol |y|`` in every element."""
    return checks.assert_near(x, y, rtol, atol, summarize=summarize, message=message, name=name)


def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Operation:
    """An op that fails unless ``x`` has ``rank`` dimensions."""
    return shape_checks.assert_rank(x, rank, message=message, name=name)


def assert_rank_at_least(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Operation:
    """An op that fails unless ``x`` has at least ``rank`` dimensions."""
    return shape_checks.assert_rank_at_least(x, rank, message=message, name=name)


def assert_rank_in(x: Any, ranks: Sequence[Any], message: str | None = None, name: str | None = None) -> Operation:
    """An op that fails unless the number of dimensions of ``x`` is one of ``ranks``."""
    return shape_checks.assert_rank_in(x, ranks, message=message, name=name)


def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> Tensor:
    """``tensor``, if it is known while building to be a scalar."""
    return shape_checks.assert_scalar(tensor, name, message)


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """Nothing, if ``x`` is of an integer dtype."""
    checks.assert_integer(x, message, name)


def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> None:
    """Nothing, if ``tensor`` is of dtype ``tf_type``."""
    checks.assert_type(tensor, tf_type, message, name)


def assert_all_finite(x: Any, message: str, name: str | None = None) -> Tensor:
    """``x``, which fails when it runs where an element is infinite or no number."""
    return asserts.verify_tensor_all_finite(name=name, x=x, message=message)


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """``c[i, j]``: how many elements of class i were taken for j, or the sum of their ``weights``."""
    return confusion.confusion_matrix(labels, predictions, num_classes, dtype, name, weights)


def crop_and_resize(
    image: Any,
    boxes: Any,
    box_indices: Any,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    name: str | None = None,
) -> Tensor:
    """The ``boxes`` of the images ``box_indices``, each resized to ``crop_size``, as float32."""
    return crops.crop_and_resize(image, boxes, box_indices, crop_size, method, extrapolation_value, name)


def draw_bounding_boxes(images: Any, boxes: Any, colors: Any, name: str | None = None) -> Tensor:
    """``images`` with their ``boxes`` drawn in ``colors``, in turn; None: in colors of their own."""
    return boxes_ops.draw_bounding_boxes(images, boxes, name, colors)


def extract_glimpse(
    input: Any,
    size: Any,
    offsets: Any,
    centered: bool = True,
    normalized: bool = True,
    noise: str = "uniform",
    name: str | None = None,
) -> Tensor:
    """A window of ``size`` of each image at its offset ``(y, x)``; ``noise`` where the window lies outside."""
    return apply(
        crops.EXTRACT_GLIMPSE,
        input,
        size,
        offsets,
        centered=centered,
        normalized=normalized,
        uniform_noise=False,
        noise=noise,
        name=name,
    )


def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: int | None = 0,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> Any:
    """A random part of an image: where to slice it, how large, and as a box to draw; a seed of 0 is none."""
    first, second = random_ops.get_seed(seed) if seed else (0, 0)
    return boxes_ops.sample_distorted_bounding_box(
        image_size,
        bounding_boxes,
        first,
        second,
        min_object_covered,
        aspect_ratio_range,
        area_range,
        max_attempts,
        use_image_if_no_bounding_boxes,
        name,
    )


def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """``len`` bytes (or characters) of each string from ``pos`` on, which counts from the end if negative."""
    return dispatching.substr(input, pos, len, name, unit)


def string_to_hash_bucket(input: Any, num_buckets: int, name: str | None = None) -> Tensor:
    """Which of ``num_buckets`` each string falls into."""
    return dispatching.string_to_hash_bucket(input, num_buckets, name)


def string_to_number(input: Any, out_type: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """The number that each string spells."""
    return dispatching.string_to_number(input, out_type, name)
