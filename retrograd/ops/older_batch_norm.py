"""Batch normalization of graphs older than version 9: one op that is given the mean and the variance.

Published networks are kept in such graphs; new ones compose it (``tf.nn.batch_normalization``). Source:
TensorFlow's ``BatchNormWithGlobalNormalization``, which it still runs.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.shapes import RawShape, merge_dim
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.folding import summed

_NUMBERS = (
    dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint8, dtypes.int16, dtypes.int8, dtypes.complex64,
    dtypes.int64, dtypes.qint8, dtypes.quint8, dtypes.qint32, dtypes.bfloat16, dtypes.uint16, dtypes.complex128,
    dtypes.float16, dtypes.uint32, dtypes.uint64,
)  # fmt: skip
_RECORD: dict[str, Any] = {
    "types": {"T": _NUMBERS},
    "attrs": {"variance_epsilon": REQUIRED, "scale_after_normalization": REQUIRED},
}


def _same_images(t: Tensor, *vectors: Tensor) -> RawShape:
    """Images whose channels are as many as the elements of each vector."""
    dims = list(shape_rules.with_rank(t, 4))
    for vector in vectors:
        dims[3] = merge_dim(dims[3], shape_rules.with_rank(vector, 1)[0])
    return tuple(dims)


def _gradient_shapes(t: Tensor, m: Tensor, v: Tensor, gamma: Tensor, backprop: Tensor) -> list[RawShape]:
    images = _same_images(t, m, v, gamma)
    return [images, *[(images or (None,))[-1:]] * 4]


def _normalized(
    xp: Any, t: Any, m: Any, v: Any, beta: Any, gamma: Any, *, variance_epsilon: float, scale_after_normalization: bool
) -> Any:
    """``(t - m) * gamma / sqrt(v + epsilon) + beta``, the gamma only if ``scale_after_normalization``."""
    k = 1 / xp.sqrt(v + t.dtype.type(variance_epsilon))
    return ((t - m) * (k * gamma if scale_after_normalization else k) + beta).astype(t.dtype)


def _gradients(
    xp: Any, t: Any, m: Any, v: Any, gamma: Any, dy: Any, *, variance_epsilon: float, scale_after_normalization: bool
) -> list[Any]:
    """With k = 1 / sqrt(v + epsilon), c = t - m and s = gamma or 1, summed over all but the channels:

    dt = dy * k * s,  dm = -k * s * sum(dy),  dv = -k^3 / 2 * s * sum(dy * c),  dbeta = sum(dy),
    dgamma = k * sum(dy * c), or 0 if gamma does not scale.
    """
    k = 1 / xp.sqrt(v + t.dtype.type(variance_epsilon))
    s = gamma if scale_after_normalization else xp.ones_like(gamma)
    dbeta, product = (summed(xp, x, (0, 1, 2)) for x in (dy, dy * (t - m)))
    dgamma = k * product if scale_after_normalization else xp.zeros_like(gamma)
    results = [dy * (k * s), -dbeta * k * s, product * (-0.5 * k**3) * s, dbeta, dgamma]
    return [x.astype(t.dtype) for x in results]


GRADIENT = define(
    "BatchNormWithGlobalNormalizationGrad", "t: T, m: T, v: T, gamma: T, backprop: T",
    "dx: T, dm: T, dv: T, db: T, dg: T", shape=_gradient_shapes, kernel=_gradients, **_RECORD,
)  # fmt: skip


def _gradient(op: Any, dy: Any) -> list[Any]:
    t, m, v, _, gamma = op.inputs
    names = ("variance_epsilon", "scale_after_normalization")
    return list(apply(GRADIENT, t, m, v, gamma, dy, **{name: op.attrs[name] for name in names}))


BATCH_NORM = define(
    "BatchNormWithGlobalNormalization", "t: T, m: T, v: T, beta: T, gamma: T", "result: T", shape=_same_images,
    kernel=_normalized, gradient=_gradient, **_RECORD,
)  # fmt: skip
