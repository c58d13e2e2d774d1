"""Small programs over convolution, pooling and normalization, written against any ``tf``.

Each case builds a graph and returns what to fetch; ``record_convolution.py`` runs them all under
TensorFlow 1.15.5, ``test_convolution.py`` under retrograd.
"""

import numpy as np

CASES = {}
ERRORS = {}


def smooth(*shape, **options):
    """Fixed numbers, all different."""
    random = np.random.RandomState(options.get("seed", 0))
    return (random.rand(*shape) * 2 - 1).astype(options.get("dtype", np.float32))


def tied(*shape):
    """Fixed numbers, many of them equal."""
    return np.random.RandomState(1).randint(-2, 3, shape).astype(np.float32)


def differentiated(build, *arrays, **options):
    """A case: what ``build`` makes of constants, its gradient, and the gradient of a product of these."""
    unknown, order = options.get("unknown"), options.get("order", 2)

    def case(tf):
        xs = [tf.constant(a, name="x%d" % i) for i, a in enumerate(arrays)]
        if unknown is not None:
            xs[0] = tf.placeholder_with_default(xs[0], unknown or None)
        y = build(tf, *xs)
        fetches = [y] + (tf.gradients(y, xs, grad_ys=tf.cos(y)) if order else [])
        if order == 2:
            total = tf.add_n([tf.reduce_sum(g * g) for g in fetches[1:] if g is not None])
            fetches += tf.gradients(total, xs)
        return fetches

    return case


X, W = smooth(2, 5, 6, 3), smooth(3, 2, 3, 4, seed=1)
LINES, LINE_FILTER = smooth(2, 7, 3), smooth(3, 3, 2, seed=1)
VOLUME, CUBE = smooth(1, 4, 3, 5, 2), smooth(2, 2, 3, 2, 3, seed=1)

# -- convolution -------------------------------------------------------------------------------

for padding in ("SAME", "VALID", [[0, 0], [1, 2], [0, 3], [0, 0]]):
    for stride in (1, 2, [1, 3]):
        CASES["conv2d/%s/%s" % (padding, stride)] = differentiated(
            lambda tf, x, w, p=padding, s=stride: tf.nn.conv2d(x, w, s, p), X, W
        )
CASES["conv2d/float64"] = differentiated(
    lambda tf, x, w: tf.nn.conv2d(x, w, 1, "SAME"), X.astype(np.float64), W.astype(np.float64)
)
CASES["conv2d/float16"] = differentiated(
    lambda tf, x, w: tf.nn.conv2d(x, w, 1, "SAME"), X.astype(np.float16), W.astype(np.float16), order=1
)
CASES["conv2d/unknown size"] = differentiated(
    lambda tf, x, w: tf.nn.conv2d(x, w, 2, "SAME"), X, W, unknown=[None, None, None, 3]
)
CASES["conv2d/unknown shape"] = differentiated(lambda tf, x, w: tf.nn.conv2d(x, w, 2, "VALID"), X, W, unknown=())
CASES["conv2d/dilations"] = differentiated(
    lambda tf, x, w: tf.nn.conv2d(x, w, 1, "SAME", dilations=[1, 2, 2, 1]), X, W, order=0
)
CASES["conv1d"] = differentiated(lambda tf, x, w: tf.nn.conv1d(x, w, 2, "SAME"), LINES, LINE_FILTER)
CASES["conv3d"] = differentiated(lambda tf, x, w: tf.nn.conv3d(x, w, [1, 1, 2, 1, 1], "SAME"), VOLUME, CUBE)
CASES["conv3d/VALID"] = differentiated(lambda tf, x, w: tf.nn.conv3d(x, w, [1, 2, 1, 1, 1], "VALID"), VOLUME, CUBE)
for name, options in {
    "plain": {}, "holes": {"dilation_rate": [2, 2]}, "uneven holes": {"dilation_rate": [1, 3], "name": "n"},
    "strides": {"strides": [2, 1]},
}.items():
    for padding in ("SAME", "VALID"):
        CASES["convolution/%s/%s" % (name, padding)] = differentiated(
            lambda tf, x, w, o=options, p=padding: tf.nn.convolution(x, w, p, **o), smooth(2, 7, 8, 3), W, order=1
        )
