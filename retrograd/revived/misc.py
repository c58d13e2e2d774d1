"""``scipy.misc`` as SciPy 1.0 had it: images, which Pillow reads, combinations and differences."""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = (
    "bytescale", "central_diff_weights", "comb", "derivative", "factorial", "factorial2", "factorialk", "fromimage",
    "imread", "imresize", "imrotate", "imsave", "logsumexp", "toimage",
)  # fmt: skip

_FILTERS = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "cubic": 3}


def bytescale(data: Any, cmin: Any = None, cmax: Any = None, high: int = 255, low: int = 0) -> Any:
    """Numbers from ``cmin`` (their least) to ``cmax`` (their greatest) as bytes from ``low`` to ``high``."""
    if data.dtype == np.uint8:
        return data
    if high > 255:
        raise ValueError("`high` should be less than or equal to 255.")
    if low < 0:
        raise ValueError("`low` should be greater than or equal to 0.")
    if high < low:
        raise ValueError("`high` should be greater than or equal to `low`.")
    cmin = data.min() if cmin is None else cmin
    cmax = data.max() if cmax is None else cmax
    if cmax < cmin:
        raise ValueError("`cmax` should be larger than `cmin`.")
    scaled = (data - cmin) * (float(high - low) / ((cmax - cmin) or 1)) + low
    return (scaled.clip(low, high) + 0.5).astype(np.uint8)


def toimage(
    arr: Any, high: int = 255, low: int = 0, cmin: Any = None, cmax: Any = None, pal: Any = None,
    mode: str | None = None, channel_axis: int | None = None,
) -> Any:  # fmt: skip
    """An image of Pillow's, from rows of grey or from an array one of whose axes holds 3 or 4 channels."""
    from PIL import Image

    data = np.asarray(arr)
    if np.iscomplexobj(data):
        raise ValueError("Cannot convert a complex-valued array.")
    if data.ndim == 2:
        return _grey(Image, data, high, low, cmin, cmax, pal, mode)
    if data.ndim != 3 or not {3, 4} & set(data.shape):
        raise ValueError("'arr' does not have a suitable array shape for any mode.")
    if channel_axis is None:
        channel_axis = data.shape.index(3 if 3 in data.shape else 4)
    if data.shape[channel_axis] not in (3, 4):
        raise ValueError("Channel axis dimension is not valid.")
    mode = mode or ("RGB" if data.shape[channel_axis] == 3 else "RGBA")
    if mode not in ("RGB", "RGBA", "YCbCr", "CMYK"):
        raise ValueError("Unknown mode.")
    if data.shape[channel_axis] != (3 if mode in ("RGB", "YCbCr") else 4):
        raise ValueError("Invalid array shape for mode.")
    pixels = np.moveaxis(bytescale(data, cmin, cmax, high, low), channel_axis, 2)
    return Image.frombytes(mode, pixels.shape[1::-1], np.ascontiguousarray(pixels).tobytes())


def _grey(Image: Any, data: Any, high: int, low: int, cmin: Any, cmax: Any, pal: Any, mode: str | None) -> Any:
    size = data.shape[::-1]
    if mode == "F":
        return Image.frombytes("F", size, data.astype(np.float32).tobytes())
    if mode in (None, "L", "P"):
        image = Image.frombytes("L", size, bytescale(data, cmin, cmax, high, low).tobytes())
        if pal is not None or mode == "P":
            greys = np.repeat(np.arange(256, dtype=np.uint8), 3)
            image.putpalette((greys if pal is None else np.asarray(pal, np.uint8)).tobytes())
        return image
    if mode == "1":
        return Image.frombytes("L", size, ((data > high) * 255).astype(np.uint8).tobytes()).convert("1")
    cmin = np.amin(data) if cmin is None else cmin
    cmax = np.amax(data) if cmax is None else cmax
    if mode != "I":
        raise ValueError("Unknown mode.")
    scaled = (data * 1.0 - cmin) * (high - low) / (cmax - cmin) + low
    return Image.frombytes("I", size, scaled.astype(np.uint32).tobytes())


