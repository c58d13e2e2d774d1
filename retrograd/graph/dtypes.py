"""Element types: one ``DType`` object per TensorFlow type, and one per reference to it.

Numbers are those of TensorFlow's ``DataType`` proto; a reference type has its type's number + 100.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

# The module's own ``bool`` is a DType, so annotations say ``Truth`` for Python's.
Truth = builtins.bool

_BY_NUMBER: dict[int, DType] = {}
_BY_ALIAS: dict[Any, DType] = {}  # numbers, names, Python and NumPy types


class DType:
    """The type of the elements of a tensor.

    There is one object per type, so ``is`` compares them.  ``==`` also accepts whatever
    ``as_dtype`` does.

    Attributes:
      name: TensorFlow's name, such as ``float32`` or ``float32_ref``.
      as_datatype_enum: the number in the ``DataType`` proto.
      as_numpy_dtype: the NumPy scalar type; ``object`` for strings.
      np: the same as a ``np.dtype``; ``dtype('O')`` also for resources and variants.
      base, base_dtype: the type without the reference.
      is_ref: whether this is a reference type.
      real_dtype: the type of the real part.
      size: bytes per element.
    """

    __slots__ = (
        "__weakref__",
        "_is_ref_dtype",
        "as_datatype_enum",
        "as_numpy_dtype",
        "base",
        "base_dtype",
        "is_bool",
        "is_complex",
        "is_floating",
        "is_integer",
        "is_numpy_compatible",
        "is_quantized",
        "is_ref",
        "is_unsigned",
        "name",
        "np",
        "real_dtype",
        "size",
    )

    name: str
    as_datatype_enum: int
    as_numpy_dtype: Any
    np: np.dtype[Any]
    base: DType
    base_dtype: DType
    real_dtype: DType
    size: int
    is_ref: Truth
    _is_ref_dtype: Truth
    is_numpy_compatible: Truth
    is_bool: Truth
    is_integer: Truth
    is_floating: Truth
    is_complex: Truth
    is_quantized: Truth
    is_unsigned: Truth

    @property
    def _c_name(self) -> str:
        """The name in messages of kernels, which is that of the ``DataType`` proto in small letters."""
        return {"float16": "half", "float32": "float", "float64": "double"}.get(self.name, self.name)

    def __new__(cls, type_enum: Any) -> DType:
        """The DType of a number of the ``DataType`` proto.

        Raises:
          TypeError: there is no such number.
        """
        dtype = _BY_NUMBER.get(int(type_enum))
        if dtype is None:
            raise TypeError(f"type_enum is not a valid types_pb2.DataType: {int(type_enum)}")
        return dtype

    def __getattr__(self, name: str) -> Any:
        """Fill in what was left open at import: NumPy's view of ``bfloat16``, which needs ml_dtypes."""
        if name not in ("np", "as_numpy_dtype"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if self.base is not bfloat16:
            raise KeyError(self.as_datatype_enum)
        import ml_dtypes

        for dtype in (bfloat16, bfloat16_ref):
            dtype.as_numpy_dtype = ml_dtypes.bfloat16
            dtype.np = np.dtype(ml_dtypes.bfloat16)
        _BY_ALIAS[ml_dtypes.bfloat16] = bfloat16
        return getattr(self, name)

    @property
    def _as_ref(self) -> DType:
        return self if self.is_ref else _BY_NUMBER[self.as_datatype_enum + 100]

    @property
    def min(self) -> Any:
        """The lowest value: a NumPy scalar for floating types, an ``int`` for integers.

        Raises:
          TypeError: the type has no order, or is quantized.
        """
        return self._extreme("minimum")

    @property
    def max(self) -> Any:
        """The highest finite value, in the same form as ``min``.

        Raises:
          TypeError: the type has no order, or is quantized.
        """
        return self._extreme("maximum")

    def _extreme(self, which: str) -> Any:
        if self.is_integer:
            limits: Any = np.iinfo(self.np)
        elif self.base is bfloat16:
            import ml_dtypes

            limits = ml_dtypes.finfo(self.np)  # type: ignore[no-untyped-call]
        elif self.is_floating:
            limits = np.finfo(self.np)
        else:
            raise TypeError(f"Cannot find {which} value of {self}.")
        return limits.min if which == "minimum" else limits.max

    @property
    def limits(self) -> tuple[int, int]:
        """The intensities that an image of this type may hold, negative ones left out.

        Raises:
          KeyError: images are not kept in this type.
        """
        return 0, dtype_range[self.as_numpy_dtype][1]

    def is_compatible_with(self, other: Any) -> Truth:
        """Whether ``other`` is this type or a reference to it."""
        other = as_dtype(other)
        return self is other or self is other.base

    def __eq__(self, other: object) -> Truth:
        return self is other or (other.__class__ is not DType and _find(other) is self)

    def __hash__(self) -> int:
        return self.as_datatype_enum

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __reduce__(self) -> tuple[Callable[[Any], DType], tuple[str]]:
        return as_dtype, (self.name,)


def _define(number: int, name: str, numpy_type: Any = None, *, size: int | None = None) -> tuple[DType, DType]:
    """The DType of this number and the reference to it, entered under all their aliases."""
    kind = "" if numpy_type is None else np.dtype(numpy_type).kind
    dtype, ref = object.__new__(DType), object.__new__(DType)
    for each, is_ref in ((dtype, False), (ref, True)):
        each.name = f"{name}_ref" if is_ref else name
        each.as_datatype_enum = number + 100 * is_ref
        each.base = each.base_dtype = dtype
        each.real_dtype = each
        each.is_ref = each._is_ref_dtype = is_ref
        each.is_numpy_compatible = name not in ("resource", "variant")
        each.is_bool = kind == "b"
        each.is_integer = kind in ("i", "u")
        each.is_unsigned = kind == "u"
        each.is_floating = kind == "f" or name == "bfloat16"
        each.is_complex = kind == "c"
        each.is_quantized = kind == "V"
        each.size = np.dtype(numpy_type).itemsize if size is None else size
        if numpy_type is not None:
            each.as_numpy_dtype = numpy_type
            each.np = each.as_numpy_dtype[0] if kind == "V" else np.dtype(numpy_type)
        elif not each.is_numpy_compatible:
            each.np = np.dtype(object)
        _BY_NUMBER[each.as_datatype_enum] = each
        _BY_ALIAS[each.as_datatype_enum] = _BY_ALIAS[each.name] = each
    if numpy_type is not None:
        _BY_ALIAS[numpy_type if kind == "V" else np.dtype(numpy_type).type] = dtype
    return dtype, ref


# Quantized numbers are structured scalars of one field, and so unlike any plain number; inside they are integers.
np_qint8 = np.dtype([("qint8", np.int8)])
np_quint8 = np.dtype([("quint8", np.uint8)])
np_qint16 = np.dtype([("qint16", np.int16)])
np_quint16 = np.dtype([("quint16", np.uint16)])
np_qint32 = np.dtype([("qint32", np.int32)])
np_resource = np.dtype([("resource", np.ubyte)])

float32, float32_ref = _define(1, "float32", np.float32)
float64, float64_ref = _define(2, "float64", np.float64)
int32, int32_ref = _define(3, "int32", np.int32)
uint8, uint8_ref = _define(4, "uint8", np.uint8)
int16, int16_ref = _define(5, "int16", np.int16)
int8, int8_ref = _define(6, "int8", np.int8)
string, string_ref = _define(7, "string", object)
complex64, complex64_ref = _define(8, "complex64", np.complex64)
int64, int64_ref = _define(9, "int64", np.int64)
bool, bool_ref = _define(10, "bool", builtins.bool)
qint8, qint8_ref = _define(11, "qint8", np_qint8)
quint8, quint8_ref = _define(12, "quint8", np_quint8)
qint32, qint32_ref = _define(13, "qint32", np_qint32)
bfloat16, bfloat16_ref = _define(14, "bfloat16", size=2)
qint16, qint16_ref = _define(15, "qint16", np_qint16)
quint16, quint16_ref = _define(16, "quint16", np_quint16)
uint16, uint16_ref = _define(17, "uint16", np.uint16)
complex128, complex128_ref = _define(18, "complex128", np.complex128)
float16, float16_ref = _define(19, "float16", np.float16)
resource, resource_ref = _define(20, "resource", size=1)
variant, variant_ref = _define(21, "variant", size=1)
uint32, uint32_ref = _define(22, "uint32", np.uint32)
uint64, uint64_ref = _define(23, "uint64", np.uint64)

half, half_ref = float16, float16_ref
double, double_ref = float64, float64_ref
complex64.real_dtype = complex64_ref.real_dtype = float32
complex128.real_dtype = complex128_ref.real_dtype = float64

_BY_ALIAS |= {
    "half": half, "half_ref": half_ref,
    "float": float32, "float_ref": float32_ref,
    "double": double, "double_ref": double_ref,
    float: float32, builtins.bool: bool, object: string,
    np.bytes_: string, np.str_: string,
    np.longlong: int64, np.ulonglong: uint64,
}  # fmt: skip

QUANTIZED_DTYPES = frozenset(d for d in _BY_NUMBER.values() if d.is_quantized)
# What a TensorProto can carry.
TF_VALUE_DTYPES = frozenset(d for d in _BY_NUMBER.values() if d.is_numpy_compatible and not d.is_ref)

# NumPy type -> the intensities of an image: integers span their type, floats [-1, 1].
dtype_range: dict[Any, tuple[int, int]] = {
    np.bool_: (False, True),
    np.float32: (-1, 1),
    np.float64: (-1, 1),
} | {d.as_numpy_dtype: (d.min, d.max) for d in _BY_NUMBER.values() if d.is_integer}


def type_word(dtype: DType) -> str:
    """The name of a dtype as the messages of TensorFlow's kernels have it: ``float`` for ``float32``."""
    return dtype.base_dtype._c_name + "_ref" * dtype.is_ref


def as_dtype(type_value: Any) -> DType:
    """The DType that ``type_value`` names: a DType, its name or number, a NumPy dtype or a Python type.

    >>> as_dtype("float32"), as_dtype(np.int64), as_dtype(float)
    (tf.float32, tf.int64, tf.float32)

    Raises:
      TypeError: it names none.  ``int`` and ``str`` do not: TensorFlow leaves their width open.
    """
    if type_value.__class__ is DType:
        return type_value
    dtype = _find(type_value)
    return _refuse(type_value) if dtype is None else dtype


def _find(value: Any) -> DType | None:
    """The DType that ``value`` names, or None."""
    key = value.type if isinstance(value, np.dtype) and value.names is None else value
    try:
        dtype = _BY_ALIAS.get(key)
    except TypeError:  # unhashable
        return None
    # An array of bfloat16 can come from JAX before anyone here has asked for NumPy's view of it; another
    # thread may be in the middle of importing it.
    if dtype is None and key is not None and key is getattr(sys.modules.get("ml_dtypes"), "bfloat16", None):
        return bfloat16
    return dtype


_LIKELY_MEANT = {
    int: "tf.int32", "int": "tf.int32", complex: "tf.complex64", "complex": "tf.complex64",
    str: "tf.string", "str": "tf.string", bytes: "tf.string", "bytes": "tf.string",
}  # fmt: skip


def _refuse(value: Any) -> NoReturn:
    from retrograd.graph.errors import nearest

    error = TypeError(f"Cannot convert value {value!r} to a TensorFlow DType.")
    meant = _LIKELY_MEANT.get(value) if isinstance(value, (str, type)) else None
    if meant is None and isinstance(value, str):
        similar = nearest(value, [d.name for d in TF_VALUE_DTYPES])
        meant = similar and f"tf.{similar}"
    error.add_note(f"  Fix:   {meant or 'pass a dtype such as tf.float32'}")
    raise error
