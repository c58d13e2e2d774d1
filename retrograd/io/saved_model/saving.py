"""``tf.saved_model.save``: objects with their variables, functions and files as a SavedModel.

The graph of such a SavedModel has the signatures, for servers and for ``tf.saved_model.loader``; beside it stands
what the objects hold and which functions they have, for ``tf.saved_model.load_v2``.  Source: what TensorFlow
1.15.5 writes and reads.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from retrograd.eager.tensor import EagerTensor
from retrograd.files.replacing import file_error, replace_file
from retrograd.graph import dtypes, nest
from retrograd.graph.functions import FunctionGraph
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.shapes import TensorShape
from retrograd.graph.specs import TensorSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.graph.versions import GIT_VERSION, VERSION
from retrograd.io.object_checkpoints import write_found
from retrograd.io.object_restoring import session_for
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.io.saved_model import constants, revived_types, signature_constants, tag_constants
from retrograd.io.saved_model.builder import copy_assets_to_destination_dir
from retrograd.io.saved_model.messages import get_or_create_assets_dir, get_or_create_variables_dir, saved_model_class
from retrograd.io.saved_model.messages import get_variables_path as variables_path
from retrograd.io.saved_model.revived_types import SignatureMap
from retrograd.io.saved_model.signatures import build_signature_def, op_signature_def
from retrograd.io.saved_model.structures import StructureCoder, fill_function_spec
from retrograd.io.saved_model.tensor_infos import build_tensor_info
from retrograd.io.saver import Saver
from retrograd.io.tracked_objects import Objects, parts_of
from retrograd.io.tracking import CapturableResource, Trackable, TrackableAsset, children
from retrograd.nn.layers.containers import is_trackable
from retrograd.nn.layers.engine import Layer
from retrograd.ops import constants as constant_ops
from retrograd.ops import control, resources
from retrograd.state.concrete import ConcreteFunction, built
from retrograd.state.inlining import Function
from retrograd.state.partitioned_calls import partitioned_call
from retrograd.state.resource import ResourceVariable
from retrograd.state.variables import VariableV2

Functions = Function | ConcreteFunction

# -- signatures --------------------------------------------------------------------------------


def _default_function(found: dict[str, Any]) -> Any:
    """What is exported where no signature is given: the one function from named tensors to single ones."""
    default = found.get("_default_save_signature")
    if default is not None:
        return default
    signed = [f for f in found.values() if isinstance(f, Function) and f.input_signature is not None]
    flat = [f for f in signed if _gives_single_tensors(f.get_concrete_function().output_specs)]
    return flat[0] if len(flat) == 1 else None


def _gives_single_tensors(outputs: Any) -> bool:
    if isinstance(outputs, Mapping):
        outputs = list(outputs.values())
    listed = outputs if isinstance(outputs, list | tuple) else [outputs]
    return bool(listed) and all(isinstance(x, TensorSpec) for x in listed)


def _concrete(function: Any) -> ConcreteFunction:
    if isinstance(function, ConcreteFunction):
        return function
    if isinstance(function, Function) and function.input_signature is not None:
        return function.get_concrete_function()
    raise ValueError(
        f"Expected a TensorFlow function to generate a signature for, but got {function}. Only `tf.functions` with an "
        "input signature or concrete functions can be used as a signature."
    )


def canonicalize_signatures(signatures: Any) -> SignatureMap:
    """Functions from named tensors to named tensors, by the names of the signatures.

    Raises:
      ValueError: a function says not what it takes, or gives what has no names.
    """
    if signatures is None:
        return SignatureMap()
    if not isinstance(signatures, Mapping):
        signatures = {signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signatures}
    return SignatureMap({key: _wrapped(_concrete(function), key) for key, function in signatures.items()})


def _wrapped(function: ConcreteFunction, key: str) -> ConcreteFunction:
    names = function._arg_keywords or []
    given = function.inputs[: len(function.inputs) - len(function.captured_inputs)]
    specs = {name: TensorSpec(x.shape, x.dtype.base_dtype, name) for name, x in zip(names, given, strict=True)}

    def signature_wrapper(**kwargs: Any) -> Any:
        return _named_outputs(function(**kwargs), function.name, key)

    wrapped = built(signature_wrapper, "signature_wrapper", (), specs, ())
    wrapped._num_positional_args = 1 if len(specs) == 1 else 0
    named = {name: TensorSpec(x.shape, x.dtype.base_dtype, name) for name, x in wrapped.output_specs.items()}
    wrapped._outputs = named
    return wrapped


def _named_outputs(outputs: Any, name: str, key: str) -> dict[str, Any]:
    if isinstance(outputs, Mapping):
        for output, value in outputs.items():
            if not isinstance(output, str):
                raise ValueError(
                    f"Got a dictionary with a non-string key {output!r} in the output of the function {name} used to "
                    "generate a SavedModel signature."
                )
            if not isinstance(value, Tensor):
                raise ValueError(
                    f"Got a dictionary containing non-Tensor value {value} for key {output} in the output of the "
                    f"function {name} used to generate a SavedModel signature. Dictionaries outputs for functions used "
                    "as signatures should have one Tensor output per string key."
                )
        return dict(outputs)
    if outputs is None or isinstance(outputs, Operation):
        return {}
    listed = list(outputs) if isinstance(outputs, list | tuple) else [outputs]
    if not all(isinstance(x, Tensor) for x in listed):
        raise ValueError(
            f"Got non-flat outputs '{outputs}' from '{name}' for SavedModel signature '{key}'. Signatures have one "
            "Tensor per output, so to have predictable names Python functions used to generate these signatures should "
            "avoid outputting Tensors in nested structures."
        )
    return {f"output_{i}": x for i, x in enumerate(listed)}


# -- what objects hold -------------------------------------------------------------------------


def functions_of(value: Any) -> list[tuple[str, Functions]]:
    """The functions of an object by the names of its attributes; a property is read once."""
    if isinstance(value, list):
        return [(str(i), f) for i, f in enumerate(value) if isinstance(f, Functions)]
    if isinstance(value, dict):
        return [(key, f) for key, f in value.items() if isinstance(f, Functions) and isinstance(key, str)]
    if not isinstance(value, Trackable | Layer) or isinstance(value, VariableV2):
        return []
    if isinstance(value, CapturableResource) and "_create_resource" not in vars(value):
        return _functions_of_resource(value)
    found = []
    for name in sorted(dir(value)):
        kind = getattr(type(value), name, None)
        if name not in vars(value) and not isinstance(kind, Function) and not _is_property(kind):
            continue
        try:
            item = getattr(value, name)
        except Exception:  # a property that is not to be read
            continue
        if isinstance(item, Functions):
            found.append((name, item))
    return found


def _functions_of_resource(value: CapturableResource) -> list[tuple[str, Functions]]:
    """What makes and fills a resource, as functions."""

    def create() -> Any:
        return value._create_resource()

    def initialize() -> int:
        value._initialize()
        return 1

    named = (("_create_resource", create), ("_initialize", initialize))
    return [(name, Function(function, name, input_signature=())) for name, function in named]


def _is_property(kind: Any) -> bool:
    return isinstance(kind, property) and not getattr(kind.fget, "__module__", "").startswith("retrograd.")


class _Holding:
    """What the objects below a root hold, each asked once."""

    def __init__(self, root: Any) -> None:
        self._root, self.signatures = root, SignatureMap()
        self._functions: dict[int, list[tuple[str, Functions]]] = {}
        self._cache: dict[Any, Any] = {}

    def functions(self, value: Any) -> list[tuple[str, Functions]]:
        """The functions of an object, of which all concrete ones have been built."""
        if id(value) not in self._functions:
            found = self._functions[id(value)] = functions_of(value)
            for _, function in found:
                if isinstance(function, Function):
                    function._list_all_concrete_functions_for_serialization()
        return self._functions[id(value)]

    def __call__(self, value: Any) -> list[tuple[str, Any]]:
        """All that an object holds."""
        if isinstance(value, SignatureMap):
            return list(value.items())
        if isinstance(value, Functions | EagerTensor):
            return []
        functions = self.functions(value)
        found = ((name, item) for name, item in children(value) if not isinstance(item, Functions))
        held = {name: item for name, item in found if not (isinstance(item, CapturableResource) and parts_of(item))}
        if hasattr(value, "_list_extra_dependencies_for_serialization"):
            for name, item in value._list_extra_dependencies_for_serialization(self._cache).items():
                if name in held and held[name] is not item:
                    raise ValueError(
                        f"Error when exporting object {value} of with identifier={type(value).__name__}. The object "
                        f"has an attribute named {name}, which is reserved. List of all reserved attributes: [{name!r}]"
                    )
                held[name] = item
        if value is self._root:
            held["signatures"] = self.signatures
        return [*held.items(), *functions]


# -- the graph of the signatures ---------------------------------------------------------------


class _HandleSaveable(SaveableObject):
    """A variable of the exported graph by its handle."""

    def __init__(self, handle: Tensor, dtype: Any, name: str) -> None:
        read = resources.read_variable_op(handle, dtype)
        super().__init__(handle, [SaveSpec(read, "", name)], name)

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        """The op that assigns the value."""
        return resources.assign_variable_op(self.op, restored_tensors[0])


class _Export:
    """The graph, and what stands in it for the things that functions capture."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self.graph = Graph()
        self.inside: dict[int, Tensor] = {}  # by the identity of a captured tensor
        self.node_of: dict[int, int] = {}  # the number of the object that a captured tensor belongs to
        self.constants: list[tuple[int, str]] = []  # (number, node) of captured values
        self.assets: dict[int, int] = {}  # number of an object: place in the list of files
        self.files: dict[str, str] = {}
        self.asset_tensors: list[tuple[str, Tensor]] = []  # a loader feeds them with where the files are then
        self._asset_values: list[Tensor] = []
        self.first: list[Operation] = []  # to be run when the graph is loaded
        self._kept: list[Any] = []
        with self.graph.as_default():
            for number, item in self._numbered():
                if isinstance(item, VariableV2):
                    self._add_variable(number, item)
                elif isinstance(item, TrackableAsset):
                    self._add_asset(number, item)
                elif isinstance(item, CapturableResource):
                    self._add_resource(number, item)

    def _numbered(self) -> list[tuple[int, Any]]:
        slots = [slot for *_, slot, _ in self.objects.slots]
        return list(enumerate([*self.objects.found, *slots]))

    def _note(self, number: int, outside: Any, inside: Tensor) -> None:
        self.inside[id(outside)], self.node_of[id(outside)] = inside, number
        self._kept.append(outside)

    def _add_variable(self, number: int, variable: Any) -> None:
        name = variable.name.partition(":")[0]
        handle = resources.var_handle_op(
            variable.dtype.base_dtype, variable.shape, shared_name=self.graph.unique_name(name, False), name=name
        )
        self._note(number, variable._ref(), handle)

    def _add_asset(self, number: int, asset: Any) -> None:
        path = as_text(constant_value(asset.asset_path).item())
        name = next((n for n, p in self.files.items() if p == path), None)
        if name is None:
            name = base = os.path.basename(path)
            i = 1
            while name in self.files:
                name, i = f"{base}_{i}", i + 1
            self.files[name] = path
            tensor = constant_ops.placeholder(dtypes.string, [], name="asset_path_initializer")
            variable = ResourceVariable(tensor, trainable=False, collections=[])
            self.asset_tensors.append((name, tensor))
            self._asset_values.append(variable.value())
            self.first.append(variable.initializer)
        place = list(self.files).index(name)
        self.assets[number] = place
        self._note(number, asset.asset_path, self._asset_values[place])

    def _add_resource(self, number: int, resource: Any) -> None:
        self._note(number, resource.resource_handle, resource._create_resource())

    def fill_resources(self, functions: dict[int, list[tuple[str, Any]]]) -> None:
        """Let what fills tables and the like run when the graph is loaded; it gets the paths of files themselves."""
        at_start = dict(zip(self._asset_values, (tensor for _, tensor in self.asset_tensors), strict=True))
        for number, item in self._numbered():
            if isinstance(item, CapturableResource):
                fill = dict(functions[number])["_initialize"]
                for function in fill._list_all_concrete_functions_for_serialization():
                    with self.graph.as_default(), control_dependencies(list(self.first)):
                        (done,) = partitioned_call([at_start.get(x, x) for x in self.captured(function)], function)
                        self.first.append(done.op)

    def add_captures(self, function: ConcreteFunction) -> None:
        """Let there be a constant for each value that ``function`` has captured.

        Raises:
          ValueError: it has captured a tensor of a graph that is no constant.
        """
        for capture in function.captured_inputs:
            if id(capture) in self.inside or capture.dtype in (dtypes.resource, dtypes.variant):
                continue
            value = constant_value(capture)
            if value is None or capture.dtype.name.endswith("_ref"):
                raise ValueError(
                    f"Attempted to save a function {function.name} which references a symbolic Tensor {capture} that "
                    "is not a simple constant. This is not supported."
                )
            with self.graph.as_default():
                inside = constant_ops.constant(value, capture.dtype.base_dtype)
            number = len(self._numbered()) + len(self.constants)
            self.constants.append((number, inside.op.name))
            self._note(number, capture, inside)

    def captured(self, function: ConcreteFunction) -> list[Tensor]:
        """What stands in the graph for what ``function`` has captured."""
        for capture in function.captured_inputs:
            if id(capture) not in self.inside:
                raise AssertionError(
                    f"Tried to export a function which references untracked object {capture!r}.TensorFlow objects "
                    "(e.g. tf.Variable) captured by functions must be tracked by assigning them to an attribute of a "
                    "tracked object or assigned to an attribute of the main object directly."
                )
        return [self.inside[id(capture)] for capture in function.captured_inputs]

    def signature(self, key: str, function: ConcreteFunction) -> Any:
        """The ``SignatureDef`` of a function, which is called in the graph."""
        captured = self.captured(function)
        with self.graph.as_default():
            inputs = {
                name: constant_ops.placeholder(x.dtype.base_dtype, x.shape, name=f"{key}_{name}")
                for name, x in zip(function._arg_keywords or (), function.inputs, strict=False)
            }
            outputs = partitioned_call([*inputs.values(), *captured], function)
            taken = {name: build_tensor_info(x) for name, x in inputs.items()}
            names = nest.flatten({name: name for name in function.output_specs})
            given = {name: build_tensor_info(y) for name, y in zip(names, outputs if names else [], strict=True)}
        return build_signature_def(taken, given, signature_constants.PREDICT_METHOD_NAME)

    def saver(self) -> Saver:
        """What saves and restores the variables of the graph."""
        with self.graph.as_default():
            handles = [
                _HandleSaveable(self.inside[id(v._ref())], v.dtype.base_dtype, key)
                for key, v in self.objects.variables.items()
            ]
            return Saver(handles, sharded=True, allow_empty=True)


