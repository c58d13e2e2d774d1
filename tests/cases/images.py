"""Images: resizing, crops, patches, colors.  Resizing computes in float32, so its steps are large."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, between, distinct, normal

from retrograd import tf
from retrograd.graph.apply import apply
from retrograd.ops.colors import adjust_hsv_in_yiq
from retrograd.ops.periodic import GRADIENT, periodic_resample
from retrograd.ops.resampling import resampler
from retrograd.ops.scaling import scale_and_translate
from retrograd.tf import raw_ops

IMAGES = normal(2, 4, 5, 3)
PIXELS = distinct(2, 3, 3, gap=0.03) + 1.5  # no two channels of a pixel alike
SINGLE: dict[str, Any] = {"step": 0.25, "tolerance": 1e-3, "rounding": 1e-5}
BOXES = np.array([[0.12, 0.2, 0.7, 0.9], [-0.2, 0.3, 0.5, 1.3]])
MOVING: dict[str, Any] = {"step": 1e-3, "tolerance": 0.02, "rounding": 1e-4}  # no pixel is that near to a box's places
POINTS = np.array([0.3, 1.6, 2.4, -0.7])[None, :, None] + between(0.1, 0.4, 2, 4, 2)  # none on a pixel
WHICH = np.array([0, 1], np.int32)


def single(x: Any) -> Any:
    return tf.cast(x, tf.float32)


ROWS = [
    *(
        Row(op, lambda x, f=f, size=size: f(x, size), (IMAGES,), label=str(size), **SINGLE)
        for op, f in (
            ("ResizeBilinear", tf.image.resize_bilinear), ("ResizeBicubic", tf.image.resize_bicubic),
            ("ResizeArea", tf.image.resize_area), ("ResizeNearestNeighbor", tf.image.resize_nearest_neighbor),
        )
        for size in ([3, 7], [2, 2])
    ),
    *(
        Row(f"{op}Grad", lambda dy, x, f=f: f(grads=single(dy), original_image=x, half_pixel_centers=True),
            (normal(2, 3, 7, 3), IMAGES), still=(1,), **SINGLE)
        for op, f in (("ResizeBilinear", raw_ops.ResizeBilinearGrad), ("ResizeBicubic", raw_ops.ResizeBicubicGrad))
    ),
    Row("ResizeNearestNeighborGrad", lambda dy: raw_ops.ResizeNearestNeighborGrad(dy, [4, 5]), (normal(2, 3, 7, 3),)),
    *(
        Row("ScaleAndTranslate", lambda x, kind=kind, smooth=smooth: scale_and_translate(
            single(x), [3, 6], [0.7, 1.3], [0.4, -0.6], kind, smooth), (IMAGES,), label=f"{kind} {smooth}", **SINGLE)
        for kind, smooth in (("lanczos3", True), ("gaussian", True), ("mitchellcubic", False), ("box", True))
    ),
    Row("ScaleAndTranslateGrad", lambda dy, x: raw_ops.ScaleAndTranslateGrad(
        grads=single(dy), original_image=single(x), scale=[0.7, 1.3], translation=[0.4, -0.6]),
        (normal(2, 3, 6, 3), IMAGES), still=(1,), **SINGLE),
    Row("CropAndResize", lambda x, b: tf.image.crop_and_resize(x, single(b), WHICH, [3, 2]), (IMAGES, BOXES), **MOVING),
    Row("CropAndResize", lambda x: tf.image.crop_and_resize(x, single(BOXES), WHICH, [1, 4], "nearest"), (IMAGES,),
        label="nearest", **SINGLE),
    Row("CropAndResizeGradImage", lambda dy, b: raw_ops.CropAndResizeGradImage(
        single(dy), single(b), WHICH, [2, 4, 5, 3], T=tf.float64), (normal(2, 3, 2, 3), BOXES), orders=1, **MOVING),
    Row("CropAndResizeGradBoxes", lambda dy, x, b: raw_ops.CropAndResizeGradBoxes(single(dy), x, single(b), WHICH),
        (normal(2, 3, 2, 3), IMAGES, BOXES), orders=1, **MOVING),
    Row("RGBToHSV", tf.image.rgb_to_hsv, (PIXELS,)),
    Row("HSVToRGB", tf.image.hsv_to_rgb, (between(0.05, 0.11, 2, 3, 3),)),
    Row("AdjustContrastv2", lambda x, c: tf.image.adjust_contrast(single(x), single(c)),
        (IMAGES, np.float64(0.7)), **SINGLE),
    Row("AdjustHue", lambda x, d: tf.image.adjust_hue(single(x), single(d)),
        (PIXELS, np.float64(0.3)), step=1e-3, tolerance=0.05, rounding=1e-4, orders=1),
    Row("AdjustSaturation", lambda x, d: tf.image.adjust_saturation(single(x), single(d)),
        (PIXELS, np.float64(0.3)), step=1e-3, tolerance=0.05, rounding=1e-4, orders=1),
    Row("AdjustHsvInYiq", lambda x, d, s, v: adjust_hsv_in_yiq(*map(single, (x, d, s, v))),
        (PIXELS, np.float64(0.3), np.float64(0.7), np.float64(1.2)), step=0.05, tolerance=1e-3, rounding=1e-5),
    Row("ExtractImagePatches", lambda x: tf.image.extract_image_patches(
        x, [1, 2, 3, 1], [1, 1, 2, 1], [1, 2, 1, 1], "SAME"), (IMAGES,)),
    Row("ExtractImagePatches", lambda x: tf.image.extract_image_patches(
        x, [1, 2, 3, 1], [1, 1, 2, 1], [1, 1, 1, 1], "VALID"), (IMAGES,), label="VALID"),
    Row("ExtractVolumePatches", lambda x: tf.extract_volume_patches(
        x, [1, 2, 2, 3, 1], [1, 1, 2, 1, 1], "SAME"), (normal(2, 3, 4, 5, 2),)),
    Row("Resampler", lambda x, p: resampler(x, p), (IMAGES, POINTS), orders=1),
    Row("ResamplerGrad", lambda x, p, dy: raw_ops.ResamplerGrad(data=x, warp=p, grad_output=dy),
        (IMAGES, POINTS, normal(2, 4, 3)), orders=0),
    Row("PeriodicResample", lambda x: periodic_resample(x, [4, 4, None]), (normal(2, 2, 5),)),
    Row("PeriodicResampleOpGrad", lambda dy: apply(
        GRADIENT, dy, original_shape=tf.TensorShape([2, 2, 5]), desired_shape=tf.TensorShape([4, 4, None])),
        (normal(4, 4, 1),)),
    Row("PeriodicResample", lambda x: periodic_resample(x, [None, 5]), (normal(7, 2),), label="first"),
]  # fmt: skip