CASES["convolution/lines"] = differentiated(
    lambda tf, x, w: tf.nn.convolution(x, w, "SAME", dilation_rate=[2]), LINES, LINE_FILTER, order=1
)
CASES["convolution/volumes"] = differentiated(
    lambda tf, x, w: tf.nn.convolution(x, w, "SAME", dilation_rate=[1, 2, 1]), VOLUME, CUBE, order=1
)
CASES["convolution/unknown size"] = differentiated(
    lambda tf, x, w: tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 3]), X, W, unknown=[None, None, None, 3], order=1
)
CASES["atrous_conv2d"] = differentiated(lambda tf, x, w: tf.nn.atrous_conv2d(x, w, 2, "SAME"), X, W, order=1)
BACK = smooth(3, 2, 4, 3, seed=2)
CASES["conv2d_transpose"] = differentiated(
    lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [2, 10, 11, 4], [1, 2, 2, 1]), X, BACK
)
CASES["conv2d_transpose/VALID"] = differentiated(
    lambda tf, x, w: tf.nn.conv2d_transpose(x, w, tf.stack([tf.shape(x)[0], 7, 7, 4]), 1, padding="VALID"), X, BACK
)
CASES["conv1d_transpose"] = differentiated(
    lambda tf, x, w: tf.nn.conv1d_transpose(x, w, [2, 14, 2], 2), LINES, smooth(3, 2, 3, seed=3)
)
CASES["conv3d_transpose"] = differentiated(
    lambda tf, x, w: tf.nn.conv3d_transpose(x, w, [1, 8, 6, 10, 3], 2), VOLUME, smooth(2, 2, 3, 3, 2, seed=3)
)
CASES["conv_transpose"] = differentiated(lambda tf, x, w: tf.nn.conv_transpose(x, w, [2, 10, 11, 4], 2), X, BACK)
for padding in ("SAME", "VALID"):
    size = (7, 7) if padding == "VALID" else (5, 6)
    CASES["atrous_conv2d_transpose/%s" % padding] = differentiated(
        lambda tf, x, w, p=padding, s=size: tf.nn.atrous_conv2d_transpose(
            x, w, [2, s[0] + (2 if p == "VALID" else 0), s[1] + (1 if p == "VALID" else 0), 4], 2, p
        ),
        X, BACK, order=1,
    )
CASES["atrous_conv2d_transpose/shape of tensors"] = differentiated(
    lambda tf, x, w: tf.nn.atrous_conv2d_transpose(x, w, tuple(tf.unstack(tf.constant([2, 5, 6, 4]))), 2, "SAME"),
    X, BACK, order=1,
)
DEPTHWISE = smooth(3, 2, 3, 2, seed=4)
for padding in ("SAME", "VALID"):
    CASES["depthwise_conv2d/%s" % padding] = differentiated(
        lambda tf, x, w, p=padding: tf.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], p), X, DEPTHWISE
    )
    CASES["depthwise_conv2d/holes/%s" % padding] = differentiated(
        lambda tf, x, w, p=padding: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], p, rate=[2, 2]), X, DEPTHWISE, order=1
    )
CASES["separable_conv2d"] = differentiated(
    lambda tf, x, d, p: tf.nn.separable_conv2d(x, d, p, [1, 1, 1, 1], "SAME"), X, DEPTHWISE, smooth(1, 1, 6, 2)
)
CASES["separable_conv2d/holes"] = differentiated(
    lambda tf, x, d, p: tf.nn.separable_conv2d(x, d, p, [1, 1, 1, 1], "VALID", rate=[2, 2]),
    X, DEPTHWISE, smooth(1, 1, 6, 2), order=1,
)
KERNEL = smooth(2, 3, 3, seed=5)
CASES["dilation2d"] = differentiated(
    lambda tf, x, w: tf.nn.dilation2d(x, w, [1, 2, 1, 1], [1, 1, 2, 1], "SAME"), X, KERNEL, order=1
)
CASES["erosion2d"] = differentiated(
    lambda tf, x, w: tf.nn.erosion2d(x, w, [1, 1, 1, 1], [1, 1, 1, 1], "VALID"), X, KERNEL, order=1
)

# -- pooling -----------------------------------------------------------------------------------

