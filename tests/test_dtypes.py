"""DTypes against what TensorFlow 1.15.5 printed for each of its own."""

from __future__ import annotations

import builtins
import copy
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType, as_dtype

# number, name, NumPy type, size, flags, min, max
RECORDED = [
    (1, "float32", np.float32, 4, "floating", "-3.4028235e+38", "3.4028235e+38"),
    (2, "float64", np.float64, 8, "floating", "-1.7976931348623157e+308", "1.7976931348623157e+308"),
    (3, "int32", np.int32, 4, "integer", "-2147483648", "2147483647"),
    (4, "uint8", np.uint8, 1, "integer unsigned", "0", "255"),
    (5, "int16", np.int16, 2, "integer", "-32768", "32767"),
    (6, "int8", np.int8, 1, "integer", "-128", "127"),
    (7, "string", object, 8, "", None, None),
    (8, "complex64", np.complex64, 8, "complex", None, None),
    (9, "int64", np.int64, 8, "integer", "-9223372036854775808", "9223372036854775807"),
    (10, "bool", bool, 1, "bool", None, None),
    (11, "qint8", [("qint8", "i1")], 1, "quantized", None, None),
    (12, "quint8", [("quint8", "u1")], 1, "quantized", None, None),
    (13, "qint32", [("qint32", "<i4")], 4, "quantized", None, None),
    (14, "bfloat16", "bfloat16", 2, "floating", "-3.38953e+38", "3.38953e+38"),
    (15, "qint16", [("qint16", "<i2")], 2, "quantized", None, None),
    (16, "quint16", [("quint16", "<u2")], 2, "quantized", None, None),
    (17, "uint16", np.uint16, 2, "integer unsigned", "0", "65535"),
    (18, "complex128", np.complex128, 16, "complex", None, None),
    (19, "float16", np.float16, 2, "floating", "-6.55e+04", "6.55e+04"),
    (20, "resource", None, 1, "", None, None),
    (21, "variant", None, 1, "", None, None),
    (22, "uint32", np.uint32, 4, "integer unsigned", "0", "4294967295"),
    (23, "uint64", np.uint64, 8, "integer unsigned", "0", "18446744073709551615"),
]
NAMES = [row[1] for row in RECORDED]
FLAGS = ("bool", "integer", "floating", "complex", "quantized", "unsigned")


def exactly(message):
    """A pattern for this message and no other."""
    return f"^{re.escape(message)}$"


@pytest.mark.smoke
@pytest.mark.parametrize("is_ref", [False, True])
@pytest.mark.parametrize(("number", "name", "numpy_type", "size", "flags", "low", "high"), RECORDED, ids=NAMES)
def test_a_dtype_is_as_recorded(number, name, numpy_type, size, flags, low, high, is_ref):
    base = getattr(dtypes, name)
    dtype = getattr(dtypes, f"{name}_ref") if is_ref else base
    assert dtype.name == (f"{name}_ref" if is_ref else name)
    assert dtype.as_datatype_enum == (number + 100 if is_ref else number)
    assert dtype.base is dtype.base_dtype is base
    assert dtype.is_ref is dtype._is_ref_dtype is is_ref
    assert dtype._as_ref is getattr(dtypes, f"{name}_ref")
    assert dtype.size == size
    assert dtype.is_numpy_compatible is (name not in ("resource", "variant"))
    assert {flag for flag in FLAGS if getattr(dtype, f"is_{flag}")} == set(flags.split())
    assert repr(dtype) == f"tf.{dtype.name}"
    assert str(dtype) == f"<dtype: '{dtype.name}'>"
    assert hash(dtype) == dtype.as_datatype_enum
    if name not in ("resource", "variant", "bfloat16"):
        assert dtype.as_numpy_dtype == numpy_type
        assert dtype.np == (np.dtype(numpy_type)[0] if "quantized" in flags else np.dtype(numpy_type))
    if low is not None:
        assert (str(dtype.min), str(dtype.max)) == (low, high)


