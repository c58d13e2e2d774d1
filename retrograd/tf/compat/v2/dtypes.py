"""The names of ``tensorflow.compat.v2.dtypes``."""

from retrograd.faces import missing
from retrograd.graph.dtypes import (
    QUANTIZED_DTYPES,
    DType,
    as_dtype,
    bfloat16,
    bool,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    qint8,
    qint16,
    qint32,
    quint8,
    quint16,
    resource,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
    variant,
)
from retrograd.ragged.dispatching import cast, saturate_cast
from retrograd.ragged.dispatching import complex_ as complex

__getattr__ = missing(__name__)