# -- messages ----------------------------------------------------------------------------------


def _fill(node: Any, number: int, item: Any, export: _Export) -> None:
    """Say of one object what it is."""
    if isinstance(item, VariableV2):
        node.variable.dtype = item.dtype.base_dtype.as_datatype_enum
        node.variable.shape.CopyFrom(item.shape.as_proto())
        node.variable.trainable = bool(item.trainable)
        node.variable.synchronization = getattr(item.synchronization, "value", 0)
        node.variable.aggregation = getattr(item.aggregation, "value", 0)
        node.variable.name = item.name.partition(":")[0]
    elif isinstance(item, TrackableAsset):
        node.asset.asset_file_def_index = export.assets[number]
    elif isinstance(item, Function):
        fill_function_spec(node.function.function_spec, item.function_spec)
        names = sorted(f.name for f in item._list_all_concrete_functions_for_serialization())
        node.function.concrete_functions.extend(names)
    elif isinstance(item, ConcreteFunction):
        node.bare_concrete_function.concrete_function_name = item.name
        node.bare_concrete_function.argument_keywords.extend(item._arg_keywords or ())
        node.bare_concrete_function.allowed_positional_arguments = item._num_positional_args
    elif isinstance(item, CapturableResource):
        node.resource.device = item._resource_device
    else:
        proto = revived_types.serialize(item)
        if proto is None:
            node.user_object.identifier = getattr(item, "_object_identifier", "_generic_user_object")
            node.user_object.version.producer = node.user_object.version.min_consumer = 1
        else:
            node.user_object.CopyFrom(proto)
        node.user_object.metadata = getattr(item, "_tracking_metadata", "")


