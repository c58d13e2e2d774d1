"""The ops that TensorFlow's own tests of its graphs build: nodes of every kind of signature.

They are known once this module is imported.  Most have no kernel: they are only ever built.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, versions
from retrograd.graph.definition import REQUIRED, Effect, define
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor

_SIGNATURES = """
A: -> out: float32
AttrBool: ->
AttrBoolList: ->
AttrFloat: ->
AttrPartialShape: ->
AttrPartialShapeList: ->
AttrShape: ->
AttrShapeList: ->
Attr: ->
AttrTypeDefault: a: T ->
AttrListTypeDefault: a: N*T, b: N*T ->
B: -> out: float32
Binary: a: T, b: T -> out: T
ComplexStruct: -> a: n_a*int32, b: n_b*int64, c: *t_c
CopyOp: a: T -> b: T
FiveFloatOutputs: -> a: float32, b: float32, c: float32, d: float32, e: float32
FloatInput: a: float32 ->
FloatOutput: -> a: float32
FloatOutputStringOutput: -> a: float32, b: string
Foo1: a: float32, b: int32, c: int32 -> d: float32, e: int32
Foo2: a: float32, b: string, c: string -> d: float32, e: int32
Foo3: a: float32, b: string, c: float32 -> d: float32, e: int32
InPolymorphicTwice: a: N*T, b: M*T ->
Int64Output: -> out: int64
IntInput: a: int32 ->
IntInputFloatInput: a: int32, b: float32 ->
IntInputIntOutput: a: int32 -> b: int32
IntOutput: -> a: int32
IntOutputFloatOutput: -> a: int32, b: float32
ListInput: a: N*T ->
ListOutput: -> a: *T
MixedStruct: -> a: n_a*int32, b: float32
NInPolymorphicTwice: a: N*T, b: N*T ->
NInTwice: a: N*int32, b: N*string ->
NInTwoTypeVariables: a: N*S, b: N*T ->
None: ->
OpWithFutureDefaultAttr: ->
OutT: -> a: T
OutTypeList: -> out: *T
Polymorphic: a: T -> out: T
PolymorphicOut: -> out: T
RefIn: a: ref T ->
RefInputFloatInput: a: ref float32, b: float32 ->
RefInputFloatInputIntOutput: a: ref float32, b: float32 -> c: int32
RefInputIntInput: a: ref int32, b: int32 ->
RefOut: -> a: ref T
RefOutput: -> a: ref int32
RefOutputFloatOutput: -> a: ref float32, b: float32
ReservedInput: input: int32 ->
Simple: a: int32 -> out: float32
SimpleStruct: -> a: n_a*int32
TestStringOutput: input: float32 -> output1: float32, output2: string
TwoFloatInputs: a: float32, b: float32 ->
TwoFloatInputsFloatOutput: a: float32, b: float32 -> c: float32
TwoFloatInputsIntOutput: a: float32, b: float32 -> c: int32
TwoFloatOutputs: -> a: float32, b: float32
TwoIntInputs: a: int32, b: int32 ->
TwoIntOutputs: -> a: int32, b: int32
TwoRefsIn: a: ref T, b: ref T ->
TypeList: a: *T ->
TypeListTwice: a: *T, b: *T ->
Unary: a: T -> b: T
"""

_REQUIRED_ATTRS = ("Attr", "AttrBool", "AttrBoolList", "AttrFloat", "AttrPartialShape", "AttrPartialShapeList",
                   "AttrShape", "AttrShapeList")  # fmt: skip
_ATTRS: dict[str, dict[str, Any]] = {
    **{op: {"a": REQUIRED} for op in _REQUIRED_ATTRS},
    "AttrTypeDefault": {"T": dtypes.int32},
    "AttrListTypeDefault": {"T": dtypes.int32},
}

for _line in _SIGNATURES.split("\n")[1:-1]:
    _name, _signature = _line.split(":", 1)
    _inputs, _outputs = _signature.split("->")
    define(_name, _inputs.strip(), _outputs.strip(), attrs=_ATTRS.get(_name))

define("AttrDefault", "", "", attrs={"a": b"banana"})
define("AttrListDefault", "", "", attrs={"a": [5, 15]})
define("IntAttr", "", "out: int64", attrs={"foo": 1})
define("OpWithDefaultAttr", "", "a: int32", attrs={"default_float": 123.0})
define("PolymorphicDefaultOut", "", "out: T", attrs={"T": dtypes.string})
define("Restrict", "a: T", "out: T", types={"T": [dtypes.string, dtypes.bool]})
define("StringListAttr", "", "", attrs={"a": REQUIRED, "b": REQUIRED})
define("TestAttr", "", "out: T", types={"T": [dtypes.float32, dtypes.float64]})
define("ReservedAttr", "", "", attrs={"range": REQUIRED})
define(
    "DefaultAttrs",
    "",
    "",
    attrs={
        "string_val": b"abc",
        "string_list_val": [b"abc", b""],
        "int_val": 123,
        "int_list_val": [1, 2, 3],
        "float_val": 10.0,
        "float_list_val": [10.0],
        "bool_val": True,
        "bool_list_val": [True, False],
        "type_val": dtypes.int32,
        "type_list_val": [dtypes.int32, dtypes.float32],
        "shape_val": TensorShape([2, 1]),
        "shape_list_val": [TensorShape([]), TensorShape([1])],
        "tensor_val": np.array(1, np.int32),
        "tensor_list_val": [np.array(1, np.int32)],
    },
)


def _scalar(*inputs: Tensor) -> tuple[int, ...]:
    return ()


# -- ops that run ------------------------------------------------------------------------------


def _version_kernel(xp: Any) -> Any:
    return np.int32(versions.GRAPH_DEF_VERSION)


define("GraphDefVersion", "", "version: int32", shape=_scalar, kernel=_version_kernel)


def _label_kernel(xp: Any) -> Any:
    return np.array(b"My label is: default", dtype=object)


define("KernelLabel", "", "result: string", shape=_scalar, kernel=_label_kernel)


def _vector(x: Tensor) -> tuple[int, ...]:
    if x.rank not in (None, 1):
        raise ValueError(f"Shape must be rank 1 but is rank {x.rank}")
    return ()


define("KernelLabelRequired", "input: int32", "result: string", shape=_vector)


def _nothing(xp: Any) -> list[Any]:
    return []


define("Old", "", "", shape=list, kernel=_nothing, removed=(8, "For reasons"))


class _Resource:
    """What a handle stands for: whether it was created."""

    def __init__(self) -> None:
        self.created = False


def _handle_kernel(xp: Any, own: dict[str, Any]) -> Any:
    handle = np.empty((), dtype=object)
    handle[()] = own.setdefault("resource", _Resource())
    return handle


def _create_kernel(xp: Any, own: dict[str, Any], resource: Any) -> list[Any]:
    resource.item().created = True
    return []


def _initialized_kernel(xp: Any, own: dict[str, Any], resource: Any) -> Any:
    return np.bool_(resource.item().created)


define(
    "StubResourceHandleOp",
    "",
    "resource: resource",
    attrs={"container": b"", "shared_name": b""},
    shape=_scalar,
    kernel=_handle_kernel,
    effect=Effect.HOST,
)
define("ResourceCreateOp", "resource: resource", "", kernel=_create_kernel, effect=Effect.HOST)
define(
    "ResourceInitializedOp",
    "resource: resource",
    "initialized: bool",
    shape=_scalar,
    kernel=_initialized_kernel,
    effect=Effect.HOST,
)
