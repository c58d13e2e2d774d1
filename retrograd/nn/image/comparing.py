"""How images change from pixel to pixel, and how like each other two images are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.convolution import depthwise_conv2d
from retrograd.nn.image.colors import convert_image_dtype
from retrograd.nn.image.shapes import compatible_images
from retrograd.ops import (
    activations,
    arithmetic,
    arrays,
    asserts,
    casts,
    comparison,
    conditions,
    constants,
    exponentials,
    joining,
    padding,
    pooling,
    powers,
    reductions,
    repeating,
    rounding,
    softmax,
)

# -- from pixel to pixel -------------------------------------------------------------------------


def total_variation(images: Any, name: str | None = None) -> Tensor:
    """The sum of ``|difference|`` between neighbors, for each image.

    Raises:
      ValueError: the images have neither 3 nor 4 dimensions.
    """
    with name_scope(name, "total_variation"):
        images = as_tensor(images) if not isinstance(images, Tensor) else images
        if images.rank == 3:
            down, along = images[1:, :, :] - images[:-1, :, :], images[:, 1:, :] - images[:, :-1, :]
            axes = None
        elif images.rank == 4:
            down, along = images[:, 1:, :, :] - images[:, :-1, :, :], images[:, :, 1:, :] - images[:, :, :-1, :]
            axes = [1, 2, 3]
        else:
            raise ValueError("'images' must be either 3 or 4-dimensional.")
        return reductions.reduce_sum(rounding.abs_(down), axis=axes) + reductions.reduce_sum(
            rounding.abs_(along), axis=axes
        )


def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """The differences to the next pixel below and to the right; 0 at the border.

    Raises:
      ValueError: the images have not 4 dimensions.
    """
    if image.shape.ndims != 4:
        raise ValueError(f"image_gradients expects a 4D tensor [batch_size, h, w, d], not %s.{image.shape}")
    shape = arrays.shape(image)
    batch, height, width, depth = joining.unstack(shape)
    dy = image[:, 1:, :, :] - image[:, :-1, :, :]
    dx = image[:, :, 1:, :] - image[:, :, :-1, :]
    zeros = constants.zeros(joining.stack([batch, 1, width, depth]), image.dtype)
    dy = arrays.reshape(joining.concat([dy, zeros], 1), shape)
    zeros = constants.zeros(joining.stack([batch, height, 1, depth]), image.dtype)
    dx = arrays.reshape(joining.concat([dx, zeros], 2), shape)
    return dy, dx


_SOBEL = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], np.float32)


def sobel_edges(image: Any) -> Tensor:
    """Sobel's derivatives down and along, in a new last dimension."""
    known, shape = image.shape, arrays.shape(image)
    filters = np.stack([_SOBEL, _SOBEL.T], -1)[:, :, None]
    kernels = constants.constant(filters, dtype=dtypes.float32)
    kernels = repeating.tile(kernels, [1, 1, shape[-1], 1], name="sobel_filters")
    padded = padding.pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    result = depthwise_conv2d(padded, kernels, [1, 1, 1, 1], "VALID")
    result = arrays.reshape(result, shape=joining.concat([shape, [2]], 0))
    result.set_shape(known.concatenate([2]))
    return result


# -- two images ----------------------------------------------------------------------------------


def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Tensor:
    """``20 log10(max_val) - 10 log10(mean((a - b)^2))`` for each pair of images, in decibels."""
    with name_scope(name, "PSNR", [a, b]):
        max_val = convert_image_dtype(casts.cast(max_val, a.dtype), dtypes.float32)
        a, b = convert_image_dtype(a, dtypes.float32), convert_image_dtype(b, dtypes.float32)
        error = reductions.reduce_mean(arithmetic.squared_difference(a, b), [-3, -2, -1])
        decibels = arithmetic.subtract(
            20 * exponentials.log(max_val) / exponentials.log(10.0),
            np.float32(10 / np.log(10)) * exponentials.log(error), name="psnr",
        )  # fmt: skip
        _, _, waiting = compatible_images(a, b)
        with control_dependencies(waiting):
            return arrays.identity(decibels)