@pytest.mark.parametrize("name", [row[1] for row in RECORDED if row[5] is None])
def test_an_unordered_dtype_has_no_extremes(name):
    dtype = as_dtype(name)
    with pytest.raises(TypeError, match=exactly(f"Cannot find minimum value of <dtype: '{name}'>.")):
        dtype.min  # noqa: B018
    with pytest.raises(TypeError, match=exactly(f"Cannot find maximum value of <dtype: '{name}'>.")):
        dtype.max  # noqa: B018


def test_extremes_are_numpy_scalars_of_floats_and_python_integers():
    assert type(dtypes.float32.min) is np.float32
    assert type(dtypes.float16.max) is np.float16
    assert type(dtypes.int8.min) is int
    assert dtypes.bfloat16.min.dtype == dtypes.bfloat16.np
    assert float(dtypes.bfloat16.max) == float.fromhex("0x1.FEp127")


def test_limits_are_those_of_an_image():
    recorded = {
        "float32": 1, "float64": 1, "uint8": 255, "int8": 127, "int16": 32767, "uint16": 65535,
        "int32": 2147483647, "uint32": 4294967295,
        "int64": 9223372036854775807, "uint64": 18446744073709551615,
    }  # fmt: skip
    for name in NAMES:
        if name in recorded:
            assert as_dtype(name).limits == (0, recorded[name])
        else:
            with pytest.raises(KeyError):
                as_dtype(name).limits  # noqa: B018


def test_real_dtype():
    assert dtypes.complex64.real_dtype is dtypes.complex64_ref.real_dtype is dtypes.float32
    assert dtypes.complex128.real_dtype is dtypes.float64
    assert dtypes.float32_ref.real_dtype is dtypes.float32_ref
    assert dtypes.string.real_dtype is dtypes.string


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (float, "float32"), (bool, "bool"), (object, "string"),
        ("float", "float32"), ("double", "float64"), ("half", "float16"), ("string", "string"),
        ("float32_ref", "float32_ref"), ("double_ref", "float64_ref"), ("half_ref", "float16_ref"),
        ("float_ref", "float32_ref"), ("bfloat16", "bfloat16"), ("resource_ref", "resource_ref"),
        ("qint8", "qint8"), (np.dtype("S5"), "string"), (np.dtype("S"), "string"),
        (np.dtype("U3"), "string"), (np.dtype("O"), "string"),
        (np.str_, "string"), (np.bytes_, "string"), (np.object_, "string"), (np.bool_, "bool"),
        (np.float32, "float32"), (np.dtype(">f4"), "float32"), (np.dtype(">i8"), "int64"),
        (np.longlong, "int64"), (np.ulonglong, "uint64"), (np.intc, "int32"), (np.dtype("bool"), "bool"),
        (dtypes.np_qint8, "qint8"), (dtypes.np_quint8, "quint8"), (dtypes.np_qint16, "qint16"),
        (dtypes.np_quint16, "quint16"), (dtypes.np_qint32, "qint32"),
        (1, "float32"), (19, "float16"), (101, "float32_ref"), (np.int64(3), "int32"),
    ],
)  # fmt: skip
def test_what_names_a_dtype(value, name):
    assert as_dtype(value) is getattr(dtypes, name)
    assert getattr(dtypes, name) == value


@pytest.mark.parametrize(
    "value",
    [
        int, str, bytes, complex, list, dict, type(None), range, None, 0, 999, 2.5, object(), (1, 2), [1],
        {}, b"float32", "int", "str", "bogus", "f4", "<f4", "i", "d", "?", "S", "O", "U", "float128",
        "complex", "object", "uint", np.array(3), np.dtype("M8[s]"), np.datetime64, np.longdouble,
        np.number, np.floating, np.generic, np.void,
        dtypes.np_resource, np.dtype([("x", np.int8)]),
    ],
    ids=lambda value: repr(value).split(" at 0x")[0],
)  # fmt: skip
def test_what_names_no_dtype(value):
    with pytest.raises(TypeError) as caught:
        as_dtype(value)
    assert str(caught.value) == f"Cannot convert value {value!r} to a TensorFlow DType."
    assert dtypes.float32 != value


