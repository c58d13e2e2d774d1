"""Groups of dtypes that type attributes allow, in the order in which error messages list them."""

from retrograd.graph.dtypes import (
    bfloat16,
    bool,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    qint8,
    qint16,
    qint32,
    quint8,
    quint16,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)

FLOATING = (bfloat16, float16, float32, float64)
COMPLEX = (complex64, complex128)
INEXACT = FLOATING + COMPLEX
INDEX = (int32, int64)
REAL = (float32, float64, int32, uint8, int16, int8, int64, bfloat16, uint16, float16, uint32, uint64)
NUMERIC = (
    float32, float64, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
    uint16, complex128, float16, uint32, uint64,
)  # fmt: skip
PRECISE = (float32, float64)
SIGNED = (*FLOATING, int32, int64, *COMPLEX)
ARITHMETIC = (*FLOATING, uint8, int8, uint16, int16, int32, int64, *COMPLEX)
NO_NAN = (float16, float32, float64, *COMPLEX)
EQUATABLE = (
    bfloat16, float16, float32, float64, uint8, int8, int16, int32, int64, complex64, quint8, qint8,
    qint32, string, bool, complex128,
)  # fmt: skip
ADDABLE = (*FLOATING, uint8, int8, int16, int32, int64, *COMPLEX, string)
INTEGERS = (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
QUANTIZED = (qint8, quint8, qint16, quint16, qint32)
BITCAST = (
    bfloat16, float16, float32, float64, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64,
    complex128, qint8, quint8, qint16, quint16, qint32,
)  # fmt: skip