for name in ("max_pool", "avg_pool"):
    for padding in ("SAME", "VALID"):
        for window, stride in ((2, 2), (3, 2), ([1, 3, 2, 1], 1), (1, 3)):
            CASES["%s/%s/%s/%s" % (name, padding, window, stride)] = differentiated(
                lambda tf, x, n=name, p=padding, w=window, s=stride: getattr(tf.nn, n)(x, w, s, p), X
            )
    CASES["%s/ties" % name] = differentiated(
        lambda tf, x, n=name: getattr(tf.nn, n)(x, 3, 1, "SAME"), tied(2, 5, 5, 2)
    )
    CASES["%s/unknown shape" % name] = differentiated(
        lambda tf, x, n=name: getattr(tf.nn, n)(x, 2, 2, "SAME"), X, unknown=()
    )
    CASES["%s1d" % name] = differentiated(lambda tf, x, n=name: getattr(tf.nn, n + "1d")(x, 3, 2, "SAME"), LINES)
    CASES["%s3d" % name] = differentiated(lambda tf, x, n=name: getattr(tf.nn, n + "3d")(x, 2, 2, "SAME"), VOLUME)
    CASES["%s3d/ties" % name] = differentiated(
        lambda tf, x, n=name: getattr(tf.nn, n + "3d")(x, 2, 1, "VALID"), tied(1, 3, 3, 3, 2)
    )
    CASES["%s_v2" % name] = differentiated(lambda tf, x, n=name: getattr(tf.nn, n + "_v2")(x, 2, 2, "SAME"), VOLUME)
    for rate in ([1, 1], [2, 3]):
        CASES["pool/%s/%s" % (name, rate)] = differentiated(
            lambda tf, x, n=name, r=rate: tf.nn.pool(x, [2, 2], n[:3].upper(), "VALID", dilation_rate=r), X, order=1
        )
CASES["max_pool/channels"] = differentiated(
    lambda tf, x: tf.nn.max_pool(x, [1, 1, 1, 3], [1, 1, 1, 3], "VALID"), X, order=0
)
CASES["max_pool/nan"] = lambda tf: [
    tf.nn.max_pool(np.array([1, np.nan, 2, 3, 4, 5, np.nan, 6], np.float32).reshape(1, 2, 4, 1), 2, 2, "SAME")
]
for dtype in ("int32", "int64", "uint8", "int8", "int16", "uint16"):
    CASES["max_pool/%s" % dtype] = lambda tf, d=dtype: [
        tf.nn.max_pool(np.arange(18).astype(d).reshape(1, 3, 3, 2), 2, 2, "SAME")
    ]
