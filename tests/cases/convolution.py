"""Sums and extrema over windows."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, distinct, normal

from retrograd import tf
from retrograd.tf import raw_ops

IMAGES = normal(2, 5, 6, 3)
FILTERS = normal(3, 2, 3, 4, seed=1)
PLANES = normal(2, 3, 5, 6)
VOLUMES = normal(2, 4, 3, 5, 2)
CUBES = normal(2, 2, 3, 2, 3, seed=1)
DISTINCT = distinct(2, 5, 6, 3)


def convolved(padding: str, *strides: int, **options: Any) -> Any:
    strides = strides or (1, 1)
    return lambda x, w: raw_ops.Conv2D(x, w, [1, *strides, 1], padding, **options)


def fractional(name: str, overlapping: bool) -> Any:
    """Fractional pooling, and its gradient as an op of its own."""
    pool, back = getattr(raw_ops, f"Fractional{name}"), getattr(raw_ops, f"Fractional{name}Grad")

    def build(x: Any) -> list[Any]:
        y, *sequences = pool(x, [1, 1.5, 1.8, 1], overlapping=overlapping, deterministic=True, seed=3)
        given = (x, y) if name == "MaxPool" else ([2, 5, 6, 3],)
        return [y, back(*given, y * y, *sequences, overlapping=overlapping)]

    return build


def in_planes(op: Any, *rest: Any) -> Any:
    return lambda x, *w: op(x, *w, *rest, "SAME", data_format="NCHW")


def in_volumes(*strides: int, **options: Any) -> Any:
    return lambda x, w: raw_ops.Conv3D(x, w, [1, *strides, 1], "SAME", **options)


def by_channel(padding: str, stride: int = 1, **options: Any) -> Any:
    return lambda x, w: raw_ops.DepthwiseConv2dNative(x, w, [1, stride, stride, 1], padding, **options)


def pooled(op: Any, padding: str, height: int = 2, width: int = 2, stride: int = 2) -> Any:
    return lambda x: op(x, [1, height, width, 1], [1, stride, stride, 1], padding)


def in_float32(op: Any) -> Any:
    """Some ops take no float64."""
    return lambda *x: tf.cast(op(*[tf.cast(v, tf.float32) for v in x]), tf.float64)


def grown(function: Any, *shape: int, **options: Any) -> Any:
    return lambda x, w: function(x, w, list(shape), 2, **options)


def derived(op: Any) -> Any:
    """An op of a gradient, with the output of the op that it differentiates."""
    return lambda x, other: op(x, tf.nn.max_pool(x, 2, 2, "SAME"), other, *SIDES)


def placed(op: Any) -> Any:
    return lambda x, other: op(x, other, raw_ops.MaxPoolWithArgmax(x, *SIDES).argmax, *SIDES)


STEPS = [1, 2, 2, 1], "SAME"
SEEN = normal(2, 3, 3, 4)
SIDES = [1, 2, 2, 1], [1, 2, 2, 1], "SAME"
CUBIC = [1, 2, 2, 2, 1], [1, 2, 1, 2, 1], "SAME"

ROWS = [
    Row("Conv2D", build, inputs, label=label)
    for label, build, inputs in [
        ("", convolved("SAME"), (IMAGES, FILTERS)),
        ("valid", convolved("VALID"), (IMAGES, FILTERS)),
        ("rows", convolved("VALID", 2, 1), (IMAGES, normal(3, 6, 3, 4, seed=1))),
        ("wholes", convolved("VALID"), (IMAGES, normal(5, 6, 3, 4, seed=1))),
        ("strides", convolved("SAME", 2, 3), (IMAGES, FILTERS)),
        ("valid strides", convolved("VALID", 2, 2), (IMAGES, FILTERS)),
        ("dilations", convolved("SAME", dilations=[1, 1, 2, 1]), (IMAGES, FILTERS)),
        ("borders", convolved("EXPLICIT", 2, 1, explicit_paddings=[0, 0, 2, 0, 1, 3, 0, 0]), (IMAGES, FILTERS)),
        ("channels first", in_planes(raw_ops.Conv2D, [1, 1, 1, 2]), (PLANES, FILTERS)),
        ("groups", convolved("SAME"), (normal(2, 4, 4, 4), normal(2, 2, 2, 6))),
        ("one by one", convolved("SAME"), (IMAGES, normal(1, 1, 3, 5))),
    ]
]
ROWS += [
    Row("Conv3D", build, inputs, label=label)
    for label, build, inputs in [
        ("", in_volumes(1, 1, 2), (VOLUMES, CUBES)),
        ("dilations", in_volumes(1, 1, 1, dilations=[1, 2, 1, 1, 1]), (VOLUMES, CUBES)),
    ]
]
ROWS += [
    Row(
        "DepthwiseConv2dNative", build, inputs, label=label,
    )
    for label, build, inputs in [
        ("", by_channel("SAME"), (IMAGES, normal(3, 2, 3, 2))),
        ("strides", by_channel("VALID", 2), (IMAGES, normal(2, 3, 3, 1))),
        ("dilations", by_channel("SAME", dilations=[1, 2, 1, 1]), (IMAGES, normal(2, 3, 3, 2))),
        ("channels first", in_planes(raw_ops.DepthwiseConv2dNative, [1, 1, 2, 2]), (PLANES, normal(2, 2, 3, 2))),
    ]
]  # fmt: skip
ROWS += [
    # derivatives
    Row("Conv2DBackpropInput", lambda w, dy: raw_ops.Conv2DBackpropInput([2, 5, 6, 3], w, dy, *STEPS), (FILTERS, SEEN)),
    Row(
        "Conv2DBackpropFilter", lambda x, dy: raw_ops.Conv2DBackpropFilter(x, [3, 2, 3, 4], dy, *STEPS), (IMAGES, SEEN)
    ),
    Row(
        "Conv3DBackpropInputV2",
        lambda w, dy: raw_ops.Conv3DBackpropInputV2([2, 4, 3, 5, 2], w, dy, [1, 2, 2, 2, 1], "SAME"),
        (CUBES, normal(2, 2, 2, 3, 3)),
    ),
    Row(
        "Conv3DBackpropFilterV2",
        lambda x, dy: raw_ops.Conv3DBackpropFilterV2(x, [2, 2, 3, 2, 3], dy, [1, 2, 2, 2, 1], "SAME"),
        (VOLUMES, normal(2, 2, 2, 3, 3)),
    ),
    Row(
        "DepthwiseConv2dNativeBackpropInput",
        lambda w, dy: raw_ops.DepthwiseConv2dNativeBackpropInput([2, 5, 6, 3], w, dy, *STEPS),
        (normal(3, 2, 3, 2), normal(2, 3, 3, 6)),
    ),
    Row(
        "DepthwiseConv2dNativeBackpropFilter",
        lambda x, dy: raw_ops.DepthwiseConv2dNativeBackpropFilter(x, [3, 2, 3, 2], dy, *STEPS),
        (IMAGES, normal(2, 3, 3, 6)),
    ),
    Row("AvgPoolGrad", lambda dy: raw_ops.AvgPoolGrad([2, 5, 6, 3], dy, *SIDES), (normal(2, 3, 3, 3),)),
    Row("AvgPool3DGrad", lambda dy: raw_ops.AvgPool3DGrad([2, 4, 3, 5, 2], dy, *CUBIC), (normal(2, 2, 3, 3, 2),)),
    Row(
        "Dilation2DBackpropInput",
        lambda x, w, dy: raw_ops.Dilation2DBackpropInput(x, w, dy, [1, 2, 2, 1], [1, 1, 1, 1], "SAME"),
        (DISTINCT, normal(2, 2, 3) / 100, normal(2, 3, 3, 3)), step=1e-3,
    ),
    Row(
        "Dilation2DBackpropFilter",
        lambda x, w, dy: raw_ops.Dilation2DBackpropFilter(x, w, dy, [1, 2, 2, 1], [1, 1, 1, 1], "SAME"),
        (DISTINCT, normal(2, 2, 3) / 100, normal(2, 3, 3, 3)), step=1e-3,
    ),
    # composed
    Row("Conv2D", lambda x, w: tf.nn.conv1d(x, w, 2, "SAME"), (normal(2, 7, 3), normal(3, 3, 2)), label="lines"),
    Row(
        "Conv2D", lambda x, w: tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 3]), (IMAGES, FILTERS),
        label="holes", shapes=False,
    ),
    Row("Conv2DBackpropInput", grown(tf.nn.conv2d_transpose, 2, 6, 5, 4), (normal(2, 3, 3, 2), normal(2, 3, 4, 2))),
    Row(
        "Conv2DBackpropInput", grown(tf.nn.conv1d_transpose, 2, 6, 4), (normal(2, 3, 2), normal(3, 4, 2)),
        label="lines",
    ),
    Row(
        "Conv3DBackpropInputV2", grown(tf.nn.conv3d_transpose, 1, 4, 4, 2, 2),
        (normal(1, 2, 2, 1, 3), normal(2, 2, 2, 2, 3)),
    ),
    # means
    *[
        Row("AvgPool", build, (x,), label=label)
        for label, build, x in [
            ("", pooled(raw_ops.AvgPool, "SAME"), IMAGES),
            ("overlapping", pooled(raw_ops.AvgPool, "SAME", 3, 2, 1), IMAGES),
            ("gaps", pooled(raw_ops.AvgPool, "VALID", 1, 2, 3), IMAGES),
            ("channels first", in_planes(raw_ops.AvgPool, [1, 1, 2, 3], [1, 1, 2, 2]), PLANES),
        ]
    ],
    Row("AvgPool3D", lambda x: raw_ops.AvgPool3D(x, *CUBIC), (VOLUMES,)),
    # maxima
    *[
        Row("MaxPool", build, (x,), label=label, step=0.01)
        for label, build, x in [
            ("", pooled(raw_ops.MaxPool, "SAME"), DISTINCT),
            ("overlapping", pooled(raw_ops.MaxPool, "SAME", 3, 2, 1), DISTINCT),
            ("gaps", pooled(raw_ops.MaxPool, "VALID", 1, 2, 3), DISTINCT),
            ("channels first", in_planes(raw_ops.MaxPool, [1, 1, 2, 3], [1, 1, 2, 2]), distinct(2, 3, 5, 6)),
            ("channels", lambda x: raw_ops.MaxPool(x, [1, 1, 1, 3], [1, 1, 1, 3], "VALID"), DISTINCT),
        ]
    ],
    Row("MaxPoolGrad", derived(raw_ops.MaxPoolGrad), (DISTINCT, normal(2, 3, 3, 3)), step=0.01),
    Row("MaxPoolGradGrad", derived(raw_ops.MaxPoolGradGrad), (DISTINCT, IMAGES), step=0.01),
    Row("MaxPoolV2", pooled(raw_ops.MaxPoolV2, "SAME"), (DISTINCT,), step=0.01),
    Row("MaxPoolGradV2", derived(raw_ops.MaxPoolGradV2), (DISTINCT, normal(2, 3, 3, 3)), step=0.01),
    Row("MaxPoolGradGradV2", derived(raw_ops.MaxPoolGradGradV2), (DISTINCT, IMAGES), step=0.01),
    Row(
        "MaxPoolWithArgmax", lambda x: raw_ops.MaxPoolWithArgmax(x, *SIDES, include_batch_in_index=True), (DISTINCT,),
        step=0.01,
    ),
    Row("MaxPoolGradWithArgmax", placed(raw_ops.MaxPoolGradWithArgmax), (DISTINCT, normal(2, 3, 3, 3)), step=0.01),
    Row("MaxPoolGradGradWithArgmax", placed(raw_ops.MaxPoolGradGradWithArgmax), (DISTINCT, IMAGES), step=0.01),
    Row(
        "MaxPool3D", in_float32(lambda x: raw_ops.MaxPool3D(x, *CUBIC)), (distinct(2, 4, 3, 5, 2),), step=0.02,
        tolerance=1e-3,
    ),
    Row(
        "MaxPool3DGrad",
        in_float32(lambda x, dy: raw_ops.MaxPool3DGrad(x, raw_ops.MaxPool3D(x, *CUBIC), dy, *CUBIC)),
        (distinct(2, 4, 3, 5, 2), normal(2, 2, 3, 3, 2)), step=0.02, tolerance=1e-3,
    ),
    Row(
        "MaxPool3DGradGrad",
        in_float32(lambda x, d: raw_ops.MaxPool3DGradGrad(x, raw_ops.MaxPool3D(x, *CUBIC), d, *CUBIC)),
        (distinct(2, 4, 3, 5, 2), VOLUMES), step=0.02, tolerance=1e-3,
    ),
    *[
        Row(
            "Fractional" + name, fractional(name, overlapping), (DISTINCT,), label="overlapping" if overlapping else "",
            step=0.01, traced=False, also=(f"Fractional{name}Grad",), shapes=False,
        )
        for name in ("MaxPool", "AvgPool")
        for overlapping in (False, True)
    ],
    *[
        Row(
            "Dilation2D", build, (DISTINCT, normal(2, 3, 3) / 100), label=label, step=1e-3,
        )
        for label, build in [
            ("", lambda x, w: raw_ops.Dilation2D(x, w, [1, 1, 1, 1], [1, 1, 1, 1], "SAME")),
            ("holes", lambda x, w: raw_ops.Dilation2D(x, w, [1, 2, 1, 1], [1, 1, 2, 1], "VALID")),
        ]
    ],
    Row(
        "Dilation2D", lambda x, w: tf.nn.erosion2d(x, w, [1, 1, 1, 1], [1, 1, 1, 1], "SAME"),
        (DISTINCT, normal(2, 3, 3) / 100), label="erosion", step=1e-3,
    ),
]  # fmt: skip

VECTORS = normal(3, seed=1), normal(3, seed=2)
STATISTICS = normal(3, seed=3), np.abs(normal(3, seed=4)) + 1


def normalized(op: Any, **options: Any) -> Any:
    """The op on images, with statistics that are given, or that training makes anew; its smooth outputs."""
    return in_float32(lambda x, s, o, *given: op(x, s, o, *(given or ([], [])), epsilon=0.1, **options)[0])


def normalized_gradient(op: Any, *rest: float) -> Any:
    """The op of the gradient, with the statistics that the op kept."""

    def build(dy: Any, x: Any, s: Any) -> list[Any]:
        dy, x, s = (tf.cast(t, tf.float32) for t in (dy, x, s))
        kept = raw_ops.FusedBatchNormV3(x, s, s, [], [], epsilon=0.1)[3:5]
        return [tf.cast(y, tf.float64) for y in op(dy, x, s, *kept, *rest, epsilon=0.1)[:3]]

    return build


def given_gradient(op: Any, *rest: float) -> Any:
    """The op of the gradient, with statistics that were given."""

    def build(*inputs: Any) -> list[Any]:
        singles = [tf.cast(t, tf.float32) for t in inputs]
        return [tf.cast(y, tf.float64) for y in op(*singles, *rest, epsilon=0.1, is_training=False)[:3]]

    return build


ROWS += [
    Row(name, normalized(op, **options), inputs, label=label, still=still, step=0.02, tolerance=2e-3, rounding=1e-3)
    for name, op in [
        ("FusedBatchNorm", raw_ops.FusedBatchNorm),
        ("FusedBatchNormV2", raw_ops.FusedBatchNormV2),
        ("FusedBatchNormV3", raw_ops.FusedBatchNormV3),
    ]
    for label, inputs, still, options in [
        ("", (IMAGES, *VECTORS), (), {}),
        ("given statistics", (IMAGES, *VECTORS, *STATISTICS), (3, 4), {"is_training": False}),
        ("channels first", (PLANES, *VECTORS, *STATISTICS), (3, 4), {"is_training": False, "data_format": "NCHW"}),
    ]
    if name == "FusedBatchNormV3" or not label  # the older two are the same with an output less
]
ROWS += [
    Row(name, build(op, *rest), inputs, label=label, step=0.02, tolerance=2e-3, rounding=1e-3)
    for name, op, *rest in [
        ("FusedBatchNormGrad", raw_ops.FusedBatchNormGrad),
        ("FusedBatchNormGradV2", raw_ops.FusedBatchNormGradV2),
        ("FusedBatchNormGradV3", raw_ops.FusedBatchNormGradV3, 0.0),
    ]
    for label, build, inputs in [
        ("", normalized_gradient, (IMAGES, IMAGES[::-1] + 1, VECTORS[0])),
        ("given statistics", given_gradient, (IMAGES, IMAGES[::-1] + 1, VECTORS[0], *STATISTICS)),
    ]
    if name == "FusedBatchNormGradV3" or label
]
OLDER = (IMAGES, *STATISTICS, *VECTORS[:1], VECTORS[0] + 1)  # statistics are given, so no two rows agree
ROWS += [
    Row(
        "BatchNormWithGlobalNormalization",
        lambda *x, scaled=scaled: raw_ops.BatchNormWithGlobalNormalization(*x, 1e-3, scaled), OLDER,
        label=f"gamma scales: {scaled}",
    )
    for scaled in (True, False)
]  # fmt: skip
ROWS += [
    Row(
        "BatchNormWithGlobalNormalizationGrad",
        lambda *x: raw_ops.BatchNormWithGlobalNormalizationGrad(*x, 1e-3, True), (*OLDER[:3], OLDER[4], IMAGES[::-1]),
    )
]  # fmt: skip
ROWS += [
    Row(
        "LRN", in_float32(lambda x: raw_ops.LRN(x, 1, 1.5, 0.7, 0.6)), (IMAGES,), step=0.02, tolerance=2e-3,
        rounding=1e-3,
    ),
    Row(
        "LRNGrad", in_float32(lambda dy, x: raw_ops.LRNGrad(dy, x, x, 1, 1.5, 0.7, 0.6)), (IMAGES, IMAGES[::-1]),
        step=0.02, tolerance=2e-3, rounding=1e-3,
    ),
]  # fmt: skip
ROWS += [
    Row(
        "CTCLoss", lambda x: raw_ops.CTCLoss(x, [[0, 0], [0, 1], [1, 0]], [0, 1, 2], [5, 4]).loss, (normal(5, 2, 4),),
        orders=1, traced=False,
    ),
]  # fmt: skip
