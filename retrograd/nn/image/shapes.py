"""The shapes that functions on images ask for."""

from __future__ import annotations

from typing import Any

from retrograd.graph.errors import taught
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, asserts, checks, comparison, control, joining, reductions


def dimensions(image: Tensor, rank: int) -> list[Any]:
    """The sizes of an image: integers where they are known, or else scalars."""
    if image.shape.is_fully_defined():
        return image.shape.as_list()
    static = image.shape.with_rank(rank).as_list()
    dynamic = joining.unstack(arrays.shape(image), rank)
    return [known if known is not None else size for known, size in zip(static, dynamic, strict=True)]


def is_tensor(x: Any) -> bool:
    """Whether only a run will know it."""
    return hasattr(x, "op") and hasattr(x, "dtype")


def image_checks(image: Tensor) -> list[Operation]:
    """What a run must check: that there are three dimensions or more, and that none is empty.

    Raises:
      ValueError: it is known that this does not hold.
    """
    shape = image.shape
    try:
        shape = shape.with_rank(3) if shape.ndims is None else shape.with_rank_at_least(3)
    except ValueError:
        error = ValueError("'image' must be at least three-dimensional.")
        raise taught(error, fix="tf.expand_dims(image, -1) if the channels are missing") from None
    if any(n == 0 for n in shape.as_list()):
        raise ValueError(f"all dims of 'image.shape' must be > 0: {shape}")
    if shape.is_fully_defined():
        return []
    return [
        checks.assert_positive(arrays.shape(image), ["all dims of 'image.shape' must be > 0."]),
        checks.assert_greater_equal(
            arrays.rank(image), 3, message="'image' must be at least three-dimensional."
        ),
    ]  # fmt: skip


def checked_image(image: Tensor) -> Tensor:
    """``image``, once it is known to be one."""
    return control.with_dependencies(image_checks(image), image)


def checked_grayscale(image: Tensor) -> Tensor:
    """``image``, once it is known to have one channel."""
    shape = image.shape
    try:
        shape = shape.with_rank(2) if shape.ndims is None else shape.with_rank_at_least(2)
    except ValueError:
        raise ValueError("A grayscale image must be at least two-dimensional.") from None
    waiting = []
    if not shape.is_fully_defined():
        waiting = [
            checks.assert_equal(
                arrays.shape(image)[-1], 1, message="Last dimension of a grayscale image should be size 1."
            ),
            checks.assert_greater_equal(
                arrays.rank(image), 3, message="A grayscale image must be at least two-dimensional."
            ),
        ]  # fmt: skip
    elif shape[-1] != 1:
        raise ValueError("Last dimension of a grayscale image should be size 1.")
    return control.with_dependencies(waiting, image)


def require(condition: Any, message: str) -> list[Operation]:
    """What a run must check of a condition that it alone knows.

    Raises:
      ValueError: the condition is known, and does not hold.
    """
    if is_tensor(condition):
        return [asserts.Assert(condition, [message])]
    if not condition:
        raise ValueError(message)
    return []


def with_shape_of(image: Tensor, result: Tensor) -> Tensor:
    """``result`` with the shape of ``image``, which has three dimensions if nothing is known of it."""
    result.set_shape([None, None, None] if image.shape.ndims is None else image.shape)
    return result


def compatible_images(img1: Tensor, img2: Tensor) -> tuple[Tensor, Tensor, list[Operation]]:
    """The shapes of two images, and what a run must check: that the last three sizes are the same.

    Raises:
      ValueError: it is known that the shapes differ.
    """
    shape1, shape2 = img1.shape.with_rank_at_least(3), img2.shape.with_rank_at_least(3)
    shape1[-3:].assert_is_compatible_with(shape2[-3:])
    if shape1.ndims is not None and shape2.ndims is not None:
        before = zip(reversed(list(shape1)[:-3]), reversed(list(shape2)[:-3]), strict=False)
        if not all(m == 1 or n == 1 or m.is_compatible_with(n) for m, n in before):
            raise ValueError(f"Two images are not compatible: {shape1} and {shape2}")
    first, second = arrays.shape_n([img1, img2])
    waiting = [
        asserts.Assert(comparison.greater_equal(arrays.size(first), 3), [first, second], summarize=10),
        asserts.Assert(reductions.reduce_all(comparison.equal(first[-3:], second[-3:])), [first, second], summarize=10),
    ]
    return first, second, waiting
