"""Names and arguments that later scikit-images removed."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module

from retrograd.revival.putting import by_places, put, replace, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_ARGUMENTS = {
    "selem": "footprint", "as_grey": "as_gray", "visualise": "visualize", "n_iter_max": "max_num_iter",
    "max_iter": "max_num_iter",
}  # fmt: skip


def revive_functions(module: ModuleType) -> None:
    """Old names of arguments, ``multichannel=True``, and arguments by their places."""
    import inspect
    from types import FunctionType

    for name, value in list(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_"):
            taken = inspect.signature(value).parameters
            old = {was: now for was, now in _ARGUMENTS.items() if now in taken and was not in taken}
            channels = "channel_axis" in taken and "multichannel" not in taken
            replace(module, name, partial(_taking, old, channels))


def _taking(old: dict[str, str], channels: bool, function: Any) -> Any:
    first = by_places(function)
    if not old and not channels:
        return first

    def either(*args: Any, **kwargs: Any) -> Any:
        for was in old.keys() & kwargs.keys():
            kwargs[old[was]] = kwargs.pop(was)
        if channels and "multichannel" in kwargs:
            kwargs["channel_axis"] = -1 if kwargs.pop("multichannel") else None
        return first(*args, **kwargs)

    return either


def _metrics() -> Any:
    return import_module("skimage.metrics")


def revive_measure(measure: Any) -> None:
    """What ``skimage.metrics`` has now: ``compare_ssim``, ``compare_psnr``, ``compare_mse``, ``compare_nrmse``."""

    def compare_ssim(X: Any, Y: Any, win_size: Any = None, gradient: bool = False, **kwargs: Any) -> Any:
        """Images of floating point numbers reach from -1 to 1, unless ``data_range`` says otherwise."""
        if kwargs.get("data_range") is None and getattr(X, "dtype", None) is not None and X.dtype.kind == "f":
            kwargs["data_range"] = 2.0
        return _metrics().structural_similarity(X, Y, win_size=win_size, gradient=gradient, **kwargs)

    def compare_psnr(im_true: Any, im_test: Any, data_range: Any = None) -> Any:
        return _metrics().peak_signal_noise_ratio(im_true, im_test, data_range=data_range)

    def compare_mse(im1: Any, im2: Any) -> Any:
        return _metrics().mean_squared_error(im1, im2)

    def compare_nrmse(im_true: Any, im_test: Any, norm_type: str = "Euclidean") -> Any:
        return _metrics().normalized_root_mse(im_true, im_test, normalization=norm_type.lower())

    put(
        measure, compare_ssim=compare_ssim, compare_psnr=compare_psnr, compare_mse=compare_mse,
        compare_nrmse=compare_nrmse,
    )  # fmt: skip


def revive_color(color: Any) -> None:
    put(color, rgb2grey=lambda rgb: color.rgb2gray(rgb), grey2rgb=lambda image, **_: color.gray2rgb(image))


def revive_draw(draw: Any) -> None:
    """``circle(r, c, radius)``, which is ``disk((r, c), radius)``."""
    put(draw, circle=lambda r, c, radius, shape=None: draw.disk((r, c), radius, shape=shape))


def revive_feature(feature: Any) -> None:
    put(
        feature, greycomatrix=lambda *args, **kwargs: feature.graycomatrix(*args, **kwargs),
        greycoprops=lambda *args, **kwargs: feature.graycoprops(*args, **kwargs),
    )  # fmt: skip


def revive_filters(filters: Any) -> None:
    """``threshold_adaptive``, which compared an image with ``threshold_local``, and ``gaussian_filter``."""

    def threshold_adaptive(
        image: Any, block_size: Any, method: str = "gaussian", offset: Any = 0, mode: str = "reflect", param: Any = None
    ) -> Any:
        return image > filters.threshold_local(image, block_size, method, offset, mode, param)

    put(
        filters, threshold_adaptive=threshold_adaptive,
        gaussian_filter=lambda *args, **kwargs: filters.gaussian(*args, **kwargs),
    )  # fmt: skip


def revive_morphology(morphology: Any) -> None:
    """``watershed``, which segments now, and ``from skimage.morphology.selem import disk``."""

    def watershed(*args: Any, **kwargs: Any) -> Any:
        return import_module("skimage.segmentation").watershed(*args, **kwargs)

    footprints = import_module("skimage.morphology.footprints")
    put(morphology, watershed=watershed, selem=footprints)
    if sys.modules.setdefault("skimage.morphology.selem", footprints) is footprints:
        undo.append(lambda: sys.modules.pop("skimage.morphology.selem", None))


def revive_util(util: Any) -> None:
    import numpy as np

    put(util, pad=np.pad)


_OF_BYTES = (".png", ".jpg", ".jpeg", ".gif", ".bmp")


def revive_imageio(module: Any) -> None:
    """Images of numbers that a format cannot hold are written as bytes: 0 to 1 as 0 to 255, others from end to end."""

    def writing(first: Any) -> Any:
        def write(uri: Any, image: Any, *args: Any, **kwargs: Any) -> Any:
            named = args[0] if args else kwargs.get("format") or kwargs.get("extension")
            kind = named if isinstance(named, str) else str(uri)
            if f".{kind}".lower().endswith(_OF_BYTES):
                image = [_bytes(one) for one in image] if isinstance(image, list | tuple) else _bytes(image)
            return first(uri, image, *args, **kwargs)

        return write

    for name in ("imwrite", "imsave", "mimwrite", "mimsave"):
        replace(module, name, writing)


def _bytes(image: Any) -> Any:
    import numpy as np

    if (
        not isinstance(image, np.ndarray)
        or image.dtype in (np.uint8, np.uint16, np.bool_)
        or image.dtype.kind not in "iuf"
    ):
        return image
    low, high = float(np.nanmin(image)), float(np.nanmax(image))
    if not np.isfinite(low):
        raise ValueError("Minimum image value is not finite")
    if not np.isfinite(high):
        raise ValueError("Maximum image value is not finite")
    if image.dtype.kind == "f" and low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    if low == high:
        return image.astype(np.uint8)
    return ((image.astype(np.float64) - low) / (high - low) * 255 + 0.499999999).astype(np.uint8)