@pytest.mark.parametrize(
    ("value", "fix"),
    [
        (int, "tf.int32"),
        ("str", "tf.string"),
        ("flaot32", "tf.float32"),
        ("Int64", "tf.int64"),
        (None, "pass a dtype such as tf.float32"),
    ],
)
def test_the_error_ends_with_what_to_type(value, fix):
    with pytest.raises(TypeError) as caught:
        as_dtype(value)
    assert caught.value.__notes__ == [f"  Fix:   {fix}"]


def test_equality_is_identity_after_conversion():
    assert dtypes.float32 == dtypes.float32
    assert dtypes.float32 != dtypes.float32_ref
    assert dtypes.float32 != dtypes.int32
    assert dtypes.float32 != None  # noqa: E711
    assert (dtypes.float32 == "bogus") is False
    assert "float32" == dtypes.float32  # noqa: SIM300
    assert dtypes.half is dtypes.float16
    assert dtypes.double is dtypes.float64


def test_compatibility_is_one_way():
    assert dtypes.float32.is_compatible_with("float32")
    assert dtypes.float32.is_compatible_with(dtypes.float32_ref)
    assert not dtypes.float32_ref.is_compatible_with(dtypes.float32)
    with pytest.raises(TypeError, match="Cannot convert value 'bogus'"):
        dtypes.float32.is_compatible_with("bogus")


@pytest.mark.parametrize("name", ["float32", "string_ref", "bfloat16", "resource"])
def test_a_copy_is_the_same_object(name):
    dtype = as_dtype(name)
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.copy(dtype) is dtype
    assert copy.deepcopy({"a": [dtype]})["a"][0] is dtype


def test_a_number_gives_the_one_object():
    assert DType(1) is dtypes.float32
    assert DType(101) is dtypes.float32_ref
    for number in (0, 200, 999):
        with pytest.raises(TypeError, match=exactly(f"type_enum is not a valid types_pb2.DataType: {number}")):
            DType(number)
    with pytest.raises(ValueError, match="invalid literal for int"):
        DType("float32")


def test_a_dtype_is_no_number():
    with pytest.raises(TypeError):
        int(dtypes.int32)
    with pytest.raises(TypeError):
        sorted([dtypes.int32, dtypes.float32])


def test_the_sets_of_dtypes():
    quantized = {"qint8", "quint8", "qint16", "quint16", "qint32"}
    assert {d.name for d in dtypes.QUANTIZED_DTYPES} == quantized | {f"{name}_ref" for name in quantized}
    assert {d.name for d in dtypes.TF_VALUE_DTYPES} == set(NAMES) - {"resource", "variant"}


def test_handles_have_no_numpy_type_but_travel_as_objects():
    with pytest.raises(KeyError, match="20"):
        dtypes.resource.as_numpy_dtype  # noqa: B018
    assert dtypes.variant.np == np.dtype(object)
    with pytest.raises(AttributeError, match="'DType' object has no attribute 'shape'"):
        dtypes.float32.shape  # noqa: B018


def test_bfloat16_is_numpys_only_when_asked():
    program = (
        "import sys\n"
        "from retrograd.graph import dtypes\n"
        "assert dtypes.bfloat16.size == 2 and dtypes.bfloat16.is_floating and dtypes.bfloat16 != 'bogus'\n"
        "assert 'ml_dtypes' not in sys.modules\n"
        "import ml_dtypes, numpy as np\n"
        "assert dtypes.as_dtype(np.dtype(ml_dtypes.bfloat16)) is dtypes.bfloat16\n"
        "assert dtypes.as_dtype(ml_dtypes.bfloat16) is dtypes.bfloat16\n"
        "assert dtypes.bfloat16_ref.as_numpy_dtype is ml_dtypes.bfloat16\n"
        "assert dtypes.bfloat16.np == np.dtype(ml_dtypes.bfloat16)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_module_keeps_pythons_bool():
    assert isinstance(dtypes.bool, DType)
    assert type(dtypes.float32.is_ref) is builtins.bool
