"""Functions of ``tf.image``, ``tf.signal`` and ``tf.contrib.image``."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import between, distinct, normal
from function_table import SINGLE
from function_table import FunctionRow as Row

from retrograd import tf

M, S, C = tf.image, tf.signal, tf.contrib.image
COLOURS = (np.array([0.2, 0.45, 0.7]) + between(-0.1, 0.1, 3, 4, 3)).astype("f")
LARGE = (between(0.1, 0.9, 1, 13, 12, 1).astype("f"), between(0.1, 0.9, 1, 13, 12, 1, seed=1).astype("f"))
BATCH = (distinct(2, 4, 3, 1).astype("f"),)


def colours(x: Any) -> Any:
    return [
        M.rgb_to_grayscale(x),
        M.grayscale_to_rgb(x[..., :1]),
        M.rgb_to_yiq(x),
        M.yiq_to_rgb(x),
        M.rgb_to_yuv(x),
        M.yuv_to_rgb(x),
        M.rgb_to_hsv(x),
        M.hsv_to_rgb(0.3 * x + 0.2),
        M.adjust_brightness(x, 0.2),
        M.adjust_gamma(x, 1.3, 0.9),
        M.adjust_saturation(x, 0.8),
        M.per_image_standardization(x),
        M.adjust_hue(x, 0.01),
    ]


def moved(x: Any) -> Any:
    return [
        M.flip_left_right(x),
        M.flip_up_down(x),
        M.transpose(x),
        M.central_crop(x, 0.5),
        M.crop_to_bounding_box(x, 1, 0, 2, 2),
        M.pad_to_bounding_box(x, 1, 0, 6, 5),
        M.resize_with_crop_or_pad(x, 3, 5),
        M.resize_image_with_pad(x, 6, 3),
        M.extract_patches(x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"),
        M.random_flip_left_right(x, 3),
        M.random_flip_up_down(x, 3),
        M.random_crop(x, [2, 2, 2, 1], 3),
        tf.random_crop(x, [1, 3, 2, 1], 4),
        *M.image_gradients(x),
        M.sobel_edges(x),
    ]


def drawn(x: Any) -> Any:
    return [M.random_brightness(x, 0.2, 3), M.random_saturation(x, 0.9, 1.1, 3), M.random_hue(x, 0.02, 3)]


def sizes(x: Any) -> Any:
    methods = [M.resize(x, [3, 5], method) for method in range(3)]
    kernels = [
        tf.compat.v2.image.resize(x, [3, 5], k, antialias=True)
        for k in ("bilinear", "lanczos3", "gaussian", "mitchellcubic")
    ]
    return [
        *methods,
        *kernels,
        M.resize_bilinear(x, [5, 2], True),
        M.resize_bicubic(x, [5, 2]),
        M.resize_nearest_neighbor(x, [5, 2]),
        tf.compat.v2.image.resize_with_pad(x, 6, 3),
        M.crop_and_resize(x, [[0.1, 0.2, 0.8, 0.9]], [1], [2, 2]),
        tf.compat.v2.image.crop_and_resize(x, [[0.1, 0.2, 0.8, 0.9]], [1], [2, 2]),
    ]


def glimpses(x: Any) -> Any:
    places = [[0.1, 0.2], [0.0, -0.3]]
    return [f(x, [2, 2], places) for f in (M.extract_glimpse, tf.compat.v2.image.extract_glimpse)]


def likeness(x: Any, y: Any) -> Any:
    return [M.ssim(x, y, 1.0), M.psnr(x, y, 1.0)]


def turned(x: Any) -> Any:
    return [
        C.rotate(x, 0.3, "BILINEAR"),
        C.translate(x, [0.3, -0.6], "BILINEAR"),
        C.transform(x, [1.0, 0.1, 0.2, 0.0, 1.1, -0.3, 0.0, 0.0], "BILINEAR"),
    ]


def projections(a: Any) -> Any:
    """``a`` [2, 2] numbers."""
    flat = C.angles_to_projective_transforms(a[:, 0], 4.0, 3.0)
    return [
        flat,
        C.translations_to_projective_transforms(a),
        C.flat_transforms_to_matrices(flat),
        C.matrices_to_flat_transforms(C.flat_transforms_to_matrices(flat)),
        C.compose_transforms(flat, flat),
    ]


def warped(x: Any, f: Any) -> Any:
    """``x`` [1, 4, 4, 2], ``f`` [1, 4, 4, 2]."""
    c = np.array([[[0.5, 0.5], [2.0, 1.0], [1.0, 2.5]]], "f")
    return [C.dense_image_warp(x, f), C.sparse_image_warp(x, tf.constant(c), tf.constant(c + np.float32(0.3)))[0]]


def frames(x: Any) -> Any:
    """``x`` [2, 12]."""
    stft = S.stft(x, 4, 2)
    return [
        S.frame(x, 4, 3),
        S.overlap_and_add(S.frame(x, 4, 2), 2),
        tf.abs(stft),
        S.inverse_stft(stft, 4, 2),
        S.dct(x),
        S.idct(x, 2),
        S.dct(x, 3, norm="ortho"),
        S.mfccs_from_log_mel_spectrograms(x),
        S.fftshift(x, 1),
        S.ifftshift(x),
        S.irfft(tf.complex(x, 2 * x)),
        tf.abs(S.rfft(x)) + 0,
    ]


def matched(y: Any, t: Any, p: Any) -> Any:
    """``t``, ``y`` [1, 3, 2] and [1, 3, 1]: known points and values; ``p`` [1, 2, 2]: where."""
    return [C.interpolate_spline(t, y, p, 2), C.interpolate_spline(t, y, p, 1, 0.1)]


ROWS = [
    Row(
        "image.adjust_contrast image.random_contrast",
        lambda x: [M.adjust_contrast(x, 1.7), M.random_contrast(x, 0.5, 1.5, 3)],
        (COLOURS,),
        draws=True,
        **SINGLE,
    ),
    Row("image.rot90", lambda x: [M.rot90(x), M.rot90(x, 2)], BATCH, shapes=False, **SINGLE),
    Row("image.resize_area", lambda x: [M.resize(x, [2, 2], 3), M.resize_area(x, [3, 3])], BATCH, **SINGLE),
    Row(
        "image.rgb_to_grayscale image.grayscale_to_rgb image.rgb_to_yiq image.yiq_to_rgb "
        "image.rgb_to_yuv image.yuv_to_rgb image.rgb_to_hsv image.hsv_to_rgb image.adjust_brightness "
        "image.adjust_gamma image.adjust_saturation image.per_image_standardization image.adjust_hue",
        colours,
        (COLOURS,),
        **SINGLE,
    ),
    Row(
        "image.flip_left_right image.flip_up_down image.transpose image.central_crop "
        "image.crop_to_bounding_box image.pad_to_bounding_box image.resize_with_crop_or_pad "
        "image.resize_image_with_pad image.extract_patches image.random_flip_left_right "
        "image.random_flip_up_down random_crop image.image_gradients image.sobel_edges",
        moved,
        BATCH,
        draws=True,
        **SINGLE,
    ),
    Row("image.random_brightness image.random_saturation image.random_hue", drawn, (COLOURS,), draws=True, **SINGLE),
    Row(
        "image.resize compat.v2.image.resize image.resize_bilinear image.resize_bicubic "
        "image.resize_nearest_neighbor compat.v2.image.resize_with_pad image.crop_and_resize "
        "compat.v2.image.crop_and_resize",
        sizes,
        BATCH,
        **SINGLE,
    ),
    Row("image.extract_glimpse", glimpses, BATCH, **{**SINGLE, "orders": 0}),
    Row("image.total_variation", M.total_variation, BATCH, **SINGLE),
    Row("image.ssim image.psnr", likeness, LARGE, **{**SINGLE, "tolerance": 2e-2}),
    Row(
        "image.ssim_multiscale",  # nan where a contrast is negative, as in TensorFlow
        lambda x, y: M.ssim_multiscale(x, y, 1.0, [0.4, 0.6], filter_size=4),
        LARGE,
        stepped=False,
        **{**SINGLE, "tolerance": 2e-2},
    ),
    Row(  # its gradient is the inverse transform, as in TensorFlow: nearly that of a bilinear one
        "contrib.image.rotate contrib.image.translate contrib.image.transform",
        turned,
        BATCH,
        stepped=False,
        **SINGLE,
    ),
    Row(
        "contrib.image.angles_to_projective_transforms "
        "contrib.image.translations_to_projective_transforms contrib.image.flat_transforms_to_matrices "
        "contrib.image.matrices_to_flat_transforms contrib.image.compose_transforms",
        projections,
        (normal(2, 2).astype("f"),),
        **SINGLE,
    ),
    Row(
        "contrib.image.dense_image_warp contrib.image.sparse_image_warp",
        warped,
        (distinct(1, 4, 4, 2).astype("f"), between(0.3, 0.6, 1, 4, 4, 2).astype("f")),
        **SINGLE,
    ),
    Row(
        "contrib.image.interpolate_spline",
        matched,
        (normal(1, 3, 1), normal(1, 3, 2, seed=1), normal(1, 2, 2, seed=2)),
        orders=1,
        tolerance=1e-3,
    ),
    Row(
        "signal.frame signal.overlap_and_add signal.stft signal.inverse_stft signal.dct signal.idct "
        "signal.mfccs_from_log_mel_spectrograms signal.fftshift signal.ifftshift signal.irfft "
        "signal.rfft",
        frames,
        (normal(2, 12).astype("f"),),
        **SINGLE,
    ),
]