def _object_graph(objects: Objects, functions: list[ConcreteFunction], export: _Export) -> Any:
    """The ``SavedObjectGraph``.

    Raises:
      KeyError: a function has captured what no object holds.
    """
    from tensorboard.compat.proto.saved_object_graph_pb2 import SavedObjectGraph

    graph, coder = SavedObjectGraph(), StructureCoder()
    for number, item in export._numbered():
        node = graph.nodes.add()
        _fill(node, number, item, export)
        if number < len(objects.found):
            for name, child in objects.children[number]:
                node.children.add(node_id=child, local_name=name)
    for i, (optimizer, variable, slot_name, _, _) in enumerate(objects.slots):
        graph.nodes[optimizer].slot_variables.add(
            original_variable_node_id=variable, slot_name=slot_name, slot_variable_node_id=len(objects.found) + i
        )
    for _, name in export.constants:
        graph.nodes.add().constant.operation = name
    for function in functions:
        proto = graph.concrete_functions[function.name]
        for capture in function.captured_inputs:
            if id(capture) not in export.node_of:
                raise KeyError(
                    f"Failed to add concrete function {function.name} to object based saved model as it captures "
                    f"tensor {capture!r} which is unsupported or not reachable from root."
                )
            proto.bound_inputs.append(export.node_of[id(capture)])
        proto.canonicalized_input_signature.CopyFrom(coder.encode_structure(_told(function.structured_input_signature)))
        proto.output_signature.CopyFrom(coder.encode_structure(_told(function.output_specs)))
    return graph


