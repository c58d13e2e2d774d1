"""Ops under the names that older programs gave them: for graphs in files, which name them still.

Where TensorFlow has removed an op, only graphs of a version before its removal may hold it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, no_derivative, not_differentiable, renamed
from retrograd.graph.errors import FailedPreconditionError, UnimplementedError, invalid
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    boxes,
    colors,
    constants,
    convolution,
    diagonals,
    fake_quantization,
    fourier,
    kinds,
    placing,
    ranking,
    shape_rules,
    slicing,
    solving,
    spectra,
    stacks,
    variates,
)
from retrograd.ops.random import SEEDS
from retrograd.ops.streams import Draws, Stream

_REAL: dict[str, Any] = {"T": (dtypes.float64, dtypes.float32)}

# -- batches of matrices, before every op took batches -------------------------------------------

for _definition in (
    solving.CHOLESKY, solving.MATRIX_INVERSE, solving.MATRIX_SOLVE, solving.MATRIX_SOLVE_LS,
    solving.MATRIX_TRIANGULAR_SOLVE, spectra.SELF_ADJOINT_EIG,
):  # fmt: skip
    renamed(_definition, f"Batch{_definition.name}", (13, f"Use {_definition.name} instead."), types=_REAL)
for _definition in (solving.MATRIX_DETERMINANT, spectra.SVD):
    renamed(_definition, f"Batch{_definition.name}", (13, f"Use {_definition.name} instead."))
for _definition in (diagonals.MATRIX_DIAG, diagonals.MATRIX_DIAG_PART, diagonals.MATRIX_SET_DIAG):
    renamed(_definition, f"Batch{_definition.name}", (14, f"Use {_definition.name}"))
renamed(
    diagonals.MATRIX_BAND_PART, "BatchMatrixBandPart", (14, "Use MatrixBandPart"), attrs={}, types={},
    inputs="input: T, num_lower: int64, num_upper: int64",
)  # fmt: skip
for _rank, _direction in ((rank, table) for rank in (1, 2, 3) for table in (fourier.FORWARD, fourier.INVERSE)):
    _definition = _direction[_rank]
    renamed(
        _definition, f"Batch{_definition.name}", (15, f"Use {_definition.name}"), inputs="input: complex64",
        outputs="output: complex64", attrs={}, types={}, gradient=no_derivative,
    )  # fmt: skip


def _values_over_vectors(x: Tensor) -> RawShape:
    dims = solving.square_matrices(x)
    return None if dims is None else (*dims[:-2], None if dims[-1] is None else dims[-1] + 1, dims[-1])


def _eigen_in_one(xp: Any, x: Any) -> Any:
    """The eigenvalues as a first row, over the matrix of eigenvectors."""
    assert spectra.SELF_ADJOINT_EIG.kernel is not None
    e, v = spectra.SELF_ADJOINT_EIG.kernel(xp, x, compute_v=True)
    return xp.concatenate([e[..., None, :], v], -2)


for _name in ("SelfAdjointEig", "BatchSelfAdjointEig"):
    define(
        _name, "input: T", "output: T", types=_REAL, shape=_values_over_vectors, kernel=_eigen_in_one,
        removed=(11, "Use SelfAdjointEigV2 instead."),
    )  # fmt: skip


def _cholesky_slope(xp: Any, y: Any, dy: Any) -> Any:
    """``dx = (s + s^T) / 2`` with ``s = y^-T p(y^T dy) y^-1``, p the lower triangle with half the diagonal."""
    if y.ndim != dy.ndim:
        raise invalid("All input tensors must have the same rank.")
    if y.shape != dy.shape:
        raise invalid("Inputs (L and grad) must have the same shape.")
    n = y.shape[-1]
    if not y.size:
        return y
    inner = xp.swapaxes(y, -1, -2) @ xp.tril(dy)
    inner = xp.tril(inner) * (1 - xp.eye(n, dtype=y.dtype) / 2)
    half = xp.linalg.solve(xp.swapaxes(y, -1, -2), inner)
    s = xp.swapaxes(xp.linalg.solve(xp.swapaxes(y, -1, -2), xp.swapaxes(half, -1, -2)), -1, -2)
    return (s + xp.swapaxes(s, -1, -2)) / 2


CHOLESKY_GRAD = define(
    "CholeskyGrad", "l: T, grad: T", "output: T", types={"T": (dtypes.float16, dtypes.float32, dtypes.float64)},
    ranks={"l": "2+: Input tensor 0 must have rank >= 2, got {rank}"},
    shape=lambda y, dy: solving.square_matrices(y), kernel=_cholesky_slope,
)  # fmt: skip
renamed(CHOLESKY_GRAD, "BatchCholeskyGrad", (13, "Use CholeskyGrad instead."), types=_REAL)

# -- numbers that were attributes ----------------------------------------------------------------


def _with_k(kernel: Callable[..., Any] | None) -> Callable[..., Any]:
    def attributed(xp: Any, *inputs: Any, k: int) -> Any:
        assert kernel is not None
        return kernel(xp, *inputs, np.int32(k))

    return attributed


renamed(
    ranking.IN_TOP_K, "InTopK", inputs="predictions: float32, targets: T", attrs={"k": REQUIRED, "T": dtypes.int32},
    kernel=_with_k(ranking.IN_TOP_K.kernel),
    failure=None,
)  # fmt: skip


def _k_largest(x: Tensor, *, k: int) -> list[RawShape]:
    dims = shape_rules.with_rank_at_least(x, 1)
    if dims is not None and dims[-1] is not None and dims[-1] < k:
        raise ValueError(f"input must have last dimension >= k = {k} but is {dims[-1]}")
    return [None if dims is None else (*dims[:-1], k)] * 2


renamed(
    ranking.TOP_K, "TopK", (7, "Use TopKV2 instead"), inputs="input: T", attrs={"k": REQUIRED, "sorted": True},
    static=frozenset(), kernel=_with_k(ranking.TOP_K.kernel), shape=_k_largest,
    gradient=lambda op, dy, _: ranking.top_k_gradient(op, dy, _)[:1],
)  # fmt: skip

# -- placeholders and what is like another tensor ------------------------------------------------

_COUNTABLE = (
    *kinds.FLOATING, dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16, dtypes.int32, dtypes.int64, *kinds.COMPLEX,
    dtypes.bool,
)  # fmt: skip
renamed(
    constants.PLACEHOLDER, "PlaceholderV2", (23, "Placeholder now behaves the same as PlaceholderV2."),
    attrs={"dtype": REQUIRED, "shape": REQUIRED},
)  # fmt: skip
define(
    "OnesLike", "x: T", "y: T", types={"T": _COUNTABLE}, shape=shape_rules.same,
    kernel=lambda xp, x: xp.ones_like(x), gradient=not_differentiable,
)  # fmt: skip
define(
    "DebugGradientIdentity", "input: T", "output: T", shape=shape_rules.same, kernel=lambda xp, x: x,
    gradient=lambda op, dy: [dy],
)  # fmt: skip


def _untiled_shape(x: Tensor, multiples: Tensor) -> RawShape:
    counts = static_value(multiples)
    if x.dims is None or counts is None:
        return None if x.dims is None else (None,) * len(x.dims)
    return tuple(None if n is None else n // max(int(m), 1) for n, m in zip(x.dims, counts, strict=True))


def _untiled(xp: Any, x: Any, multiples: Any) -> Any:
    """The sum of all tiles."""
    pairs = [(int(m), n // int(m)) for m, n in zip(multiples, x.shape, strict=True)]
    return xp.reshape(x, [size for pair in pairs for size in pair]).sum(
        axis=tuple(range(0, 2 * x.ndim, 2)), dtype=x.dtype
    )


define(
    "TileGrad", "input: T, multiples: int32", "output: T", static=("multiples",), shape=_untiled_shape,
    kernel=_untiled, removed=(3, "TileGrad has been replaced with reduce_sum"),
)  # fmt: skip

# -- volumes -------------------------------------------------------------------------------------


def _of_like(derivative: OpDef, place: int) -> None:
    """The derivative of a convolution by what has the shape of the input at ``place``, which is given itself."""
    kernel = derivative.kernel
    assert kernel is not None

    def by_example(xp: Any, *inputs: Any, strides: Any, padding: Any, dilations: Any) -> Any:
        sized = [np.array(np.shape(t), np.int32) if i == place else t for i, t in enumerate(inputs)]
        options = {"strides": strides, "padding": padding, "data_format": "NDHWC", "dilations": dilations}
        return kernel(xp, *sized, **{key: options[key] for key in derivative.kernel_attrs})

    name = derivative.name.removesuffix("V2")
    attrs = {"strides": REQUIRED, "padding": REQUIRED, "dilations": [1, 1, 1, 1, 1]}
    define(
        name, "input: T, filter: T, out_backprop: T", "output: T", attrs=attrs, types={"T": convolution.FLOATS},
        choices={"padding": derivative.choices["padding"]}, kernel=by_example,
        shape=lambda *inputs: shape_rules.with_rank(inputs[place], 5), removed=(10, f"Use {derivative.name}"),
    )  # fmt: skip


_of_like(convolution.CONV_3D_INPUT, 0)
_of_like(convolution.CONV_3D_FILTER, 1)

# -- random numbers ------------------------------------------------------------------------------

renamed(
    variates.RANDOM_POISSON, "RandomPoisson", (25, "Replaced by RandomPoissonV2"), inputs="shape: S, rate: dtype",
    attrs={key: value for key, value in variates.RANDOM_POISSON.attrs.items() if key not in ("R", "dtype")},
    types={"S": kinds.INDEX, "dtype": (dtypes.float16, dtypes.float32, dtypes.float64)},
)  # fmt: skip

# -- stacks and arrays whose handles are texts ----------------------------------------------------

renamed(
    stacks.STACK, "Stack", inputs="", outputs="handle: ref string",
    shape=lambda: (2,), kernel=lambda xp, memory: stacks.Stack(-1),
)  # fmt: skip
renamed(stacks.STACK_PUSH, "StackPush", inputs="handle: ref string, elem: T")
renamed(stacks.STACK_POP, "StackPop", inputs="handle: ref string")
renamed(stacks.STACK_CLOSE, "StackClose", inputs="handle: ref string")

# -- slices -------------------------------------------------------------------------------------


def _update_slice(
    xp: Any, x: Any, begin: Any, end: Any, strides: Any, value: Any, *, begin_mask: int, end_mask: int,
    ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int,
) -> Any:  # fmt: skip
    """``x`` with another value in a slice of it."""
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    index = slicing.index_of(begin, end, strides, masks)
    wanted = np.broadcast_to(np.False_, x.shape)[index].shape
    if np.shape(value) not in ((), wanted):
        words = f"shape of value was {shape_text(np.shape(value))} instead of {shape_text(wanted)}"
        raise UnimplementedError(None, None, words)
    return placing.set_at(xp, x, index, xp.asarray(value))


def _update_gradient(op: Any, dy: Any) -> list[Any]:
    """Nothing flows to what is replaced; to the value what flows to its place."""
    bounds, masks = op.inputs[1:4], {m: op.attrs[m] for m in slicing.MASKS}
    value = op.inputs[4]
    dx = apply(op.definition, dy, *bounds, constants.zeros_like(value), **masks)
    return [dx, None, None, None, slicing.strided_slice(dy, *bounds, **masks)]


define(
    "TensorStridedSliceUpdate", "input: T, begin: Index, end: Index, strides: Index, value: T", "output: T",
    attrs=dict.fromkeys(slicing.MASKS, 0), types={"Index": kinds.INDEX}, static=("begin", "end", "strides"),
    shape=lambda x, *rest: x.dims, kernel=_update_slice, gradient=_update_gradient,
)  # fmt: skip

# -- handed on -----------------------------------------------------------------------------------

FAKE_PARAM = define(
    "FakeParam", "", "output: dtype", attrs={"dtype": REQUIRED, "shape": REQUIRED}, gradient=not_differentiable,
    shape=lambda *, shape: shape._raw,
    kernel=lambda xp, *, dtype, shape: np.zeros([n or 0 for n in shape._raw or ()], dtype.np),
)  # fmt: skip


# -- numbers that are attributes here and inputs there --------------------------------------------


def _there_and_back(**given: Any) -> Callable[..., Any]:
    """``QuantizeAndDequantizeV2`` with some of its attributes settled."""
    kernel = fake_quantization.QUANTIZE_AND_DEQUANTIZE.kernel
    assert kernel is not None
    return functools.partial(kernel, **{"round_mode": "HALF_TO_EVEN", "narrow_range": False, **given})


def _by_attributes(
    xp: Any, x: Any, *, signed_input: bool, num_bits: int, range_given: bool, input_min: float, input_max: float
) -> Any:
    ends = x.dtype.type(input_min), x.dtype.type(input_max)
    return _there_and_back()(xp, x, *ends, signed_input=signed_input, num_bits=num_bits, range_given=range_given)


def _by_inputs(
    xp: Any, x: Any, low: Any, high: Any, num_bits: Any, *, signed_input: bool, range_given: bool, narrow_range: bool
) -> Any:
    options = {"signed_input": signed_input, "range_given": range_given, "narrow_range": narrow_range}
    return _there_and_back(num_bits=int(num_bits))(xp, x, low, high, **options)


define(
    "QuantizeAndDequantize", "input: T", "output: T",
    attrs={"signed_input": True, "num_bits": 8, "range_given": False, "input_min": 0.0, "input_max": 0.0},
    types={"T": kinds.FLOATING}, shape=shape_rules.same, kernel=_by_attributes, gradient=lambda op, dy: [dy],
    removed=(22, "Replaced by QuantizeAndDequantizeV2"),
)  # fmt: skip
define(
    "QuantizeAndDequantizeV3", "input: T, input_min: T, input_max: T, num_bits: int32", "output: T",
    attrs={"signed_input": True, "range_given": True, "narrow_range": False}, types={"T": kinds.FLOATING},
    static=("num_bits",), shape=lambda x, *rest: x.dims, kernel=_by_inputs,
    gradient=lambda op, dy: [dy, None, None, None],
)  # fmt: skip

# -- images --------------------------------------------------------------------------------------


def _contrast(xp: Any, x: Any, factor: Any, least: Any, most: Any) -> Any:
    """``(x - mean) * factor + mean`` between two bounds, the mean of each channel over height and width."""
    wide = x.astype(np.float32)
    mean = xp.mean(wide, axis=(-3, -2), keepdims=True, dtype=np.float32)
    return xp.clip((wide - mean) * factor + mean, least, most)


define(
    "AdjustContrast", "images: T, contrast_factor: float32, min_value: float32, max_value: float32", "output: float32",
    types={"T": (*colors.WHOLE, dtypes.float32, dtypes.float64)}, gradient=no_derivative,
    shape=lambda x, *rest: shape_rules.with_rank_at_least(x, 3), kernel=_contrast,
    removed=(2, "Use AdjustContrastv2 instead"),
)  # fmt: skip


def _sampled_box(
    xp: Any, stream: Stream, size: Any, found: Any, *, min_object_covered: float, aspect_ratio_range: Any,
    area_range: Any, max_attempts: int, use_image_if_no_bounding_boxes: bool,
) -> Any:  # fmt: skip
    kernel = boxes.SAMPLE_BOX.kernel
    assert kernel is not None
    return kernel(
        xp, stream, size, found, np.float32(min_object_covered), aspect_ratio_range=aspect_ratio_range,
        area_range=area_range, max_attempts=max_attempts, use_image_if_no_bounding_boxes=use_image_if_no_bounding_boxes,
    )  # fmt: skip


define(
    "SampleDistortedBoundingBox", "image_size: T, bounding_boxes: float32", "begin: T, size: T, bboxes: float32",
    attrs={"seed": 0, "seed2": 0, "min_object_covered": float(np.float32(0.1)), **boxes.SAMPLE_BOX.attrs},
    types=boxes.SAMPLE_BOX.types, shape=boxes.SAMPLE_BOX.shape, kernel=_sampled_box, effect=Effect.RANDOM,
    gradient=not_differentiable,
)  # fmt: skip


def _random_crop(xp: Any, stream: Stream, image: Any, size: Any) -> Any:
    """A part of the image of this height and width."""
    sides = tuple(int(n) for n in size)
    for word, side, wanted in (("width", image.shape[1], sides[1]), ("height", image.shape[0], sides[0])):
        if side < wanted:
            words = f"{word} must be >= target_{word}: {word} = {side}, target_{word} = {wanted}"
            raise FailedPreconditionError(None, None, words)
    draws = Draws(stream, 2)
    x = draws.evenly_below(image.shape[1] - sides[1] + 1)
    y = draws.evenly_below(image.shape[0] - sides[0] + 1)
    return image[y : y + sides[0], x : x + sides[1]]


def _cropped(image: Tensor, size: Tensor) -> RawShape:
    channels, known = shape_rules.with_rank(image, 3)[2], static_value(size)
    return (None, None, channels) if known is None else (*(int(n) for n in known), channels)


define(
    "RandomCrop", "image: T, size: int64", "output: T", attrs=SEEDS,
    types={"T": (*colors.WHOLE, dtypes.float32, dtypes.float64)}, static=("size",), shape=_cropped,
    kernel=_random_crop, effect=Effect.RANDOM, gradient=not_differentiable,
    removed=(8, "Random crop is now pure Python"),
)  # fmt: skip
