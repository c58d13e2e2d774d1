"""Boxes on images: drawn, and sampled."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, log
from retrograd.graph.apply import apply, apply_named
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, merge_dim
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.streams import Draws, Stream

# -- drawing -------------------------------------------------------------------------------------

_COLORS = np.array(
    [
        (1, 1, 0, 1), (0, 0, 1, 1), (1, 0, 0, 1), (0, 1, 0, 1), (0.5, 0, 0.5, 1), (0.5, 0.5, 0, 1), (0.5, 0, 0, 1),
        (0, 0, 0.5, 1), (0, 1, 1, 1), (1, 0, 1, 1),
    ],
    np.float32,
)  # fmt: skip


def _drawn(xp: Any, images: Any, boxes: Any, colors: Any = None) -> Any:
    """The outlines of the boxes over the images, each in the next of the colors."""
    result = np.array(images)
    _, height, width, depth = result.shape
    table = _COLORS if colors is None or not len(colors) else np.asarray(colors, np.float32)
    if colors is None and depth == 1:
        table = np.ones((1, 1), np.float32)
    table = table[:, :depth].astype(result.dtype)
    sides = np.array([height - 1, width - 1] * 2, np.float32)
    pixels = (np.asarray(boxes, np.float32) * sides).astype(np.int64).tolist()
    for image, rows in zip(result, pixels, strict=True):
        for k, (y1, x1, y2, x2) in enumerate(rows):
            color = table[k % len(table)]
            if y1 > y2 or x1 > x2:
                log.warning("Bounding box (%d,%d,%d,%d) is inverted and will not be drawn.", y1, x1, y2, x2)
                continue
            if y1 >= height or y2 < 0 or x1 >= width or x2 < 0:
                continue
            down = slice(max(y1, 0), min(y2, height - 1) + 1)
            along = slice(max(x1, 0), min(x2, width - 1) + 1)
            if y1 >= 0:
                image[y1, along] = color
            if y2 < height:
                image[y2, along] = color
            if x1 >= 0:
                image[down, x1] = color
            if x2 < width:
                image[down, x2] = color
    return result


def _images_with_boxes(images: Tensor, boxes: Tensor, *rest: Any) -> RawShape:
    shape_rules.with_rank(images, 4)
    merge_dim(shape_rules.with_rank(boxes, 3)[2], 4)
    return images.dims


_DRAWN: dict[str, Any] = {
    "types": {"T": (dtypes.float32, dtypes.float16)}, "shape": _images_with_boxes, "kernel": _drawn,
    "effect": Effect.CHECK, "gradient": not_differentiable,
}  # fmt: skip
DRAW_BOXES = define(
    "DrawBoundingBoxes", "images: T, boxes: float32", "output: T", attrs={"T": dtypes.float32}, **_DRAWN
)
DRAW_BOXES_V2 = define(
    "DrawBoundingBoxesV2", "images: T, boxes: float32, colors: float32", "output: T", attrs={"T": dtypes.float32},
    **_DRAWN,
)  # fmt: skip


def draw_bounding_boxes(images: Any, boxes: Any, name: str | None = None, colors: Any = None) -> Tensor:
    """``images`` with the outlines of ``boxes`` (batch, boxes, 4), in ``colors`` or ten of TensorFlow's."""
    if colors is None:
        return apply(DRAW_BOXES, images, boxes, name=name)
    return apply(DRAW_BOXES_V2, images, boxes, colors, name=name)


# -- sampling ------------------------------------------------------------------------------------


def _sampled_box(
    xp: Any, stream: Stream, image_size: Any, boxes: Any, least: Any, *, aspect_ratio_range: Any, area_range: Any,
    max_attempts: int, use_image_if_no_bounding_boxes: bool,
) -> list[Any]:  # fmt: skip
    """A random part of the image, of an area and an aspect ratio in the ranges, that shows enough of an object."""
    height, width = int(image_size[0]), int(image_size[1])
    rows = np.asarray(boxes, np.float32).reshape(-1, 4)
    outside = rows[(rows < 0) | (rows > 1)]
    if outside.size:
        text = f"All bounding box coordinates must be in [0.0, 1.0]: {outside[0]:g}"
        raise InvalidArgumentError(None, None, text)
    if not len(rows):
        if not use_image_if_no_bounding_boxes:
            raise InvalidArgumentError(
                None, None,
                "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes if you wish to "
                "not provide any bounding boxes.",
            )  # fmt: skip
        rows = np.array([[0, 0, 1, 1]], np.float32)
    objects = [[int(c * n) for c, n in zip(row, (height, width) * 2, strict=True)] for row in rows]
    draws = Draws(stream, 4 * max_attempts)
    low, high = np.float32(aspect_ratio_range[0]), np.float32(aspect_ratio_range[1])
    found = None
    for _ in range(max_attempts):
        crop = _random_crop(draws, height, width, area_range, np.float32(draws.unit() * (high - low) + low))
        if crop is not None and any(_shows(crop, box, np.float32(least)) for box in objects):
            found = crop
            break
    y, x, tall, wide = found or (0, 0, height, width)
    box = np.array([[[y / height, x / width, (y + tall) / height, (x + wide) / width]]], np.float32)
    dtype = np.asarray(image_size).dtype
    return [np.array([y, x, 0], dtype), np.array([tall, wide, -1], dtype), box]


