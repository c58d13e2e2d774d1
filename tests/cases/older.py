"""Ops that TensorFlow has removed, in graphs of their time; and what only graphs in files hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from case_table import Row, between, distinct, normal, spd

from retrograd import tf
from retrograd.graph.stack import default_graph
from retrograd.tf import raw_ops


def then(build: Callable[..., Any]) -> Callable[..., Any]:
    """What is built in a graph of the first version."""

    def built(*inputs: Any) -> Any:
        default_graph().graph_def_versions.producer = 1
        return build(*inputs)

    return built


def _symmetric(x: Any) -> Any:
    return (x + tf.matrix_transpose(x)) / 2


SPD = spd(3)[None]
RIGHT = normal(1, 3, 2)
VOLUMES = normal(1, 3, 4, 3, 2), normal(2, 2, 2, 2, 2, seed=1), normal(1, 3, 4, 3, 2, seed=2)
SPECTRUM = between(1.0, 3.0, 1, 3, 129)
BORDER = np.array(1.0)
BY_VOLUME: dict[str, Any] = {"strides": [1] * 5, "padding": "SAME"}

ROWS = [
    Row("BatchCholesky", then(lambda x: raw_ops.BatchCholesky(_symmetric(x))), (SPD,)),
    Row("BatchMatrixInverse", then(raw_ops.BatchMatrixInverse), (SPD,)),
    Row("BatchMatrixDeterminant", then(raw_ops.BatchMatrixDeterminant), (SPD,)),
    Row("BatchMatrixSolve", then(raw_ops.BatchMatrixSolve), (SPD, RIGHT)),
    Row("BatchMatrixSolveLs", then(lambda a, b: raw_ops.BatchMatrixSolveLs(a, b, 0.3)), (SPD, RIGHT)),
    Row("BatchMatrixTriangularSolve", then(raw_ops.BatchMatrixTriangularSolve), (SPD, RIGHT)),
    Row("BatchSelfAdjointEigV2", then(lambda x: raw_ops.BatchSelfAdjointEigV2(_symmetric(x)).e), (SPD,)),
    Row("BatchSvd", then(lambda x: raw_ops.BatchSvd(x).s), (normal(1, 3, 2),), rounding=1e-8),
    Row("BatchMatrixDiag", then(raw_ops.BatchMatrixDiag), (normal(2, 3),)),
    Row("BatchMatrixDiagPart", then(raw_ops.BatchMatrixDiagPart), (normal(2, 3, 4),)),
    Row("BatchMatrixSetDiag", then(raw_ops.BatchMatrixSetDiag), (normal(2, 3, 4), normal(2, 3, seed=1))),
    Row("BatchMatrixBandPart", then(lambda x: raw_ops.BatchMatrixBandPart(x, 1, 0)), (normal(2, 3, 4),)),
    Row(
        "SelfAdjointEig", then(lambda x: raw_ops.SelfAdjointEig(_symmetric(x))[0]), (spd(3),),
    ),
    Row("BatchSelfAdjointEig", then(lambda x: raw_ops.BatchSelfAdjointEig(_symmetric(x))[:, 0]), (SPD,)),
    Row("CholeskyGrad", raw_ops.CholeskyGrad, (np.linalg.cholesky(spd(3)), normal(3, 3))),
    Row("BatchCholeskyGrad", then(raw_ops.BatchCholeskyGrad), (np.linalg.cholesky(SPD), normal(1, 3, 3))),
    Row("TopK", then(lambda x: raw_ops.TopK(x, 2).values), (distinct(3, 5),)),
    Row("TileGrad", then(lambda x: raw_ops.TileGrad(x, [1, 2, 4])), (normal(2, 6, 4),)),
    Row("DebugGradientIdentity", raw_ops.DebugGradientIdentity, (normal(2, 3),)),
    Row("OnesLike", raw_ops.OnesLike, (normal(2, 3),), orders=0),
    Row("Conv3DBackpropInput", then(lambda *x: raw_ops.Conv3DBackpropInput(*x, **BY_VOLUME)), VOLUMES, still=(0,)),
    Row("Conv3DBackpropFilter", then(lambda *x: raw_ops.Conv3DBackpropFilter(*x, **BY_VOLUME)), VOLUMES, still=(1,)),
    Row("ClipByValue", raw_ops.ClipByValue, (distinct(3, 4), np.array(-0.37), np.array(0.42))),
    Row("MatrixDiagV2", lambda x: raw_ops.MatrixDiagV2(x, [-1, 0], 3, 4, BORDER), (normal(2, 2, 3),)),
    Row("MatrixDiagV2", lambda x: raw_ops.MatrixDiagV2(x, 1, -1, -1, BORDER), (normal(2, 3),), label="one"),
    Row("MatrixDiagPartV2", lambda x: raw_ops.MatrixDiagPartV2(x, [-1, 1], BORDER), (normal(2, 3, 4),)),
    Row("TensorStridedSliceUpdate", lambda x, y: raw_ops.TensorStridedSliceUpdate(x, [1], [3], [1], y),
        (normal(4, 3), normal(2, 3, seed=1))),
    Row("MatrixSetDiagV2", lambda x, y: raw_ops.MatrixSetDiagV2(x, y, [-1, 0]),
        (normal(2, 3, 4), normal(2, 2, 3, seed=1))),
    Row("AudioSpectrogram", lambda x: tf.cast(raw_ops.AudioSpectrogram(tf.cast(x, tf.float32), 8, 4, True), tf.float64),
        (normal(20, 2),), rounding=1e-5, tolerance=1e-2, step=1e-2),
    Row("Mfcc", lambda x: tf.cast(raw_ops.Mfcc(tf.cast(x, tf.float32), 16000), tf.float64), (SPECTRUM,),
        rounding=1e-5, tolerance=2e-2, step=1e-2),
    Row("QuantizeAndDequantizeV3", lambda x: raw_ops.QuantizeAndDequantizeV3(x, BORDER * -3.0, BORDER * 3.0, 16),
        (normal(3, 3) / 2,), step=0.02, tolerance=1e-2, rounding=1e-5),
    Row("QuantizeAndDequantize", then(lambda x: raw_ops.QuantizeAndDequantize(
        x, num_bits=16, range_given=True, input_min=-3.0, input_max=3.0)), (normal(3, 3) / 2,), step=0.02,
        tolerance=1e-2, rounding=1e-5),
]  # fmt: skip