def fromimage(im: Any, flatten: bool = False, mode: str | None = None) -> Any:
    """The pixels of an image of Pillow's; ``flatten`` makes them one layer of float32 greys."""
    from PIL import Image

    if not isinstance(im, Image.Image):
        raise TypeError("Input is not a PIL image.")
    if mode is not None:
        im = im.convert(mode) if mode != im.mode else im
    elif im.mode == "P":
        im = im.convert("RGBA" if "transparency" in im.info else "RGB")
    if flatten:
        im = im.convert("F")
    elif im.mode == "1":
        im = im.convert("L")
    return np.array(im)


def imread(name: Any, flatten: bool = False, mode: str | None = None) -> Any:
    """The pixels of an image file."""
    from PIL import Image

    with Image.open(name) as im:
        return fromimage(im, flatten, mode)


def imsave(name: Any, arr: Any, format: str | None = None) -> None:
    """Write an image file: greys ``(height, width)`` or channels ``(height, width, 3 or 4)``."""
    toimage(arr, channel_axis=2).save(name, format)


def imresize(arr: Any, size: Any, interp: str = "bilinear", mode: str | None = None) -> Any:
    """An image in another size: a percentage (int), a fraction (float) or ``(height, width)``."""
    im = toimage(arr, mode=mode)
    if np.issubdtype(type(size), np.integer):
        wanted = tuple((np.array(im.size) * (size / 100.0)).astype(int).tolist())
    elif np.issubdtype(type(size), np.floating):
        wanted = tuple((np.array(im.size) * size).astype(int).tolist())
    else:
        wanted = (int(size[1]), int(size[0]))
    return fromimage(im.resize(wanted, resample=_FILTERS[interp]))


def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> Any:
    """An image turned counter-clockwise by ``angle`` degrees about its centre."""
    return fromimage(toimage(np.asarray(arr)).rotate(angle, resample=_FILTERS[interp]))


def _special(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        from scipy import special  # type: ignore[import-untyped]

        return getattr(special, name)(*args, **kwargs)

    function.__name__, function.__doc__ = name, f"``scipy.special.{name}``, where it has moved."
    return function


comb, factorial, factorial2, factorialk, logsumexp = map(
    _special, ("comb", "factorial", "factorial2", "factorialk", "logsumexp")
)


def central_diff_weights(Np: int, ndiv: int = 1) -> Any:
    """What ``Np`` values at equal distances, one of them in the middle, weigh in the derivative of order ``ndiv``.

    The weights that are exact for ``x ** 0`` to ``x ** (Np - 1)``.

    Raises:
      ValueError: there are too few points, or an even number.
    """
    if Np < ndiv + 1:
        raise ValueError("Number of points must be at least the derivative order + 1.")
    if Np % 2 == 0:
        raise ValueError("The number of points must be odd.")
    places = np.arange(Np) - Np // 2
    values = np.zeros(Np)
    values[ndiv] = np.prod(np.arange(1, ndiv + 1))
    return np.linalg.solve(np.vander(places, increasing=True).T.astype(float), values)


def derivative(
    func: Callable[..., Any], x0: Any, dx: float = 1.0, n: int = 1, args: tuple[Any, ...] = (), order: int = 3
) -> Any:
    """The derivative of order ``n`` at ``x0``, from ``order`` values of ``func`` at distances ``dx``.

    Raises:
      ValueError: there are too few points, or an even number.
    """
    what = "'order' (the number of points used to compute the derivative)"
    if order < n + 1:
        raise ValueError(f"{what}, must be at least the derivative order 'n' + 1.")
    if order % 2 == 0:
        raise ValueError(f"{what} must be odd.")
    weights = central_diff_weights(order, n)
    total = sum(w * func(x0 + (i - order // 2) * dx, *args) for i, w in enumerate(weights))
    return total / dx**n
