"""Products of NumPy's matrices by oneDNN, where NumPy's own library uses a part of the processor's vectors only.

OpenBLAS has its kernels by the name of a processor, which the environment may give (``OPENBLAS_CORETYPE``), and takes
those of an older one for a processor that it does not know.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from retrograd.ops import onednn_library

_OF_WIDE_VECTORS = frozenset(("SkylakeX", "Cooperlake", "SapphireRapids"))  # OpenBLAS's kernels for 512 bits


def product(a: Any, b: Any) -> Any:
    """a @ b, of float32; None where NumPy is as fast, or the library has no form for such arrays."""
    if not a.ndim == b.ndim == 2 or a.shape[1] != b.shape[0]:
        return None
    if not a.dtype == b.dtype == np.float32 or not _numpy_is_narrow():
        return None
    dnnl = onednn_library.library()
    if dnnl is None or os.getpid() != dnnl.process:
        return None
    (a, turned_a, width_a), (b, turned_b, width_b) = _stored(a), _stored(b)
    (rows, terms), columns = a.shape, b.shape[1]
    result = np.empty((rows, columns), np.float32)
    status = _sgemm()(
        turned_a, turned_b, rows, columns, terms, 1.0, a.ctypes.data, width_a, b.ctypes.data, width_b, 0.0,
        result.ctypes.data, columns,
    )  # fmt: skip
    return None if status else result


def _stored(x: Any) -> tuple[Any, bytes, int]:
    """A matrix by rows or by columns, which of the two, and how long they are."""
    if x.flags.f_contiguous and not x.flags.c_contiguous:
        return x, b"T", x.shape[0]
    return np.ascontiguousarray(x), b"N", x.shape[1]


@cache
def _sgemm() -> Any:
    dnnl = onednn_library.library()
    assert dnnl is not None
    function = dnnl.dnnl.dnnl_sgemm
    size, number, array = ctypes.c_int64, ctypes.c_float, ctypes.c_void_p
    order = ctypes.c_char
    function.argtypes = [order, order, size, size, size, number, array, size, array, size, number, array, size]
    return function


@cache
def _numpy_is_narrow() -> bool:
    from threadpoolctl import ThreadpoolController

    try:
        features = import_module("numpy._core._multiarray_umath").__cpu_features__
    except (ImportError, AttributeError):
        return False
    kernels = [getattr(lib, "architecture", None) for lib in ThreadpoolController().lib_controllers]
    return features.get("AVX512F", False) and any(k and k not in _OF_WIDE_VECTORS for k in kernels)
