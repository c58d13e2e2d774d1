"""Moving blocks of an image between space, batch and depth."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, OpDef, define
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import constant_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, joining, kinds, shape_rules

# -- space and batch ---------------------------------------------------------------------------


def _check_block_shape(block_shape: Tensor, borders: Tensor, x: Tensor) -> tuple[int | None, Any, Any]:
    count = shape_rules.with_rank(block_shape, 1)[0]
    rows = shape_rules.with_rank(borders, 2)[0]
    if count is not None:
        shape_rules.with_rank_at_least(x, count + 1)
    shapes.merge_dim(count, rows)
    blocks, widths = static_value(block_shape), static_value(borders)
    if blocks is not None and (blocks < 1).any():
        raise ValueError("block_shape must be positive")
    if widths is not None and (widths < 0).any():
        raise ValueError("paddings cannot be negative")
    return count, blocks, widths


def _to_batch(x: Tensor, block_shape: Tensor, paddings: Tensor) -> RawShape:
    count, blocks, widths = _check_block_shape(block_shape, paddings, x)
    if x.dims is None or count is None:
        return None
    batch = None if blocks is None or x.dims[0] is None else x.dims[0] * int(np.prod(blocks))
    inner: list[int | None] = []
    for i, n in enumerate(x.dims[1 : count + 1]):
        if blocks is None or widths is None or n is None:
            inner.append(None)
            continue
        total, block = n + int(widths[i].sum()), int(blocks[i])
        if total % block:
            raise ValueError(f"Dimension size must be evenly divisible by {block} but is {total}")
        inner.append(total // block)
    return (batch, *inner, *x.dims[count + 1 :])


def _check_spatial(x: Any, count: int) -> None:
    if np.ndim(x) < count + 1:
        words = f"input rank should be >= {count + 1} instead of {np.ndim(x)}"
        raise invalid(words)


def _check_image(x: Any) -> None:
    shape_rules.check_rank(x, 4, f"Input rank should be: 4instead of: {np.ndim(x)}")


def _space_to_batch_nd(xp: Any, x: Any, block_shape: Any, paddings: Any) -> Any:
    """Each spatial dimension n is cut into (n / b) blocks of b; the place within a block goes to the batch."""
    blocks = np.asarray(block_shape).tolist()
    count = len(blocks)
    _check_spatial(x, count)
    widths = [(0, 0), *(tuple(w) for w in np.asarray(paddings).tolist())]
    x = xp.pad(x, widths + [(0, 0)] * (np.ndim(x) - count - 1))
    batch, *dims = x.shape
    split = [batch]
    for n, b in zip(dims[:count], blocks, strict=True):
        if n % b:
            raise invalid(
                f"padded_shape[{len(split) // 2}]={n} is not divisible by block_shape[{len(split) // 2}]={b}",
            )
        split += [n // b, b]
    y = xp.reshape(x, (*split, *dims[count:]))
    within = [2 * i + 2 for i in range(count)]
    outer = [2 * i + 1 for i in range(count)]
    y = xp.transpose(y, (*within, 0, *outer, *range(2 * count + 1, y.ndim)))
    return xp.reshape(y, (batch * int(np.prod(blocks)), *split[1::2], *dims[count:]))


SPACE_TO_BATCH_ND = define(
    "SpaceToBatchND", "input: T, block_shape: Tblock_shape, paddings: Tpaddings", "output: T",
    attrs={"Tblock_shape": dtypes.int32, "Tpaddings": dtypes.int32},
    types={"Tblock_shape": kinds.INDEX, "Tpaddings": kinds.INDEX}, static=("block_shape", "paddings"),
    ranks={
        "block_shape": "1: block_shape must be one dimensional instead of {}",
        "paddings": "[?,2]: paddings should have two columns instead of {}",
    },
    shape=_to_batch, kernel=_space_to_batch_nd,
    gradient=lambda op, dy: [batch_to_space_nd(dy, op.inputs[1], op.inputs[2]), None, None],
)  # fmt: skip


def space_to_batch_nd(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Tensor:
    """Blocks of the padded spatial dimensions moved into the batch dimension."""
    return apply(SPACE_TO_BATCH_ND, input, block_shape, paddings, name=name)


def _from_batch(x: Tensor, block_shape: Tensor, crops: Tensor) -> RawShape:
    count, blocks, widths = _check_block_shape(block_shape, crops, x)
    if x.dims is None or count is None:
        return None
    batch = x.dims[0]
    if batch is not None and blocks is not None:
        if batch % int(np.prod(blocks)):
            raise ValueError(f"Dimension size must be evenly divisible by {int(np.prod(blocks))} but is {batch}")
        batch //= int(np.prod(blocks))
    else:
        batch = None
    inner: list[int | None] = []
    for i, n in enumerate(x.dims[1 : count + 1]):
        if blocks is None or widths is None or n is None:
            inner.append(None)
            continue
        total, gone = n * int(blocks[i]), int(widths[i].sum())
        if gone > total:
            raise ValueError(f"Negative dimension size caused by subtracting {gone} from {total}")
        inner.append(total - gone)
    return (batch, *inner, *x.dims[count + 1 :])


def _batch_to_space_nd(xp: Any, x: Any, block_shape: Any, crops: Any) -> Any:
    blocks = np.asarray(block_shape).tolist()
    count, size = len(blocks), int(np.prod(blocks))
    _check_spatial(x, count)
    batch, *dims = np.shape(x)
    if batch % size:
        raise invalid(f"Input batch dimension ({batch}) is not divisible by product of block sizes ({size})")
    y = xp.reshape(x, (*blocks, batch // size, *dims))
    order = [count]
    for i in range(count):
        order += [count + 1 + i, i]
    y = xp.transpose(y, (*order, *range(2 * count + 1, y.ndim)))
    y = xp.reshape(y, (batch // size, *(n * b for n, b in zip(dims, blocks, strict=False)), *dims[count:]))
    kept = [slice(None)]
    for i, ((first, last), n) in enumerate(zip(np.asarray(crops).tolist(), y.shape[1:], strict=False)):
        if n - first - last < 0:
            raise invalid(f"cropped_shape[{i}]={n - first - last} must be non-negative")
        kept.append(slice(first, n - last))
    return y[tuple(kept)]


BATCH_TO_SPACE_ND = define(
    "BatchToSpaceND", "input: T, block_shape: Tblock_shape, crops: Tcrops", "output: T",
    attrs={"Tblock_shape": dtypes.int32, "Tcrops": dtypes.int32},
    types={"Tblock_shape": kinds.INDEX, "Tcrops": kinds.INDEX}, static=("block_shape", "crops"),
    ranks={
        "block_shape": "1: block_shape must be one dimensional instead of {}",
        "crops": "[?,2]: crops should have two columns instead of {}",
    },
    shape=_from_batch, kernel=_batch_to_space_nd,
    gradient=lambda op, dy: [space_to_batch_nd(dy, op.inputs[1], op.inputs[2]), None, None],
)  # fmt: skip


def batch_to_space_nd(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Tensor:
    """The inverse of ``space_to_batch_nd``."""
    return apply(BATCH_TO_SPACE_ND, input, block_shape, crops, name=name)


def _images_to_batch(x: Tensor, paddings: Tensor, *, block_size: int) -> RawShape:
    _check_size(block_size)
    dims = shape_rules.with_rank(x, 4)
    widths = static_value(paddings)
    inner: list[int | None] = []
    for i, n in enumerate(dims[1:3]):
        total = None if n is None or widths is None else n + int(widths[i].sum())
        if total is not None and total % block_size:
            raise ValueError(f"Dimension size must be evenly divisible by {block_size} but is {total}")
        inner.append(None if total is None else total // block_size)
    return (None if dims[0] is None else dims[0] * block_size**2, *inner, dims[3])


def _space_to_batch(xp: Any, x: Any, paddings: Any, *, block_size: int) -> Any:
    _check_image(x)
    return _space_to_batch_nd(xp, x, [block_size] * 2, paddings)


SPACE_TO_BATCH = define(
    "SpaceToBatch", "input: T, paddings: Tpaddings", "output: T",
    attrs={"block_size": REQUIRED, "Tpaddings": dtypes.int32}, types={"Tpaddings": kinds.INDEX}, static=("paddings",),
    ranks={"paddings": "[2,2]: paddings should have shape [2, 2] instead of {}"},
    shape=_images_to_batch,
    kernel=_space_to_batch,
    gradient=lambda op, dy: [
        apply(BATCH_TO_SPACE, dy, op.inputs[1], block_size=op.attrs["block_size"]), None,
    ],
)  # fmt: skip


def _batch_to_images(x: Tensor, crops: Tensor, *, block_size: int) -> RawShape:
    _check_size(block_size)
    dims = shape_rules.with_rank(x, 4)
    widths, area = static_value(crops), block_size**2
    if dims[0] is not None and dims[0] % area:
        raise ValueError(f"Dimension size must be evenly divisible by {area} but is {dims[0]}")
    inner = [
        None if n is None or widths is None else n * block_size - int(widths[i].sum()) for i, n in enumerate(dims[1:3])
    ]
    return (None if dims[0] is None else dims[0] // area, *inner, dims[3])


def _batch_to_space(xp: Any, x: Any, crops: Any, *, block_size: int) -> Any:
    _check_image(x)
    return _batch_to_space_nd(xp, x, [block_size] * 2, crops)


BATCH_TO_SPACE: OpDef = define(
    "BatchToSpace", "input: T, crops: Tidx", "output: T", attrs={"block_size": REQUIRED, "Tidx": dtypes.int32},
    types={"Tidx": kinds.INDEX}, static=("crops",),
    ranks={"crops": "[2,2]: crops should have shape [2, 2] instead of {}"},
    shape=_batch_to_images,
    kernel=_batch_to_space,
    gradient=lambda op, dy: [
        apply(SPACE_TO_BATCH, dy, op.inputs[1], block_size=op.attrs["block_size"]), None,
    ],
)  # fmt: skip


def space_to_batch(
    input: Any, paddings: Any, block_size: Any = None, name: str | None = None, block_shape: Any = None
) -> Tensor:  # fmt: skip
    """``space_to_batch_nd`` with one ``block_size`` for both sides of an image."""
    size = deprecated_argument_lookup("block_shape", block_shape, "block_size", block_size)
    result = space_to_batch_nd(input, paddings=paddings, block_shape=np.array([size, size], dtype=np.int64), name=name)
    result.set_shape(result.shape.with_rank(4))
    return result


def batch_to_space(
    input: Any, crops: Any, block_size: Any, name: str | None = None, block_shape: Any = None
) -> Tensor:  # fmt: skip
    """``batch_to_space_nd`` with one ``block_size`` for both sides of an image."""
    size = deprecated_argument_lookup("block_shape", block_shape, "block_size", block_size)
    result = batch_to_space_nd(input, crops=crops, block_shape=np.array([size, size], dtype=np.int64), name=name)
    result.set_shape(result.shape.with_rank(4))
    return result


def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The paddings that make ``input_shape`` a multiple of ``block_shape``, and the crops that undo them."""
    with name_scope(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        input_shape = as_tensor(input_shape, dtypes.int32, name="input_shape")
        block_shape = as_tensor(block_shape, dtypes.int32, name="block_shape")
        block_shape.shape.assert_is_fully_defined()
        block_shape.shape.assert_has_rank(1)
        count = block_shape.dims[0]
        if count == 0:
            empty = constants.zeros([0, 2], dtypes.int32)
            return empty, empty
        input_shape.shape.assert_is_compatible_with([count])
        if base_paddings is None:
            base_paddings = constants.zeros([count, 2], dtypes.int32)
        else:
            base_paddings = as_tensor(base_paddings, dtypes.int32, name="base_paddings")
            base_paddings.shape.assert_is_compatible_with([count, 2])
        known = [constant_value(t) for t in (block_shape, input_shape, base_paddings)]
        if all(v is not None for v in known):
            block_shape, input_shape, base_paddings = known
        start, before_extra = base_paddings[:, 0], base_paddings[:, 1]
        whole = input_shape + start + before_extra
        extra = (block_shape - whole % block_shape) % block_shape
        end = before_extra + extra
        paddings = joining.stack([[start[i], end[i]] for i in range(count)], name="paddings")
        crops = joining.stack([[0, extra[i]] for i in range(count)], name="crops")
        return paddings, crops


# -- space and depth ---------------------------------------------------------------------------


def _layout(data_format: Any) -> tuple[int, int, int]:
    """The axes of height, width and channels."""
    text = data_format.decode() if isinstance(data_format, bytes) else data_format
    return (1, 2, 3) if text == "NHWC" else (2, 3, 1)


def _check_size(block_size: int) -> None:
    if block_size < 2:
        raise ValueError(f"Value for attr 'block_size' of {block_size} must be at least minimum 2")


def _deepened(x: Tensor, *, block_size: int, data_format: Any) -> RawShape:
    _check_size(block_size)
    dims = list(shape_rules.with_rank(x, 4))
    *sides, depth = _layout(data_format)
    for axis in sides:
        n = dims[axis]
        if n is not None and n % block_size:
            raise ValueError(f"Dimension size must be evenly divisible by {block_size} but is {n}")
        dims[axis] = None if n is None else n // block_size
    channels = dims[depth]
    dims[depth] = None if channels is None else channels * block_size**2
    return tuple(dims)


def _space_to_depth(xp: Any, x: Any, *, block_size: int, data_format: Any) -> Any:
    """y[n, h, w, (i, j, c)] = x[n, h * b + i, w * b + j, c]."""
    b, channels_last = block_size, _layout(data_format) == (1, 2, 3)
    shape_rules.check_rank(x, 4, f"Input rank should be 4 instead of {np.ndim(x)}")
    x = x if channels_last else xp.moveaxis(x, 1, -1)
    n, h, w, c = x.shape
    if h % b or w % b:
        raise invalid(f"Image width {w} and height {h} should be divisible by block_size: {b}")
    y = xp.reshape(x, (n, h // b, b, w // b, b, c))
    y = xp.reshape(xp.transpose(y, (0, 1, 3, 2, 4, 5)), (n, h // b, w // b, b * b * c))
    return y if channels_last else xp.moveaxis(y, -1, 1)


def _flattened(x: Tensor, *, block_size: int, data_format: Any) -> RawShape:
    _check_size(block_size)
    dims = list(shape_rules.with_rank(x, 4))
    *sides, depth = _layout(data_format)
    for axis in sides:
        n = dims[axis]
        dims[axis] = None if n is None else n * block_size
    channels = dims[depth]
    if channels is not None and channels % block_size**2:
        raise ValueError(f"Dimension size must be evenly divisible by {block_size**2} but is {channels}")
    dims[depth] = None if channels is None else channels // block_size**2
    return tuple(dims)


def _depth_to_space(xp: Any, x: Any, *, block_size: int, data_format: Any) -> Any:
    """y[n, h * b + i, w * b + j, c] = x[n, h, w, (i, j, c)]."""
    b, channels_last = block_size, _layout(data_format) == (1, 2, 3)
    shape_rules.check_rank(x, 4, f"Input rank should be: 4 instead of: {np.ndim(x)}")
    x = x if channels_last else xp.moveaxis(x, 1, -1)
    n, h, w, c = x.shape
    if c % (b * b):
        raise invalid(f"Input depth dimension {c} should be divisible by: {b * b}")
    y = xp.reshape(x, (n, h, w, b, b, c // (b * b)))
    y = xp.reshape(xp.transpose(y, (0, 1, 3, 2, 4, 5)), (n, h * b, w * b, c // (b * b)))
    return y if channels_last else xp.moveaxis(y, -1, 1)


def _attrs(op: Any) -> dict[str, Any]:
    return {"block_size": op.attrs["block_size"], "data_format": op.attrs["data_format"]}


SPACE_TO_DEPTH = define(
    "SpaceToDepth", "input: T", "output: T", attrs={"block_size": REQUIRED, "data_format": "NHWC"}, shape=_deepened,
    kernel=_space_to_depth, gradient=lambda op, dy: [apply(DEPTH_TO_SPACE, dy, **_attrs(op))],
)  # fmt: skip

DEPTH_TO_SPACE: OpDef = define(
    "DepthToSpace", "input: T", "output: T", attrs={"block_size": REQUIRED, "data_format": "NHWC"}, shape=_flattened,
    kernel=_depth_to_space, gradient=lambda op, dy: [apply(SPACE_TO_DEPTH, dy, **_attrs(op))],
)  # fmt: skip


def space_to_depth(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Square blocks of an image as channels."""
    return apply(SPACE_TO_DEPTH, input, block_size=block_size, data_format=data_format, name=name)


def depth_to_space(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Channels as square blocks of an image."""
    return apply(DEPTH_TO_SPACE, input, block_size=block_size, data_format=data_format, name=name)
