"""Turning images round, cutting them, and giving them borders."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.image.shapes import checked_image, dimensions, image_checks, is_tensor, require, with_shape_of
from retrograd.ops import (
    arithmetic,
    arrays,
    cases,
    casts,
    comparison,
    conditions,
    control,
    joining,
    padding,
    permuting,
    random,
    rounding,
    slicing,
)

_RANKS = "'image' must have either 3 or 4 dimensions."

# -- flips and turns -----------------------------------------------------------------------------


def random_flip_up_down(image: Any, seed: int | None = None) -> Tensor:
    """``image``, or one time in two upside down; each image of a batch on its own."""
    return _flipped_at_random(image, 0, seed, "random_flip_up_down")


def random_flip_left_right(image: Any, seed: int | None = None) -> Tensor:
    """``image``, or one time in two its mirror image; each image of a batch on its own."""
    return _flipped_at_random(image, 1, seed, "random_flip_left_right")


def _flipped_at_random(image: Any, axis: int, seed: int | None, scope_name: str) -> Tensor:
    with name_scope(None, scope_name, [image]) as scope:
        image = checked_image(as_tensor(image, name="image"))
        if image.rank in (3, None):
            chance = comparison.less(random.random_uniform([], 0, 1.0, seed=seed), 0.5)
            result = conditions.cond(chance, lambda: permuting.reverse(image, [axis]), lambda: image, name=scope)
            return with_shape_of(image, result)
        if image.rank != 4:
            raise ValueError(_RANKS)
        batch = arrays.shape(image)[0]
        chances = random.random_uniform([batch], 0, 1.0, seed=seed)
        flips = casts.cast(rounding.round_(arrays.reshape(chances, [batch, 1, 1, 1])), image.dtype)
        flipped = permuting.reverse(image, [axis + 1])
        return flips * flipped + (1 - flips) * image


def flip_left_right(image: Any) -> Tensor:
    """The mirror image."""
    return _flipped(image, 1, "flip_left_right")


def flip_up_down(image: Any) -> Tensor:
    """The image upside down."""
    return _flipped(image, 0, "flip_up_down")


def _flipped(image: Any, axis: int, scope_name: str) -> Tensor:
    with name_scope(None, scope_name, [image]):
        image = checked_image(as_tensor(image, name="image"))
        if image.rank in (3, None):
            return with_shape_of(image, permuting.reverse(image, [axis]))
        if image.rank != 4:
            raise ValueError(_RANKS)
        return permuting.reverse(image, [axis + 1])


def rot90(image: Any, k: Any = 1, name: str | None = None) -> Tensor:
    """``image`` turned ``k`` times by 90 degrees, against the clock."""
    with name_scope(name, "rot90", [image, k]) as scope:
        image = checked_image(as_tensor(image, name="image"))
        k = as_tensor(k, dtype=dtypes.int32, name="k")
        k.shape.assert_has_rank(0)
        k = arithmetic.floormod(k, 4)
        if image.rank not in (3, 4, None):
            raise ValueError(_RANKS)
        first = 1 if image.rank == 4 else 0
        swapped = [0, 2, 1, 3] if first else [1, 0, 2]
        turns = [
            (comparison.equal(k, 1), lambda: permuting.transpose(permuting.reverse(image, [first + 1]), swapped)),
            (comparison.equal(k, 2), lambda: permuting.reverse(image, [first, first + 1])),
            (comparison.equal(k, 3), lambda: permuting.reverse(permuting.transpose(image, swapped), [first + 1])),
        ]
        result: Tensor = cases.case(turns, default=lambda: image, exclusive=True, name=scope)
        ends = (result.shape[0], None, None, result.shape[3]) if first else (None, None, image.shape[2])
        result.set_shape(ends)
        return result


def transpose_image(image: Any, name: str | None = None) -> Tensor:
    """``image`` with height and width exchanged."""
    with name_scope(name, "transpose", [image]):
        image = checked_image(as_tensor(image, name="image"))
        if image.rank in (3, None):
            return permuting.transpose(image, [1, 0, 2], name=name)
        if image.rank != 4:
            raise ValueError(_RANKS)
        return permuting.transpose(image, [0, 2, 1, 3], name=name)


# -- cutting -------------------------------------------------------------------------------------


def central_crop(image: Any, central_fraction: float) -> Tensor:
    """The middle of ``image``: this fraction of its height and of its width.

    Raises:
      ValueError: the fraction is not in (0, 1].
    """
    with name_scope(None, "central_crop", [image]):
        image = as_tensor(image, name="image")
        if central_fraction <= 0.0 or central_fraction > 1.0:
            raise ValueError("central_fraction must be within (0, 1]")
        if central_fraction == 1.0:
            return image
        checked_image(image)
        rank = image.rank
        if rank not in (3, 4):
            raise ValueError(f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {rank}.")
        first = 0 if rank == 3 else 1
        sizes: list[Any] = [image.shape[i].value for i in (first, first + 1)]
        sizes = [arrays.shape(image)[first + i] if n is None else n for i, n in enumerate(sizes)]
        starts = [_crop_start(n, central_fraction) for n in sizes]
        lengths = [n - start * 2 for n, start in zip(sizes, starts, strict=True)]
        begin, size = [*starts, 0], [*lengths, -1]
        if first:
            begin, size = [0, *begin], [-1, *size]
        result = slicing.slice_(image, joining.stack(begin), joining.stack(size))
        height, width = (None if is_tensor(n) else n for n in lengths)
        result.set_shape([*image.shape.as_list()[:first], height, width, image.shape[-1]])
        return result


def _crop_start(size: Any, fraction: float) -> Any:
    if not is_tensor(size):
        return int((float(size) - float(size) * fraction) / 2)
    wide = casts.cast(size, dtypes.float64)
    return casts.cast((wide - wide * fraction) / 2, dtypes.int32)


def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """The part of ``image`` of this size whose upper left corner is at the offset.

    Raises:
      ValueError: the part does not lie in the image; if only a run knows, an InvalidArgumentError.
    """
    with name_scope(None, "crop_to_bounding_box", [image]):
        image, is_batch = _as_batch(as_tensor(image, name="image"))
        waiting = image_checks(image)
        batch, height, width, depth = dimensions(image, 4)
        waiting += require(offset_width >= 0, "offset_width must be >= 0.")
        waiting += require(offset_height >= 0, "offset_height must be >= 0.")
        waiting += require(target_width > 0, "target_width must be > 0.")
        waiting += require(target_height > 0, "target_height must be > 0.")
        waiting += require(width >= (target_width + offset_width), "width must be >= target + offset.")
        waiting += require(height >= (target_height + offset_height), "height must be >= target + offset.")
        image = control.with_dependencies(waiting, image)
        cropped = slicing.slice_(
            image,
            joining.stack([0, offset_height, offset_width, 0]),
            joining.stack([-1, target_height, target_width, -1]),
        )
        return _finished(cropped, (batch, target_height, target_width, depth), is_batch)


def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """``image`` at the offset in an image of zeros of this size.

    Raises:
      ValueError: it does not fit in there; if only a run knows, an InvalidArgumentError.
    """
    with name_scope(None, "pad_to_bounding_box", [image]):
        image, is_batch = _as_batch(as_tensor(image, name="image"))
        waiting = image_checks(image)
        batch, height, width, depth = dimensions(image, 4)
        right = target_width - offset_width - width
        below = target_height - offset_height - height
        waiting += require(offset_height >= 0, "offset_height must be >= 0")
        waiting += require(offset_width >= 0, "offset_width must be >= 0")
        waiting += require(right >= 0, "width must be <= target - offset")
        waiting += require(below >= 0, "height must be <= target - offset")
        image = control.with_dependencies(waiting, image)
        borders = joining.stack([0, 0, offset_height, below, offset_width, right, 0, 0])
        padded = padding.pad(image, arrays.reshape(borders, [4, 2]))
        return _finished(padded, (batch, target_height, target_width, depth), is_batch)


def _as_batch(image: Tensor) -> tuple[Tensor, bool]:
    """Images in a batch, and whether they came as one."""
    if image.rank == 3:
        return arrays.expand_dims(image, 0), False
    if image.rank is None:
        image = arrays.expand_dims(image, 0)
        image.set_shape([None] * 4)
        return image, False
    if image.rank != 4:
        raise ValueError("'image' must have either 3 or 4 dimensions.")
    return image, True


def _finished(result: Tensor, sizes: tuple[Any, ...], is_batch: bool) -> Tensor:
    result.set_shape([None if is_tensor(n) else n for n in sizes])
    return result if is_batch else arrays.squeeze(result, axis=[0])


def resize_image_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Tensor:
    """``image`` at this size: its middle where it is larger, with zeros around where it is smaller.

    Raises:
      ValueError: a size is not positive.
    """
    with name_scope(None, "resize_image_with_crop_or_pad", [image]):
        image, is_batch = _as_batch(as_tensor(image, name="image"))
        waiting = image_checks(image)
        waiting += require(target_width > 0, "target_width must be > 0.")
        waiting += require(target_height > 0, "target_height must be > 0.")
        image = control.with_dependencies(waiting, image)
        if is_tensor(target_height):
            target_height = control.with_dependencies(waiting, target_height)
        if is_tensor(target_width):
            target_width = control.with_dependencies(waiting, target_width)
        _, height, width, _ = dimensions(image, 4)
        wider = target_width - width
        left, left_border = _larger(-wider // 2, 0), _larger(wider // 2, 0)
        taller = target_height - height
        top, top_border = _larger(-taller // 2, 0), _larger(taller // 2, 0)
        cropped = crop_to_bounding_box(image, top, left, _smaller(target_height, height), _smaller(target_width, width))
        resized = pad_to_bounding_box(cropped, top_border, left_border, target_height, target_width)
        if resized.shape.ndims is None:
            raise ValueError("resized contains no shape.")
        _, height, width, _ = dimensions(resized, 4)
        waiting = require(_equal(height, target_height), "resized height is not correct.")
        waiting += require(_equal(width, target_width), "resized width is not correct.")
        resized = control.with_dependencies(waiting, resized)
        return resized if is_batch else arrays.squeeze(resized, axis=[0])


def _larger(x: Any, y: Any) -> Any:
    return arithmetic.maximum(x, y) if is_tensor(x) or is_tensor(y) else max(x, y)


def _smaller(x: Any, y: Any) -> Any:
    return arithmetic.minimum(x, y) if is_tensor(x) or is_tensor(y) else min(x, y)


def _equal(x: Any, y: Any) -> Any:
    return comparison.equal(x, y) if is_tensor(x) or is_tensor(y) else x == y