def _told(structure: Any) -> Any:
    """A structure in which what has no message is left out."""
    coder = StructureCoder()
    return nest.map_structure(lambda x: x if coder.can_encode(x) else None, structure)


def _check_savable(function: ConcreteFunction) -> None:
    errors = getattr(function.graph, "saving_errors", ())
    if errors:
        raise ValueError(f"Unable to save function {function.name} because {'; '.join(sorted(errors))}\n")


# -- saving ------------------------------------------------------------------------------------


def save(obj: Any, export_dir: Any, signatures: Any = None) -> None:
    """Write an object, with all that it holds and its functions, as a SavedModel.

    Args:
      signatures: a function with an input signature, a concrete one, or a dict of these by the names of the
        signatures; by default the one function of ``obj`` that has an input signature.

    Raises:
      AssertionError: a ``tf.function`` is being built, or a signature has captured what ``obj`` does not hold.
      ValueError: ``obj`` is nothing that holds variables, or has an attribute ``signatures``.
      KeyError: a function has captured what ``obj`` does not hold.
    """
    if isinstance(default_graph(), FunctionGraph):
        raise AssertionError(
            "tf.saved_model.save is not supported inside a traced @tf.function. Move the call to the outer "
            "eagerly-executed context."
        )
    if not is_trackable(obj):
        raise ValueError(f"Expected a Trackable object for export, got {obj}.")
    if hasattr(type(obj), "_saved_form"):
        obj = obj._saved_form()
    own = getattr(obj, "signatures", None)
    if own is not None and not isinstance(own, SignatureMap):
        raise ValueError(
            "The attribute 'signatures' is reserved for the signatures of a SavedModel. Remove it before saving:  "
            "del obj.signatures"
        )
    holding = _Holding(obj)
    Objects(obj, holding)  # what functions make while they are built is held from now on
    signature_map = canonicalize_signatures(
        _default_function(dict(holding.functions(obj))) if signatures is None else signatures
    )
    holding.signatures = signature_map
    objects = Objects(obj, holding)
    functions = _all_functions(objects)
    export = _Export(objects)
    for function in functions:
        export.add_captures(function)
    export.fill_resources({number: holding.functions(item) for number, item in enumerate(objects.found)})
    folder = as_text(os.fspath(export_dir))
    meta = _meta_graph(objects, functions, signature_map, export)
    session = session_for(None)
    get_or_create_variables_dir(folder)
    write_found(objects, variables_path(folder), session)
    get_or_create_assets_dir(folder)
    if export.files:
        copy_assets_to_destination_dir(export.files, folder)
    saved = saved_model_class()()
    saved.saved_model_schema_version = constants.SAVED_MODEL_SCHEMA_VERSION
    saved.meta_graphs.add().CopyFrom(meta)
    path = os.path.join(folder, constants.SAVED_MODEL_FILENAME_PB)
    try:
        replace_file(path, saved.SerializeToString(deterministic=True))
    except OSError as error:
        raise file_error(error, path) from None