for with_batch in (False, True):
    CASES["max_pool_with_argmax/%s" % with_batch] = lambda tf, b=with_batch: [
        *tf.nn.max_pool_with_argmax(X, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", include_batch_in_index=b)
    ]
CASES["max_pool_with_argmax/gradient"] = differentiated(
    lambda tf, x: tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")[0], X, order=1
)

# -- normalization -----------------------------------------------------------------------------

SCALE, OFFSET, MEAN = smooth(3, seed=6), smooth(3, seed=7), smooth(3, seed=8)
VARIANCE = smooth(3, seed=9) + np.float32(2)
for training in (True, False):

    def normalized(tf, x, scale, offset, training=training):
        fed = [tf.placeholder_with_default(v, [3]) for v in (MEAN, VARIANCE)]  # constants are folded, and wrongly
        given = {} if training else {"mean": fed[0], "variance": fed[1]}
        return tf.nn.fused_batch_norm(x, scale, offset, is_training=training, **given)

    CASES["fused_batch_norm/%s" % training] = differentiated(
        lambda tf, x, s, o, f=normalized: f(tf, x, s, o)[0], X, SCALE, OFFSET, order=1, unknown=X.shape
    )
CASES["fused_batch_norm/statistics"] = lambda tf: list(tf.nn.fused_batch_norm(X, SCALE, OFFSET))
CASES["batch_norm_with_global_normalization"] = differentiated(
    lambda tf, x, m, v, b, g: tf.nn.batch_norm_with_global_normalization(x, m, v, b, g, 0.01, True),
    X, MEAN, VARIANCE, OFFSET, SCALE, order=1,
)
CASES["lrn"] = differentiated(lambda tf, x: tf.nn.lrn(x), smooth(1, 2, 2, 9), order=1)
CASES["lrn/options"] = differentiated(
    lambda tf, x: tf.nn.local_response_normalization(x, 2, 1.5, 0.3, 0.75, name="n"), smooth(1, 2, 2, 9), order=1
)

# -- what does not fit -------------------------------------------------------------------------


def unfit(name, function, *shapes, **options):
    """An error: the function ``name`` of placeholders; ``defaults`` makes it an error of the run."""
    defaults = options.pop("defaults", False)

    def build(tf):
        if defaults:
            xs = [tf.placeholder_with_default(tf.zeros(s), None) for s in shapes]
        else:
            xs = [tf.placeholder(tf.float32, s) for s in shapes]
        return function(tf, *xs)

    ERRORS[name] = build


I, F = [1, 5, 5, 3], [3, 3, 3, 4]
for name, strides, padding, options in [
    ("padding", 1, "FOO", {}), ("format", 1, "SAME", {"data_format": "NHCW"}), ("strides", [1, 1, 1], "SAME", {}),
    ("stride 0", [1, 0, 1, 1], "SAME", {}), ("dilation 0", 1, "SAME", {"dilations": [1, 0, 1, 1]}),
    ("dilations", 1, "SAME", {"dilations": [1, 1, 1]}), ("EXPLICIT", 1, "EXPLICIT", {}),
    ("short borders", 1, [[0, 0], [1, 1], [1, 1]], {}), ("single border", 1, [[0, 0], [1], [1, 1], [0, 0]], {}),
    ("border of the batch", 1, [[1, 0], [1, 1], [1, 1], [0, 0]], {}),
    ("negative border", 1, [[0, 0], [-1, 1], [1, 1], [0, 0]], {}),
]:
    unfit(
        "conv2d/" + name, lambda tf, x, w, s=strides, p=padding, o=options: tf.nn.conv2d(x, w, s, p, **o), I, F
    )
unfit("conv2d/window", lambda tf, x, w: tf.nn.conv2d(x, w, 1, "VALID"), [1, 2, 2, 3], F)
unfit("conv2d/channels", lambda tf, x, w: tf.nn.conv2d(x, w, 1, "SAME"), I, [3, 3, 4, 4])
unfit("conv2d/rank", lambda tf, x, w: tf.nn.conv2d(x, w, 1, "SAME"), [5, 5, 3], F)
unfit("conv2d/filter's rank", lambda tf, x, w: tf.nn.conv2d(x, w, 1, "SAME"), I, [3, 3, 3])
unfit("conv2d/run/rank", lambda tf, x, w: tf.nn.conv2d(x, w, 1, "SAME"), [5, 5, 3], F, defaults=True)
unfit("conv2d/run/window", lambda tf, x, w: tf.nn.conv2d(x, w, 1, "VALID"), [1, 2, 2, 3], [5, 5, 3, 4], defaults=True)
unfit("conv2d/run/strides", lambda tf, x, w: tf.nn.conv2d(x, w, [2, 1, 1, 1], "SAME"), I, F, defaults=True)
unfit(
    "conv2d_transpose/run/sizes", lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [1, 11, 10, 4], 2), I, [2, 2, 4, 3],
    defaults=True,
)
unfit(
    "conv2d_transpose/run/batch", lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [2, 10, 10, 4], 2), I, [2, 2, 4, 3],
    defaults=True,
)
unfit("conv_transpose/sizes", lambda tf, x, w: tf.nn.conv_transpose(x, w, [1, 9], 2), I, [3, 3, 4, 3])
for name, options in [
    ("strides and holes", {"strides": [2, 2], "dilation_rate": [2, 2]}), ("rates", {"dilation_rate": [2, 2, 2]}),
    ("rate 0", {"dilation_rate": [0, 2]}), ("format", {"dilation_rate": [2, 2], "data_format": "FOO"}),
]:
    unfit("convolution/" + name, lambda tf, x, w, o=options: tf.nn.convolution(x, w, "SAME", **o), I, F)
