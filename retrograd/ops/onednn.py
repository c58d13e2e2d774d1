"""The convolutions of oneDNN that jaxlib carries, as XLA custom calls on the CPU.

XLA's own convolutions are their reference, and take their place on other devices, under ``vmap``, for other
dtypes than float32, and where a tiny convolution that is tried first does not come out right.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from retrograd.ops.windows import Axis, Windows, extent

_TARGET = "__onednn$convolution"


def takes(windows: Windows, *arrays: Any) -> bool:
    """Whether oneDNN can convolve these arrays; it ends the process over what it does not take."""
    return (
        len(windows.axes) in (2, 3)
        and all(x.dtype == np.float32 and 0 not in x.shape for x in arrays)
        and all(_is_plain(axis) for axis in windows.axes)
        and works()
    )


def _is_plain(a: Axis) -> bool:
    """Whether the windows lie within the borders, and leave less than a stride of them unseen."""
    unseen = a.before + a.size + a.after - extent(a.window, a.dilation) - (a.count - 1) * a.stride
    return a.count > 0 and a.window > 0 and a.before >= 0 and a.after >= 0 and 0 <= unseen < a.stride


@cache
def works() -> bool:
    """Whether jaxlib's oneDNN convolves as it should: a tiny convolution tells, once."""
    from retrograd.ops.jax_start import IS_TESTED, jax

    if not IS_TESTED or platform.machine() != "x86_64":
        return False
    windows = Windows.over([5, 4], [3, 2], [2, 1], "VALID", [1, 2], [(1, 2), (0, 1)])
    x = (np.arange(120, dtype=np.float32) % 7).reshape(2, 5, 4, 3)
    w = (np.arange(72, dtype=np.float32) % 5).reshape(3, 2, 3, 4)
    padded = windows.padded(np, x)
    want = sum(padded[windows.seen(k)] @ w[k] for k in windows.offsets())
    try:
        with jax.default_device(jax.devices("cpu")[0]), jax.ensure_compile_time_eval():
            got = jax.jit(lambda x, w: call(x, w, windows))(x, w)
    except Exception:  # of a jaxlib that was built without it
        return False
    return bool(np.allclose(got, want))


def call(x: Any, w: Any, windows: Windows, is_turned: bool = False) -> Any:
    """y[n, o, b] = sum over k and a of x[n, o * stride + k * dilation - before, a] * w[k, a, b].

    A turned filter has its channels last, ``w[k, b, a]``.  With fewer channels in the filter than in the image
    there are groups, each with filters of its own.
    """
    from retrograd.ops.jax_start import jax

    taken, made = (-1, -2) if is_turned else (-2, -1)
    shape = (x.shape[0], *windows.counts, w.shape[made])
    config = _config(windows, x.ndim, x.shape[-1] // w.shape[taken], is_turned)
    custom = jax.ffi.ffi_call(
        _TARGET, jax.ShapeDtypeStruct(shape, x.dtype), custom_call_api_version=1, legacy_backend_config=config
    )
    return custom(x, w)


def _config(windows: Windows, rank: int, groups: int, is_turned: bool) -> str:
    """What jaxlib reads of a convolution: XLA's ``OneDnnConvolutionConfig`` as JSON."""
    sides = range(len(windows.axes))
    images = _numbers(batch_dim=0, feature_dim=rank - 1, spatial_dims=[i + 1 for i in sides])
    ends = (rank - 1, rank - 2) if is_turned else (rank - 2, rank - 1)
    filters = _numbers(input_feature_dim=ends[0], output_feature_dim=ends[1], spatial_dims=list(sides))
    window = _numbers(
        size=[a.window for a in windows.axes], strides=[a.stride for a in windows.axes],
        pad_left=[a.before for a in windows.axes], pad_right=[a.after for a in windows.axes],
        window_dilations=[a.dilation for a in windows.axes],
    )  # fmt: skip
    return json.dumps(
        {
            "onednn_conv_config": {
                "dims": str(rank),
                "input": {"dims": str(rank), "data": images},
                "kernel": {"dims": str(rank), "filter": filters},
                "output": {"dims": str(rank), "data": images},
                "window": window,
                "feature_groups": str(groups),
            }
        }
    )


def _numbers(**fields: int | Sequence[int]) -> dict[str, Any]:
    """64-bit numbers as JSON has them in protos: as text."""
    return {k: str(v) if isinstance(v, int) else [str(n) for n in v] for k, v in fields.items()}