def _all_functions(objects: Objects) -> list[ConcreteFunction]:
    """The concrete functions of all objects, each once."""
    found: dict[str, ConcreteFunction] = {}
    for item in objects.found:
        if isinstance(item, Function):
            found.update((f.name, f) for f in item._list_all_concrete_functions_for_serialization())
        elif isinstance(item, ConcreteFunction):
            found[item.name] = item
    for function in found.values():
        _check_savable(function)
    return list(found.values())


def _meta_graph(objects: Objects, functions: list[ConcreteFunction], signatures: SignatureMap, export: _Export) -> Any:
    with export.graph.as_default():
        infos = {key: export.signature(key, function) for key, function in signatures.items()}
        first = control.group(*export.first)
        infos[constants.INIT_OP_SIGNATURE_KEY] = op_signature_def(first, constants.INIT_OP_SIGNATURE_KEY)
        for function in functions:
            function.add_to_graph(export.graph)
        meta = export.saver().export_meta_graph(clear_devices=False, strip_default_attrs=True)
    meta.meta_info_def.tags.append(tag_constants.SERVING)
    meta.meta_info_def.tensorflow_version, meta.meta_info_def.tensorflow_git_version = VERSION, GIT_VERSION
    for key, info in infos.items():
        meta.signature_def[key].CopyFrom(info)
    for name, tensor in export.asset_tensors:
        asset = meta.asset_file_def.add(filename=name)
        asset.tensor_info.CopyFrom(build_signature_def({"x": _named(tensor)}).inputs["x"])
    meta.object_graph_def.CopyFrom(_object_graph(objects, functions, export))
    return meta


def _named(tensor: Tensor) -> Any:
    from tensorboard.compat.proto.meta_graph_pb2 import TensorInfo

    return TensorInfo(name=tensor.name, dtype=tensor.dtype.as_datatype_enum, tensor_shape=TensorShape(()).as_proto())
