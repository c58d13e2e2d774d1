"""Which ops have kernels, as messages."""

from __future__ import annotations

from functools import cache
from typing import Any

from retrograd.files.messages import classes_of
from retrograd.graph.definition import REGISTRY, OpDef, import_every_op

_MESSAGES: dict[str, list[tuple[str, int, str]]] = {
    "AttrConstraint": [("name", 1, "string"), ("allowed_values", 2, "AttrValue")],
    "KernelDef": [
        ("op", 1, "string"),
        ("device_type", 2, "string"),
        ("constraint", 3, "*AttrConstraint"),
        ("host_memory_arg", 4, "*string"),
        ("label", 5, "string"),
        ("priority", 6, "int32"),
    ],
    "KernelList": [("kernel", 1, "*KernelDef")],
}


@cache
def _kernel_list_class() -> Any:
    from tensorboard.compat.proto.attr_value_pb2 import AttrValue

    found = classes_of(_MESSAGES, "retrograd", {"AttrValue": AttrValue}, file="retrograd/kernel_def.proto")
    return found["retrograd.KernelList"]


def get_all_registered_kernels() -> Any:
    """The kernels of all ops."""
    import_every_op()
    return _listed(REGISTRY.values())


def get_registered_kernels_for_op(name: str) -> Any:
    """The kernel of the op type ``name``: one for the processor, with the dtypes that it takes, or none.

    >>> [kernel.device_type for kernel in get_registered_kernels_for_op("MatMul").kernel]
    ['CPU']
    """
    if name not in REGISTRY:
        import_every_op()
    return _listed([REGISTRY[name]] if name in REGISTRY else [])


def _listed(definitions: Any) -> Any:
    kernels = _kernel_list_class()()
    for definition in definitions:
        if definition.kernel is not None:
            _describe(kernels.kernel.add(op=definition.name, device_type="CPU"), definition)
    return kernels


def _describe(kernel: Any, definition: OpDef) -> None:
    for attr, allowed in definition.types.items():
        constraint = kernel.constraint.add(name=attr)
        constraint.allowed_values.list.type.extend(dtype.as_datatype_enum for dtype in allowed)
