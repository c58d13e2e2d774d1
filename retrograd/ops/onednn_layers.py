"""What oneDNN does for batch normalization and the gradient of max pooling of channels-last images."""

from __future__ import annotations

import ctypes
from typing import Any

from retrograd.ops.onednn_library import (
    BACKWARD,
    DIFF_DST,
    DIFF_SRC,
    DST,
    FORWARD,
    SRC,
    Argument,
    Calls,
    Dims,
    Handle,
    Library,
    channels_second,
    numbers,
)

_MEAN, _VARIANCE, _SCALE, _SHIFT, _WORKSPACE, _DIFF_SCALE, _DIFF_SHIFT = 49, 50, 51, 52, 64, 255, 256  # arguments
_GIVEN_STATISTICS, _SCALED, _SHIFTED = 1, 2, 4  # flags
_MAX = 0x1FF
_WORKSPACE_MD = 135


class _OfChannels(Calls):
    """Batch normalization or its gradients: images, and arrays of one number for each channel."""

    def __init__(self, dnnl: Library, x: Dims, epsilon: float, is_given: bool, results: int) -> None:
        super().__init__(dnnl, results)
        self.images = self.layout(*channels_second(x))
        self.channels = self.layout([x[-1]], [1])
        self.how = ctypes.c_float(epsilon), _SCALED | _SHIFTED | (_GIVEN_STATISTICS if is_given else 0)
        self.forward = self.form(
            "dnnl_batch_normalization_forward_primitive_desc_create", dnnl.engine, FORWARD, self.images, self.images,
            *self.how, dnnl.attr,
        )  # fmt: skip

    def of_channels(self, which: int, *buffer: Any) -> Argument:
        """An argument of one number for each channel."""
        return Argument(which, self.channels, buffer)


class Normalization(_OfChannels):
    """y, and if they are not given the mean and the variance, of x, the scale, the offset, and what is given."""

    def __init__(self, dnnl: Library, x: Dims, epsilon: float, is_given: bool) -> None:
        super().__init__(dnnl, x, epsilon, is_given, 1 if is_given else 3)
        statistics = ("argument", 3) if is_given else ("result", 1)
        self.add(
            self.forward,
            Argument(SRC, self.images, ("argument", 0)),
            Argument(DST, self.images, ("result", 0)),
            self.of_channels(_SCALE, "argument", 1),
            self.of_channels(_SHIFT, "argument", 2),
            self.of_channels(_MEAN, *statistics),
            self.of_channels(_VARIANCE, statistics[0], statistics[1] + 1),
        )


class NormalizationGradient(_OfChannels):
    """dx, dscale and doffset of dy, x, the scale, the mean and the variance."""

    def __init__(self, dnnl: Library, x: Dims, epsilon: float, is_given: bool) -> None:
        super().__init__(dnnl, x, epsilon, is_given, 3)
        form = self.form(
            "dnnl_batch_normalization_backward_primitive_desc_create", dnnl.engine, BACKWARD, self.images, self.images,
            self.images, *self.how, self.forward, dnnl.attr,
        )  # fmt: skip
        self.add(
            form,
            Argument(DIFF_DST, self.images, ("argument", 0)),
            Argument(SRC, self.images, ("argument", 1)),
            self.of_channels(_SCALE, "argument", 2),
            self.of_channels(_MEAN, "argument", 3),
            self.of_channels(_VARIANCE, "argument", 4),
            Argument(DIFF_SRC, self.images, ("result", 0)),
            self.of_channels(_DIFF_SCALE, "result", 1),
            self.of_channels(_DIFF_SHIFT, "result", 2),
        )


class MaxGradient(Calls):
    """dx of x and dy: pools x to see where the maxima are, the first of equal ones, and sends dy there."""

    def __init__(self, dnnl: Library, x: Dims, y: Dims, geometry: tuple[tuple[int, ...], ...]) -> None:
        super().__init__(dnnl)
        images, slopes = (self.layout(*channels_second(s)) for s in (x, y))
        window, stride, before, after = map(numbers, zip(*geometry, strict=True))
        steps = [stride, window, numbers([0] * len(geometry)), before, after]
        pool = self.form(
            "dnnl_pooling_forward_primitive_desc_create", dnnl.engine, FORWARD, _MAX, images, slopes, *steps, dnnl.attr
        )
        form = self.form(
            "dnnl_pooling_backward_primitive_desc_create", dnnl.engine, _MAX, images, slopes, *steps, pool, dnnl.attr
        )
        places: Handle = dnnl.of(pool, _WORKSPACE_MD)
        where = Argument(_WORKSPACE, places, self.memory, self.reserve(places))
        pooled = Argument(DST, slopes, self.memory, self.reserve(slopes))
        self.add(pool, Argument(SRC, images, ("argument", 0)), pooled, where)
        self.add(form, Argument(DIFF_DST, slopes, ("argument", 1)), Argument(DIFF_SRC, images, ("result", 0)), where)