def _random_crop(
    draws: Draws, height: int, width: int, area_range: Any, ratio: np.float32
) -> tuple[int, int, int, int] | None:
    """``(y, x, height, width)``, or None where rounding leaves the ranges."""
    if area_range[1] <= 0 or ratio <= 0 or height <= 0 or width <= 0 or area_range[0] > area_range[1]:
        return None
    least, most = (np.float32(a) * width * height for a in area_range)
    tall = round(float(np.sqrt(np.float32(least / ratio))))
    highest = round(float(np.sqrt(np.float32(most / ratio))))
    if round(float(highest * ratio)) > width:
        highest = int((width + 0.5 - 1e-7) / ratio)
    highest = min(highest, height)
    tall = min(tall, highest)
    if tall < highest:
        tall += draws.below(highest - tall + 1)
    wide = round(float(tall * ratio))
    if tall * wide < least:
        tall += 1
        wide = round(float(tall * ratio))
    if tall * wide > most:
        tall -= 1
        wide = round(float(tall * ratio))
    if not least <= tall * wide <= most or wide > width or tall > height or wide <= 0 or tall <= 0:
        return None
    y = draws.below(height - tall) if tall < height else 0
    x = draws.below(width - wide) if wide < width else 0
    return y, x, tall, wide


def _shows(crop: tuple[int, int, int, int], box: list[int], least: np.float32) -> bool:
    y, x, tall, wide = crop
    y1, x1, y2, x2 = box
    area = max(y2 - y1, 0) * max(x2 - x1, 0)
    if tall * wide < 1 or area < 1:
        return False
    seen = max(min(y + tall, y2) - max(y, y1), 0) * max(min(x + wide, x2) - max(x, x1), 0)
    return bool(np.float32(seen) / np.float32(area) >= least)


SAMPLE_BOX = define(
    "SampleDistortedBoundingBoxV2", "image_size: T, bounding_boxes: float32, min_object_covered: float32",
    "begin: T, size: T, bboxes: float32",
    attrs={
        "seed": 0, "seed2": 0, "aspect_ratio_range": [0.75, float(np.float32(1.33))],
        "area_range": [float(np.float32(0.05)), 1.0], "max_attempts": 100, "use_image_if_no_bounding_boxes": False,
    },
    types={"T": (dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)},
    shape=lambda *inputs: [(3,), (3,), (1, 1, 4)], kernel=_sampled_box, effect=Effect.RANDOM,
    gradient=not_differentiable,
)  # fmt: skip


def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: int | None = None,
    seed2: int | None = None,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> Any:
    """A random part of an image: where to ``tf.slice`` it, how large, and as a box to draw.

    Args:
      image_size: height, width and channels.
      bounding_boxes: of the objects, ``(1, boxes, 4)``; the part shows ``min_object_covered`` of one of them.
      aspect_ratio_range, area_range: of the part; by default ``(0.75, 1.33)`` and ``(0.05, 1)``.
      max_attempts: after so many tries it is the whole image, by default after 100.
    """
    with name_scope(name, "sample_distorted_bounding_box"):
        given = {
            "seed": seed, "seed2": seed2, "max_attempts": max_attempts,
            "aspect_ratio_range": _floats(aspect_ratio_range), "area_range": _floats(area_range),
            "use_image_if_no_bounding_boxes": use_image_if_no_bounding_boxes,
        }  # fmt: skip
        attrs: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        return apply_named(SAMPLE_BOX, image_size, bounding_boxes, min_object_covered, **attrs)


def _floats(values: Any) -> list[float] | None:
    return None if values is None else [float(np.float32(v)) for v in values]