def ssim(
    img1: Any,
    img2: Any,
    max_val: Any,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The structural similarity of each pair of images, 1 if they are the same.

    With means, variances and the covariance under a Gaussian window, ``c1 = (k1 L)^2`` and ``c2 = (k2 L)^2``:
    ``(2 m1 m2 + c1) / (m1^2 + m2^2 + c1) * (2 cov + c2) / (v1 + v2 + c2)``, on average.
    """
    _, _, waiting = compatible_images(img1, img2)
    with control_dependencies(waiting):
        img1 = arrays.identity(img1)
    max_val = convert_image_dtype(casts.cast(max_val, img1.dtype), dtypes.float32)
    img1, img2 = convert_image_dtype(img1, dtypes.float32), convert_image_dtype(img2, dtypes.float32)
    by_channel, _ = _ssim_per_channel(img1, img2, max_val, filter_size, filter_sigma, k1, k2)
    return reductions.reduce_mean(by_channel, [-1])


def _gaussian(size: Tensor, sigma: Tensor) -> Tensor:
    """A window of weights ``exp(-r^2 / (2 sigma^2))`` that add up to 1."""
    size = as_tensor(size, dtypes.int32)
    sigma = as_tensor(sigma)
    places = casts.cast(constants.range_(size), sigma.dtype)
    places = places - casts.cast(size - 1, sigma.dtype) / 2.0
    g = powers.square(places)
    g = g * (-0.5 / powers.square(sigma))
    g = arrays.reshape(g, shape=[1, -1]) + arrays.reshape(g, shape=[-1, 1])
    g = softmax.softmax(arrays.reshape(g, shape=[1, -1]))
    return arrays.reshape(g, shape=[size, size, 1, 1])


def _ssim_per_channel(
    img1: Tensor, img2: Tensor, max_val: Tensor, filter_size: Any, filter_sigma: Any, k1: float, k2: float
) -> tuple[Tensor, Tensor]:
    """The similarity of each channel, and its part that speaks of contrast and structure."""
    filter_size = constants.constant(filter_size, dtype=dtypes.int32)
    filter_sigma = constants.constant(filter_sigma, dtype=img1.dtype)
    shape1, shape2 = arrays.shape_n([img1, img2])
    waiting = [
        asserts.Assert(
            reductions.reduce_all(comparison.greater_equal(shape[-3:-1], filter_size)), [shape, filter_size],
            summarize=8,
        ) for shape in (shape1, shape2)
    ]  # fmt: skip
    with control_dependencies(waiting):
        img1 = arrays.identity(img1)
    window = _gaussian(filter_size, filter_sigma)
    window = repeating.tile(window, multiples=[1, 1, shape1[-1], 1])

    def mean(x: Tensor) -> Tensor:
        shape = arrays.shape(x)
        flat = arrays.reshape(x, shape=joining.concat([[-1], shape[-3:]], 0))
        y = depthwise_conv2d(flat, window, strides=[1, 1, 1, 1], padding="VALID")
        return arrays.reshape(y, joining.concat([shape[:-3], arrays.shape(y)[1:]], 0))

    luminance, structure = _parts(img1, img2, mean, max_val, k1, k2)
    axes = constants.constant([-3, -2], dtype=dtypes.int32)
    return reductions.reduce_mean(luminance * structure, axes), reductions.reduce_mean(structure, axes)


def _parts(x: Tensor, y: Tensor, mean: Any, max_val: Tensor, k1: float, k2: float) -> tuple[Tensor, Tensor]:
    c1, c2 = (k1 * max_val) ** 2, (k2 * max_val) ** 2
    mean_x, mean_y = mean(x), mean(y)
    twice = mean_x * mean_y * 2.0
    squares = powers.square(mean_x) + powers.square(mean_y)
    luminance = (twice + c1) / (squares + c1)
    products = mean(x * y) * 2.0
    both = mean(powers.square(x) + powers.square(y))
    c2 = c2 * 1.0  # an unbiased covariance would take another factor
    return luminance, (products - twice + c2) / (both - squares + c2)


_FACTORS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def ssim_multiscale(
    img1: Any,
    img2: Any,
    max_val: Any,
    power_factors: Sequence[float] = _FACTORS,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The product of the similarities at halved sizes, each to the power of its factor."""
    with name_scope(None, "MS-SSIM", [img1, img2]):
        img1, img2 = as_tensor(img1, name="img1"), as_tensor(img2, name="img2")
        shape1, shape2, waiting = compatible_images(img1, img2)
        with control_dependencies(waiting):
            img1 = arrays.identity(img1)
        max_val = convert_image_dtype(casts.cast(max_val, img1.dtype), dtypes.float32)
        images = [convert_image_dtype(img1, dtypes.float32), convert_image_dtype(img2, dtypes.float32)]
        heads, tails = [s[:-3] for s in (shape1, shape2)], [s[-3:] for s in (shape1, shape2)]
        halves = constants.constant([2, 2, 1], dtype=dtypes.int32)
        structures: list[Tensor] = []
        similarity: Any = None
        for k in range(len(power_factors)):
            with name_scope(None, f"Scale{k}", images):
                if k > 0:
                    images, tails = _halved(images, heads, tails, halves)
                similarity, structure = _ssim_per_channel(
                    images[0], images[1], max_val, filter_size, filter_sigma, k1, k2
                )
                structures.append(activations.relu(structure))
        structures.pop()
        parts = joining.stack([*structures, activations.relu(similarity)], axis=-1)
        product = reductions.reduce_prod(powers.pow_(parts, power_factors), [-1])
        return reductions.reduce_mean(product, [-1])


def _halved(images: list[Tensor], heads: list[Tensor], tails: list[Tensor], halves: Tensor) -> Any:
    """The images at half their size; a last odd row or column is mirrored before."""
    flat = [
        arrays.reshape(x, joining.concat([[-1], tail], 0)) for x, tail in zip(images, tails, strict=True)
    ]  # fmt: skip
    odd = tails[0] % halves
    needs = reductions.reduce_any(comparison.not_equal(odd, 0))

    def padded() -> list[Tensor]:
        borders = padding.pad(arrays.expand_dims(odd, axis=-1), [[1, 0], [1, 0]])
        return [padding.pad(x, borders, mode="SYMMETRIC") for x in flat]

    whole = conditions.cond(needs, padded, lambda: flat)
    smaller = [pooling.avg_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID") for x in whole]
    shapes = [shape[1:] for shape in arrays.shape_n(smaller)]
    reshaped = [
        arrays.reshape(x, joining.concat([head, tail], 0)) for x, head, tail in zip(smaller, heads, shapes, strict=True)
    ]
    return reshaped, shapes