unfit(
    "convolution/channels", lambda tf, x, w: tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 2]), I, [3, 3, 4, 4]
)
unfit("convolution/ranks", lambda tf, x, w: tf.nn.convolution(x, w, "SAME"), None, None)
unfit("conv1d/format", lambda tf, x, w: tf.nn.conv1d(x, w, 1, "SAME", data_format="FOO"), [1, 5, 3], [2, 3, 4])
unfit("conv3d/strides", lambda tf, x, w: tf.nn.conv3d(x, w, [1, 1, 1, 1], "SAME"), [1, 4, 4, 4, 3], [2, 2, 2, 3, 2])
unfit("conv3d/stride", lambda tf, x, w: tf.nn.conv3d(x, w, 2, "SAME"), [1, 4, 4, 4, 3], [2, 2, 2, 3, 2])
for rate, other, shape in [(0, "SAME", F), (2, "FOO", [2, 2, 4, 3]), (2, "SAME", [2, 2, 4, 2]), (2, "SAME", [2, 2, 5, 3])]:
    unfit(
        "atrous_conv2d_transpose/%s %s %s" % (rate, other, shape),
        lambda tf, x, w, r=rate, p=other: tf.nn.atrous_conv2d_transpose(x, w, [1, 5, 5, 4], r, p), I,
        shape if rate else [2, 2, 4, 3],
    )
unfit("depthwise/channels", lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME"), I, [2, 2, 4, 3])
unfit("depthwise/rate", lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME", rate=2), I, [2, 2, 3, 3])
unfit(
    "separable/pointwise", lambda tf, x, d, p: tf.nn.separable_conv2d(x, d, p, [1, 1, 1, 1], "SAME"), I, [2, 2, 3, 3],
    [1, 2, 9, 4],
)
unfit("dilation2d/channels", lambda tf, x, w: tf.nn.dilation2d(x, w, [1] * 4, [1] * 4, "SAME"), I, [2, 2, 4])
unfit("dilation2d/window", lambda tf, x, w: tf.nn.dilation2d(x, w, [1] * 4, [1, 3, 1, 1], "VALID"), I, [3, 2, 3])
for name, ksize, strides, padding, shape in [
    ("sizes", [2, 2, 2], 1, "SAME", I), ("size 0", [1, 0, 2, 1], 1, "SAME", I), ("stride 0", 2, [1, 0, 1, 1], "SAME", I),
    ("window", 6, 1, "VALID", I), ("rank", 2, 1, "SAME", [5, 5, 3]), ("padding", 2, 1, "same", I),
]:
    unfit("max_pool/" + name, lambda tf, x, k=ksize, s=strides, p=padding: tf.nn.max_pool(x, k, s, p), shape)
unfit("max_pool/run/rank", lambda tf, x: tf.nn.max_pool(x, 2, 1, "SAME"), [2, 2, 3], defaults=True)
unfit("max_pool/run/batch", lambda tf, x: tf.nn.max_pool(x, [2, 1, 1, 1], 1, "SAME"), I, defaults=True)
unfit("max_pool_with_argmax/sizes", lambda tf, x: tf.nn.max_pool_with_argmax(x, 2, 2, "SAME"), I)
for name, window, kind, options in [
    ("kind", [2, 2], "FOO", {}), ("rank", [2], "MAX", {}), ("strides", [2, 2], "MAX", {"strides": [1]}),
    ("long strides", [2, 2], "MAX", {"strides": [3, 1]}), ("rates", [2, 2], "AVG", {"dilation_rate": [2]}),
    ("both", [2, 2], "AVG", {"dilation_rate": [2, 2], "strides": [2, 2]}),
]:
    unfit(
        "pool/" + name, lambda tf, x, w=window, k=kind, o=options: tf.nn.pool(x, w, k, "VALID", **o), I
    )
unfit("fused_batch_norm/scale", lambda tf, x, s: tf.nn.fused_batch_norm(x, s, tf.zeros([3])), I, [2])
unfit("fused_batch_norm/given", lambda tf, x, s: tf.nn.fused_batch_norm(x, s, s, mean=s, variance=s), I, [3])
unfit("fused_batch_norm/not given", lambda tf, x, s: tf.nn.fused_batch_norm(x, s, s, is_training=False), I, [3])
unfit("lrn/rank", lambda tf, x: tf.nn.lrn(x), [2, 2, 3])
