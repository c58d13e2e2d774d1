"""Ops that look at arrays, reshape, join, cut, reorder or repeat them."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, normal

from retrograd import tf
from retrograd.tf import raw_ops

X = (normal(2, 3),)
CUBE = (normal(2, 3, 4),)
TWO = (normal(2, 3), normal(2, 3, seed=1))
IMAGES = (normal(2, 4, 2, 3),)
DEEP = (normal(1, 2, 1, 8),)
BATCHES = (normal(8, 2, 1, 2),)
TEXT = np.array([[b"a", b"bc"], [b"", b"d"]], object)
PADDINGS = [[1, 0], [1, 2]]
WHOLE = np.array([[3, 1], [2, 2]], np.int32)


def swapped_conjugate(x: Any, y: Any) -> Any:
    z = tf.transpose(tf.complex(x, y), conjugate=True)
    return [tf.real(z), tf.imag(z)]


def cut(x: Any) -> Any:
    """A range, a stride, a new axis, one place, and the rest."""
    return x[::-1, tf.newaxis, ..., 1:3]


def cut_gradient(dy: Any) -> Any:
    return raw_ops.StridedSliceGrad([4, 5], [0, 1], [4, 5], [1, 2], dy)


ROWS = [
    # looking
    Row("Shape", tf.shape, X, orders=0),
    Row("Shape", lambda x: tf.shape(x, out_type=tf.int64), (TEXT,), orders=0, traced=False, label="of text"),
    Row("ShapeN", lambda x, y: tf.shape_n([x, y]), (WHOLE, WHOLE[0]), orders=0),
    Row("Size", tf.size, X, orders=0),
    Row("Rank", tf.rank, X, orders=0),
    Row("StopGradient", tf.stop_gradient, X, orders=0),
    Row("GuaranteeConst", tf.guarantee_const, X),
    Row("ZerosLike", lambda x: tf.zeros_like(x, optimize=False), X, orders=0),
    Row("Bitcast", lambda x: tf.bitcast(x, tf.int64), X, orders=0),
    Row("Bitcast", lambda x: tf.cast(tf.bitcast(x, tf.float32), tf.float64), X, orders=0, label="of halves"),
    Row("Bitcast", lambda x: tf.bitcast(x, tf.int8), (WHOLE,), orders=0, label="of smaller parts"),
    Row("PreventGradient", raw_ops.PreventGradient, X, orders=0),  # its rule is an error
    Row("CheckNumerics", lambda x: tf.check_numerics(x, "no"), X),
    Row("Print", lambda x: tf.Print(x, []), X, traced=False),
    Row("EnsureShape", lambda x: tf.ensure_shape(x, [None, 3]), X),
    # shapes
    Row("Reshape", lambda x: tf.reshape(x, [3, -1]), X),
    Row("Reshape", tf.reshape, (*X, np.array([6, 1])), label="given"),
    Row("ExpandDims", lambda x: tf.expand_dims(x, -2), X),
    Row("Squeeze", tf.squeeze, (normal(2, 1, 3, 1),)),
    Row("Squeeze", lambda x: tf.squeeze(x, [-1]), (normal(2, 1, 3, 1),), label="of one axis"),
    Row("BroadcastTo", lambda x: tf.broadcast_to(x, [2, 4, 3]), (normal(2, 1, 3),)),
    Row("BroadcastArgs", raw_ops.BroadcastArgs, (np.array([2, 1, 3]), np.array([4, 1])), orders=0),
    Row("BroadcastGradientArgs", raw_ops.BroadcastGradientArgs, (np.array([2, 1]), np.array([4])), orders=0),
    # joining
    Row("Pack", lambda x, y: tf.stack([x, y], axis=-1), TWO),
    Row("Unpack", lambda x: tf.unstack(x, 3, axis=1), X),
    Row("ParallelConcat", lambda x: raw_ops.ParallelConcat([x, x], [4, 3]), X, shapes=False),
    Row("ConcatV2", lambda x, y: tf.concat([x, y, x], -1), (normal(2, 3), normal(2, 1))),
    Row("ConcatV2", lambda x: tf.concat([x, x], 1), (TEXT,), orders=0, traced=False, label="of text"),
    Row("Concat", lambda x, y: raw_ops.Concat(concat_dim=1, values=[x, y]), (normal(2, 3), normal(2, 1))),
    Row("ConcatOffset", lambda x, y: raw_ops.ConcatOffset(1, [x, y]), (np.int32([2, 3]), np.int32([2, 1])), orders=0),
    Row("Split", lambda x: tf.split(x, 2, axis=-1), CUBE),
    Row("SplitV", lambda x: tf.split(x, [1, -1], axis=1), CUBE),
    Row("SplitV", lambda x: tf.split(x, [1, 2], axis=1), X, label="of given sizes"),
    # cutting
    Row("Slice", lambda x: tf.slice(x, [0, 1], [2, -1]), X),
    Row("Slice", tf.slice, (*X, np.int32([1, 1]), np.int32([1, 2])), label="given"),
    Row("StridedSlice", cut, CUBE),
    Row("StridedSlice", lambda x: x[1, :2], X, label="of one row"),
    Row("StridedSliceGrad", cut_gradient, (normal(4, 2),)),
    # padding
    Row("Pad", lambda x: tf.pad(x, PADDINGS), X),
    Row("PadV2", lambda x: tf.pad(x, PADDINGS, constant_values=1.5), X),
    Row("PadV2", lambda x, c: raw_ops.PadV2(x, PADDINGS, c), (*X, np.float64(1.5)), still=(1,), label="given a value"),
    Row("MirrorPad", lambda x: tf.pad(x, PADDINGS, "REFLECT"), X),
    Row("MirrorPad", lambda x: tf.pad(x, PADDINGS, "SYMMETRIC"), X, label="with edge"),
    Row("MirrorPadGrad", lambda dy: raw_ops.MirrorPadGrad(dy, PADDINGS, "REFLECT"), (normal(3, 6),)),
    Row(
        "MirrorPadGrad", lambda dy: raw_ops.MirrorPadGrad(dy, PADDINGS, "SYMMETRIC"), (normal(3, 6),), label="with edge"
    ),
    # order
    Row("Transpose", lambda x: tf.transpose(x, [2, 0, 1]), CUBE),
    Row("ConjugateTranspose", swapped_conjugate, TWO),
    Row("InvertPermutation", tf.invert_permutation, (np.array([2, 0, 1], np.int32),), orders=0),
    Row("ReverseV2", lambda x: tf.reverse(x, [0, -1]), CUBE),
    Row("Reverse", lambda x: raw_ops.Reverse(x, [True, False]), X),
    Row("ReverseSequence", lambda x: tf.reverse_sequence(x, [3, 1], seq_axis=1), CUBE),
    Row("Roll", lambda x: tf.roll(x, [1, -1], [0, 1]), X),
    # blocks
    Row("SpaceToBatchND", lambda x: tf.space_to_batch_nd(x, [2, 2], [[0, 0], [1, 1]]), IMAGES),
    Row("BatchToSpaceND", lambda x: tf.batch_to_space_nd(x, [2, 2], [[0, 1], [0, 0]]), BATCHES),
    Row("SpaceToBatch", lambda x: raw_ops.SpaceToBatch(x, [[0, 0], [1, 1]], 2), IMAGES),
    Row("BatchToSpace", lambda x: raw_ops.BatchToSpace(x, [[0, 1], [0, 0]], 2), BATCHES),
    Row("SpaceToDepth", lambda x: tf.space_to_depth(x, 2), IMAGES),
    Row("DepthToSpace", lambda x: tf.depth_to_space(x, 2), DEEP),
    # repeating
    Row("Tile", lambda x: tf.tile(x, [2, 3]), X),
    Row("Tile", tf.tile, (*X, np.array([2, 1])), label="given"),
    # sequences
    Row("Range", lambda n: tf.range(1, n, 2), (np.int32(8),), orders=0, traced=False),
    Row("LinSpace", lambda x: tf.linspace(x, 2.0 * x, 5), (np.float64(1.5),), orders=0),
]
