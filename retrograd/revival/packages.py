"""Names and arguments that later SciPys, Pillows, PyYAMLs and py-cpuinfos removed."""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder

from retrograd.revival.putting import LIBRARIES, put, replace, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "revived")


def revive_pillow(image: ModuleType) -> None:
    names = {"ANTIALIAS": "LANCZOS", "LINEAR": "BILINEAR", "CUBIC": "BICUBIC"}
    put(image, **{old: getattr(image, new) for old, new in names.items()})


def revive_pillow_fonts(fonts: Any) -> None:
    """``font.getsize``: the width of a text, and its height from the top of the line."""

    def getsize(
        self: Any, text: Any, direction: Any = None, features: Any = None, language: Any = None, stroke_width: int = 0
    ) -> tuple[int, int]:
        box = self.getbbox(text, "", direction, features, language, stroke_width)
        left, _, right, bottom = (int(number) for number in box)
        return right - left, bottom + stroke_width

    def getsize_multiline(self: Any, text: Any, direction: Any = None, spacing: float = 4, *args: Any) -> Any:
        return _size_of_lines(self, text, spacing, (direction, *args))

    def getoffset(self: Any, text: Any) -> tuple[int, int]:
        left, top, _, _ = (int(number) for number in self.getbbox(text))
        return left, top

    put(fonts.FreeTypeFont, getsize=getsize, getsize_multiline=getsize_multiline, getoffset=getoffset)
    for kind in (fonts.ImageFont, fonts.TransposedFont):
        put(kind, getsize=lambda self, text, *args, **kwargs: tuple(self.getbbox(text)[2:]))


def revive_pillow_drawing(drawing: Any) -> None:
    """``draw.textsize``: the same of texts of several lines too, in the font that is drawn with."""

    def textsize(self: Any, text: Any, font: Any = None, spacing: float = 4, *args: Any, **kwargs: Any) -> Any:
        return _size_of_lines(font or self.getfont(), text, spacing, args, **kwargs)

    put(drawing.ImageDraw, textsize=textsize, multiline_textsize=textsize)


def _size_of_lines(font: Any, text: Any, spacing: float, args: tuple[Any, ...], **kwargs: Any) -> tuple[Any, Any]:
    sizes = [font.getsize(line, *args, **kwargs) for line in text.split("\n" if isinstance(text, str) else b"\n")]
    if len(sizes) == 1:
        return sizes[0]
    height = font.getsize("A")[1]
    return max(width for width, _ in sizes), len(sizes) * (height + spacing) - spacing


def revive_scipy(scipy: Any) -> None:
    """NumPy's names as SciPy's own, such as ``scipy.sign``; roots and logarithms of negative numbers are complex."""
    import numpy
    from numpy.lib import scimath

    first = vars(scipy).get("__getattr__")

    def attribute(name: str) -> Any:
        try:
            if first is None:
                raise AttributeError(f"module 'scipy' has no attribute {name!r}")
            return first(name)
        except AttributeError:
            for module in (scimath, numpy.random, numpy) if name in ("rand", "randn") else (scimath, numpy):
                if not name.startswith("_") and hasattr(module, name):
                    return getattr(module, name)
            if name == "ifft":
                return numpy.fft.ifft
            raise

    scipy.__getattr__ = attribute
    undo.append(lambda: delattr(scipy, "__getattr__") if first is None else setattr(scipy, "__getattr__", first))


def revive_scipy_integrate(integrate: Any) -> None:
    now = {"simps": "simpson", "trapz": "trapezoid", "cumtrapz": "cumulative_trapezoid"}
    put(integrate, **{old: getattr(integrate, new) for old, new in now.items() if hasattr(integrate, new)})


def revive_scipy_linalg(linalg: Any) -> None:
    """``from scipy.sparse.linalg.eigen.arpack import eigsh``."""
    from importlib import import_module

    name = "scipy.sparse.linalg.eigen.arpack"
    if name not in sys.modules:
        sys.modules[name] = import_module("scipy.sparse.linalg")
        undo.append(lambda: sys.modules.pop(name))


def revive_scipy_sparse(sparse: Any) -> None:
    """``matrix.A`` and ``matrix.H``: written out, and the conjugate transpose."""
    put(sparse.spmatrix, A=property(lambda self: self.toarray()), H=property(lambda self: self.T.conj()))


def revive_scipy_stats(stats: Any) -> None:
    """``mode``, which kept the axis, as ``mode(x)[0][0]`` expects."""
    import functools
    import inspect

    first = stats.mode
    if "keepdims" not in inspect.signature(first).parameters:
        return

    @functools.wraps(first)
    def mode(*args: Any, **kwargs: Any) -> Any:
        caller = sys._getframe(1).f_code.co_filename
        return first(*args, **(kwargs if caller.startswith(LIBRARIES) else {"keepdims": True, **kwargs}))

    stats.mode = mode
    undo.append(lambda: setattr(stats, "mode", first))


def revive_scipy_ndimage(ndimage: Any) -> None:
    """``rotate`` by an angle that is an array of one element, such as ``np.random.randint(-15, 15, 1)``."""
    import functools

    first = ndimage.rotate

    @functools.wraps(first)
    def rotate(input: Any, angle: Any, *args: Any, **kwargs: Any) -> Any:
        return first(input, angle.item() if getattr(angle, "size", 0) == 1 else angle, *args, **kwargs)

    ndimage.rotate = rotate
    undo.append(lambda: setattr(ndimage, "rotate", first))


def revive_scipy_signal(signal: Any) -> None:
    names = ("gaussian", "hann", "hamming", "blackman", "bartlett", "boxcar", "kaiser", "triang", "parzen", "tukey")
    put(signal, **{name: getattr(signal.windows, name) for name in names})


def revive_scipy_misc(misc: ModuleType) -> None:
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("misc", [_FOLDER])
    assert spec is not None
    assert spec.loader is not None
    revived = module_from_spec(spec)
    spec.loader.exec_module(revived)
    put(misc, **{name: getattr(revived, name) for name in revived.__all__})


def revive_yaml(yaml: Any) -> None:
    """``yaml.load(text)`` without a loader: the one that makes no objects of Python but the plain ones."""

    def loading(first: Any) -> Any:
        return lambda stream, Loader=yaml.FullLoader: first(stream, Loader)

    for name in ("load", "load_all"):
        replace(yaml, name, loading)


def revive_cpuinfo(cpuinfo: Any) -> None:
    """The keys that ``get_cpu_info()`` had before py-cpuinfo 6, such as ``brand``, beside those it has."""
    now = {
        "brand": "brand_raw", "hardware": "hardware_raw", "hz_actual_raw": "hz_actual",
        "hz_advertised_raw": "hz_advertised", "raw_arch_string": "arch_string_raw", "vendor_id": "vendor_id_raw",
    }  # fmt: skip

    def with_old_keys(first: Any) -> Any:
        def get_cpu_info() -> dict[str, Any]:
            info = first()
            return {**{old: info[new] for old, new in now.items() if new in info}, **info}

        return get_cpu_info

    replace(cpuinfo, "get_cpu_info", with_old_keys)
