"""What a saver saves: variables, their slices, and whatever else says how it is saved and restored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.devices import DeviceSpec
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import device
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, resources, state
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.resource import BaseResourceVariable
from retrograd.state.variables import VariableV2

_REFERENCES = ("Variable", "VariableV2", "AutoReloadVariable")
_PLACES = (*_REFERENCES, "VarHandleOp", "ReadVariableOp")


class SaveSpec:
    """One tensor to be saved, or a function that builds it, and which part of which name it is.

    ``dtype`` and ``device`` are needed only with a function.
    """

    def __init__(self, tensor: Any, slice_spec: str, name: str, dtype: Any = None, device: Any = None) -> None:
        self._tensor, self.slice_spec, self.name = tensor, slice_spec, name
        if callable(tensor):
            if dtype is None or device is None:
                raise AssertionError(
                    "When passing a callable `tensor` to a SaveSpec, an explicit dtype and device must be provided."
                )
            self.dtype: DType = dtype
            self.device: str = device
        else:
            self.dtype, self.device = tensor.dtype, tensor.device

    @property
    def tensor(self) -> Any:
        """The tensor."""
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """Something that tells which tensors it is saved as, and restores itself from them.

    Args:
      op: what it is about.
      specs: a ``SaveSpec`` for each tensor.
      name: the name that it is saved under.
    """

    def __init__(self, op: Any, specs: list[SaveSpec], name: str) -> None:
        self.op, self.specs, self.name = op, specs, name

    @property
    def optional_restore(self) -> bool:
        """Whether a checkpoint may lack it."""
        return False

    @property
    def device(self) -> str:
        """Where its tensors are."""
        return self.specs[0].device

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        """The op that takes over ``restored_tensors``, first brought to ``restored_shapes`` if these are given."""
        raise ValueError("Calling an abstract method.")


class ReferenceVariableSaveable(SaveableObject):
    """A reference variable, or a slice of one."""

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        super().__init__(var, [SaveSpec(var, slice_spec, name, dtype=var.dtype)], name)

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        value = _reshaped(restored_tensors[0], restored_shapes)
        fixed = restored_shapes is None and self.op.get_shape().is_fully_defined()
        return state.assign(self.op, value, validate_shape=fixed)


class ResourceVariableSaveable(SaveableObject):
    """A resource variable, a slice of one, or a tensor that reads one."""

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        self._device, self._shape = var.device, var.shape
        if isinstance(var, Tensor):
            self.handle_op = var.op.inputs[0]
            tensor: Any = var
        elif isinstance(var, BaseResourceVariable):
            self.handle_op = var.handle

            def tensor() -> Tensor:
                with device(var.device):
                    value = var.read_value()
                    with device("/device:CPU:0"):
                        return arrays.identity(value)  # type: ignore[no-any-return]
        else:
            raise ValueError(f"Saveable is neither a resource variable nor a read operation. Got: {var!r}")
        super().__init__(var, [SaveSpec(tensor, slice_spec, name, dtype=var.dtype, device=var.device)], name)

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        value = _reshaped(restored_tensors[0], restored_shapes)
        with device(self._device):
            value = arrays.identity(value)
            self._shape.assert_is_compatible_with(value.shape)
            return resources.assign_variable_op(self.handle_op, value)


def _reshaped(value: Any, shapes: Any) -> Any:
    return value if shapes is None else arrays.reshape(value, shapes[0])


def set_cpu0(device_string: str) -> str:
    """The same place, but its first processor."""
    return DeviceSpec.from_string(device_string).replace(device_type="CPU", device_index=0).to_string()


def _is_place(tensor: Any) -> bool:
    return isinstance(tensor, Tensor) and tensor.op.type in _PLACES


def _saveable(var: Any, spec: str, name: str) -> SaveableObject:
    kind = ReferenceVariableSaveable if var.op.type in _REFERENCES else ResourceVariableSaveable
    return kind(var, spec, name)


def saveable_objects_for_op(op: Any, name: Any) -> Iterator[SaveableObject]:
    """What saves ``op``, a variable or a list of slices of one, under ``name``.

    Raises:
      TypeError: the name is no text, or ``op`` is no variable.
      ValueError: the slices are not of one variable.
    """
    if not isinstance(name, str):
        raise TypeError(
            "names_to_saveables must be a dict mapping string names to trackable operations. "
            f"Name is not a string: {name}"
        )
    if isinstance(op, SaveableObject):
        yield op
    elif isinstance(op, list | tuple | PartitionedVariable):
        yield from _slices(list(op), name)
    elif not isinstance(op, VariableV2) and hasattr(op, "_gather_saveables_for_checkpoint"):
        for attribute, factory in op._gather_saveables_for_checkpoint().items():
            full_name = name if attribute == "VARIABLE_VALUE" else f"{name}_{attribute}"
            part = factory(full_name) if callable(factory) else factory
            yield from saveable_objects_for_op(part, part.name)
    elif isinstance(op, BaseResourceVariable):
        yield ResourceVariableSaveable(op._graph_element if op._in_graph_mode else op, "", name)
    else:
        tensor = as_tensor(op, as_ref=True)
        if not _is_place(tensor):
            raise TypeError(
                f"names_to_saveables must be a dict mapping string names to Tensors/Variables. Not a variable: {tensor}"
            )
        yield _saveable(tensor, "", name)


def _slices(parts: list[Any], name: str) -> Iterator[SaveableObject]:
    whole = None
    for variable in parts:
        if not isinstance(variable, VariableV2):
            raise ValueError(f"Slices must all be Variables: {variable}")
        info = variable._save_slice_info
        if not info:
            raise ValueError(f"Slices must all be slices: {variable}")
        if whole is None:
            whole = info.full_name
        elif whole != info.full_name:
            raise ValueError(f"Slices must all be from the same tensor: {whole} != {info.full_name}")
        yield _saveable(variable, info.spec, name)


def op_list_to_dict(op_list: Any, convert_variable_to_tensor: bool = True) -> dict[str, Any]:
    """The variables of a list by the names that they are saved under; slices of one variable together.

    Raises:
      TypeError: it is no list, or holds something else.
      ValueError: two have the same name.
    """
    if not isinstance(op_list, list | tuple | set):
        raise TypeError(f"Variables to save should be passed in a dict or a list: {op_list}")
    found: dict[str, Any] = {}
    for var in sorted(op_list, key=lambda x: x.name):
        if isinstance(var, SaveableObject):
            found[var.name] = var
        elif isinstance(var, PartitionedVariable):
            _add_named(found, var.name, var)
        elif isinstance(var, VariableV2) and var._save_slice_info:
            name = var._save_slice_info.full_name
            if not isinstance(found.setdefault(name, []), list):
                raise ValueError(f"Mixing slices and non-slices with the same name: {name}")
            found[name].append(var)
        elif not isinstance(var, VariableV2) and hasattr(var, "_gather_saveables_for_checkpoint"):
            parts = var._gather_saveables_for_checkpoint().values()
            found |= op_list_to_dict([part() if callable(part) else part for part in parts])
        elif default_graph().is_eager:
            _add_eager(found, var)
        else:
            tensor = _place_of(var) if convert_variable_to_tensor else var
            op = tensor.op.inputs[0].op if tensor.op.type == "ReadVariableOp" else tensor.op
            _add_named(found, op.name, tensor)
    return found


def _add_eager(found: dict[str, Any], var: Any) -> None:
    if not isinstance(var, BaseResourceVariable):
        raise ValueError(f"Can only save/restore ResourceVariables when eager execution is enabled, type: {type(var)}.")
    if found.setdefault(var._shared_name, var) is not var:
        raise ValueError(
            f"Two different ResourceVariable objects with the same shared_name '{var._shared_name}' were passed to the "
            "Saver. This likely means that they were created in different Graphs or isolation contexts, and may not "
            "be checkpointed together."
        )


def _place_of(var: Any) -> Tensor:
    tensor = var._graph_element if isinstance(var, BaseResourceVariable) else as_tensor(var, as_ref=True)
    if not _is_place(tensor):
        raise TypeError(f"Variable to save is not a Variable: {tensor}")
    return tensor  # type: ignore[no-any-return]


def _add_named(found: dict[str, Any], name: str, var: Any) -> None:
    if name in found:
        raise ValueError(f"At least two variables have the same name: {name}")
    found[name] = var


def validate_and_slice_inputs(names_to_saveables: Any) -> list[SaveableObject]:
    """What saves the variables of a list or of a dict from names, in the order of the names.

    Raises:
      TypeError: a key is no text, or a value no variable.
      ValueError: a variable has two names.
    """
    if not isinstance(names_to_saveables, dict):
        names_to_saveables = op_list_to_dict(names_to_saveables)
    saveables: list[SaveableObject] = []
    seen: set[int] = set()
    for name, op in sorted(names_to_saveables.items(), key=lambda item: item[0]):
        for saveable in saveable_objects_for_op(op, name):
            if id(saveable.op) in seen:
                raise ValueError(f"The same saveable will be restored with two names: {saveable.name}")
            seen.add(id(saveable.op))
            saveables.append(saveable)
    return saveables


def all_saveable_objects(scope: str | None = None) -> list[Any]:
    """The variables of the default graph, and what else it says is to be saved."""
    graph = default_graph()
    variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope)
    return variables + graph.get_collection(GraphKeys.SAVEABLE_OBJECTS, scope)
