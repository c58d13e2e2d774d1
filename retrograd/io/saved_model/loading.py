"""``tf.saved_model.load_v2``: a SavedModel as objects with their variables, functions and files.

Nothing that the file says leads to Python: functions are graphs, objects are of the kinds that are known here, or
plain ones.  Source: what TensorFlow 1.15.5 reads.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from retrograd.graph import nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import DataLossError
from retrograd.graph.graph import Graph
from retrograd.graph.modes import init_scope
from retrograd.graph.protos import make_ndarray
from retrograd.graph.shapes import TensorShape
from retrograd.graph.specs import TensorSpec, TypeSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.graph.text import as_text
from retrograd.graph.uids import uid
from retrograd.io.checkpoint_values import CheckpointReader
from retrograd.io.object_graphs import check_numbers, object_graph_of
from retrograd.io.saved_model import revived_types
from retrograd.io.saved_model.loader import no_graph_with, parse_saved_model
from retrograd.io.saved_model.loading_graphs import load_graph
from retrograd.io.saved_model.messages import get_assets_dir, get_variables_path
from retrograd.io.saved_model.structures import NotEncodableError, StructureCoder, read_function_spec
from retrograd.io.tracked_objects import VARIABLE_VALUE_KEY
from retrograd.io.tracking import AutoTrackable, CapturableResource, TrackableAsset
from retrograd.ops import constants, saving
from retrograd.state.concrete import ConcreteFunction
from retrograd.state.defun import from_library
from retrograd.state.function_bodies import body_of
from retrograd.state.function_specs import FunctionSpec
from retrograd.state.inlining import Function
from retrograd.state.resource import ResourceVariable
from retrograd.state.variables import VariableAggregation, VariableSynchronization

# -- functions ---------------------------------------------------------------------------------


class RestoredFunction(Function):
    """A function of which only graphs are left: it takes arguments of the kinds for which it was built."""

    def __init__(self, name: str, spec: FunctionSpec, concrete_functions: Sequence[ConcreteFunction]) -> None:
        self.function_spec = spec
        self.concrete_functions = list(concrete_functions)
        super().__init__(self._chosen_call, name, spec.input_signature)
        self.__name__, self._tf_argspec = name, spec.fullargspec

    def _chosen_call(self, *args: Any, **kwargs: Any) -> Any:
        return self(*args, **kwargs)

    @property
    def _tf_decorator(self) -> Any:
        """What asks for the arguments of functions is told those of the function that was saved."""
        from retrograd.graph.decorators import TFDecorator

        return TFDecorator("function", self.python_function, decorator_argspec=self._tf_argspec)

    def __get__(self, instance: Any, owner: Any) -> Any:
        """The function itself: what it was bound to is part of the graphs."""
        return self

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        return self.concrete_functions

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The function for arguments of one kind.

        Raises:
          ValueError: there is none for these.
        """
        if self.input_signature is not None and not args and not kwargs:
            args = self.input_signature
        return self._found(args, kwargs)[0]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function gives.

        Raises:
          ValueError: there is no function for arguments of that kind.
        """
        function, inputs = self._found(args, kwargs)
        return function._filtered_call(*inputs)

    def _found(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[ConcreteFunction, Any]:
        try:
            given = self.function_spec.canonicalize_function_inputs(*args, **kwargs)
        except TypeError:
            given = args, kwargs
        for converts in (False, True):
            for function in self.concrete_functions:
                inputs = _as_signed(function.structured_input_signature, given, converts)
                if inputs is not None:
                    return function, inputs
        options = "\n\n".join(
            f"Option {i}:\n{_listed(*function.structured_input_signature)}"
            for i, function in enumerate(self.concrete_functions, 1)
        )
        raise ValueError(
            "Could not find matching function to call loaded from the SavedModel. Got:\n"
            f"{_listed(*given)}\n\nExpected these arguments to match one of the following "
            f"{len(self.concrete_functions)} option(s):\n\n{options}"
        )


def _listed(args: Sequence[Any], kwargs: Any) -> str:
    rows = "".join(f"\n    * {x}" for x in args)
    return f"  Positional arguments ({len(args)} total):{rows}\n  Keyword arguments: {kwargs}"


def _as_signed(signature: Any, given: Any, converts: bool) -> Any:
    """Arguments as a function takes them, None if it does not; Python's numbers become tensors if it ``converts``."""
    try:
        nest.assert_same_structure(signature, given, check_types=False, expand_composites=False)
    except (TypeError, ValueError):
        return None
    flat = []
    for spec, x in zip(nest.flatten(signature), nest.flatten(given), strict=True):
        if isinstance(spec, TensorSpec):
            if isinstance(x, TensorLike | TensorSpec):
                pass
            elif converts and x is not None and (not isinstance(x, str) or spec.dtype.name == "string"):
                try:
                    x = constants.constant(x, spec.dtype)
                except (TypeError, ValueError):
                    return None
            else:
                return None
            if not spec.dtype.is_compatible_with(x.dtype) or not spec.shape.is_compatible_with(x.shape):
                return None
        elif isinstance(spec, TypeSpec):
            if not spec.is_compatible_with(x):
                return None
        elif isinstance(x, TensorLike | TypeSpec) or spec != x:
            return None
        flat.append(x)
    return nest.pack_sequence_as(given, flat)


# -- objects -----------------------------------------------------------------------------------


class _Called(AutoTrackable):
    """An object that is called through an attribute of its own."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function that was saved as ``__call__`` gives."""
        return vars(self)["__call__"](*args, **kwargs)


class RestoredResource(CapturableResource):
    """Something behind a handle, made and filled by functions that were saved."""

    def _create_resource(self) -> Any:
        return vars(self)["_create_resource"]()

    def _initialize(self) -> Any:
        return vars(self)["_initialize"]()


class ObjectLoader:
    """Makes the objects of a ``SavedObjectGraph``."""

    def __init__(self, meta: Any, export_dir: str) -> None:
        self._meta, self._export_dir = meta, export_dir
        self._proto = meta.object_graph_def
        check_numbers(self._proto.nodes, export_dir)
        self._nodes: list[Any] = [None] * len(self._proto.nodes)
        self._setters: list[Callable[..., None]] = [setattr] * len(self._proto.nodes)
        self._made_functions: dict[str, ConcreteFunction] = {}
        self._keys = self._keys_of_variables()
        self._functions = self._read_functions()
        for i, node in enumerate(self._proto.nodes):
            item = self._node(i)
            for child in node.children:
                self._setters[i](item, child.local_name, self._node(child.node_id))
        for node, item in zip(self._proto.nodes, self._nodes, strict=True):
            if isinstance(item, revived_types.RestoredOptimizer):
                for row in node.slot_variables:
                    variable = self._node(row.original_variable_node_id)
                    item._add_slot(variable, row.slot_name, self._node(row.slot_variable_node_id))
            if isinstance(item, RestoredResource):
                filled = item._initialize()
                if not default_graph().is_eager:
                    default_graph().add_to_collection(GraphKeys.TABLE_INITIALIZERS, filled.op)

    @property
    def root(self) -> Any:
        """The object that was saved."""
        return self._nodes[0]

    def _node(self, number: int) -> Any:
        if not 0 <= number < len(self._nodes):
            raise ValueError(f"The SavedModel has no object {number}")
        if self._nodes[number] is None:
            self._nodes[number], self._setters[number] = self._made(self._proto.nodes[number], number)
        return self._nodes[number]

    # -- variables -----------------------------------------------------------------------------

    def _keys_of_variables(self) -> dict[int, str]:
        """The keys of variables in the checkpoint, by the numbers of objects in the SavedModel."""
        if not os.path.exists(f"{get_variables_path(self._export_dir)}.index"):
            return {}
        path = get_variables_path(self._export_dir)
        self._reader = CheckpointReader(path)
        graph = object_graph_of(self._reader, path)
        if graph is None:
            return {}
        saved = graph.nodes
        number = {0: 0}
        waiting = [0]
        while waiting:
            at = waiting.pop(0)
            names = {child.local_name: child.node_id for child in saved[number[at]].children}
            for child in self._proto.nodes[at].children:
                other = names.get(child.local_name)
                if other is not None and child.node_id not in number:
                    number[child.node_id] = other
                    waiting.append(child.node_id)
        for at, there in list(number.items()):
            slots = {(row.original_variable_node_id, row.slot_name): row for row in saved[there].slot_variables}
            for row in self._proto.nodes[at].slot_variables:
                slot = slots.get((number.get(row.original_variable_node_id, -1), row.slot_name))
                if slot is not None:
                    number[row.slot_variable_node_id] = slot.slot_variable_node_id
        return {
            at: attribute.checkpoint_key
            for at, there in number.items()
            for attribute in saved[there].attributes
            if attribute.name == VARIABLE_VALUE_KEY
        }

    def _variable(self, proto: Any, number: int) -> Any:
        if number not in self._keys:
            raise ValueError(f"The checkpoint of the SavedModel lacks the value of variable {proto.name!r}")
        dtype, shape, key = as_dtype(proto.dtype), TensorShape(proto.shape), self._keys[number]

        def value() -> Any:
            if default_graph().is_eager:
                return constants.constant(self._reader.get_tensor(key), dtype)
            path = constants.constant(get_variables_path(self._export_dir))
            (restored,) = saving.restore_v2(path, [key], [""], [dtype])
            restored.set_shape(shape)
            return restored

        with init_scope():
            variable = ResourceVariable(
                value, trainable=proto.trainable, name=proto.name or None, dtype=dtype, shape=shape,
                collections=[GraphKeys.GLOBAL_VARIABLES],
                synchronization=VariableSynchronization(proto.synchronization),
                aggregation=VariableAggregation(proto.aggregation),
            )  # fmt: skip
            trained = default_graph().get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
            trained[:] = [v for v in trained if v is not variable]
        return variable

    # -- functions -----------------------------------------------------------------------------

    def _read_functions(self) -> dict[str, Any]:
        """The ``FunctionDef``s by their names, and what lets bodies call each other."""
        library = _renamed(self._meta)
        self._library = Graph()
        with self._library.as_default():
            for function in from_library(library):
                self._library._add_function(function)
        return {f.signature.name: f for f in library.function}

    def _concrete(self, name: str) -> ConcreteFunction:
        found = self._made_functions.get(name)
        if found is not None:
            return found
        if name not in self._functions or name not in self._proto.concrete_functions:
            raise ValueError(f"The SavedModel has no function {name!r}")
        proto, definition, coder = self._proto.concrete_functions[name], self._functions[name], StructureCoder()
        captured = [self._captured(number) for number in proto.bound_inputs]
        signature = coder.decode_proto(proto.canonicalized_input_signature)
        outputs = coder.decode_proto(proto.output_signature)

        def body() -> Any:
            found = body_of(definition, self._library, captured)
            graph: Any = found.graph
            graph.structured_input_signature, graph.structured_outputs = signature, outputs
            return found

        names = [spec.name or f"args_{i}" for i, spec in enumerate(_flat_specs(signature))]
        base = name.removeprefix("__inference_").rpartition("_")[0] or name
        self._made_functions[name] = ConcreteFunction(
            body, captured, name=name, base_name=base, structured_input_signature=signature,
            output_specs=outputs, arg_keywords=names, definition=definition,
        )  # fmt: skip
        return self._made_functions[name]

    def _captured(self, number: int) -> Any:
        """The tensor by which functions capture an object."""
        item = self._node(number)
        if isinstance(item, ResourceVariable):
            return item.handle
        if isinstance(item, TrackableAsset):
            return item.asset_path
        if isinstance(item, CapturableResource):
            for child in self._proto.nodes[number].children:
                if child.local_name == "_create_resource" and item._resource_handle is None:
                    item._create_resource = self._node(child.node_id)  # type: ignore[method-assign]
            return item.resource_handle
        if isinstance(item, Tensor):
            return item
        raise ValueError(f"A function of the SavedModel captures {item!r}, which is no tensor")

    # -- one object ----------------------------------------------------------------------------

    def _made(self, proto: Any, number: int) -> tuple[Any, Callable[..., None]]:
        kind = proto.WhichOneof("kind")
        if kind == "variable":
            return self._variable(proto.variable, number), setattr
        if kind == "asset":
            return self._asset(proto.asset), setattr
        if kind == "constant":
            return self._constant(proto.constant), setattr
        if kind == "resource":
            return RestoredResource(device=proto.resource.device), setattr
        if kind == "function":
            return self._function(proto.function), setattr
        if kind == "bare_concrete_function":
            return self._bare(proto.bare_concrete_function), setattr
        if kind != "user_object":
            raise ValueError(f"The SavedModel has an object of a kind that is not known: {kind}")
        found = self._of_user(proto)
        if found is not None:
            return found
        called = any(child.local_name == "__call__" for child in proto.children)
        return (_Called() if called else AutoTrackable()), setattr

    def _of_user(self, proto: Any) -> tuple[Any, Callable[..., None]] | None:
        """An object of a kind that a file names, and how it is given its parts; None of one that is not known."""
        return revived_types.deserialize(proto.user_object)

    def _function(self, proto: Any) -> RestoredFunction:
        functions = [self._concrete(name) for name in proto.concrete_functions]
        full, is_method, signature = read_function_spec(proto.function_spec)
        spec = FunctionSpec(full, is_method, input_signature=signature)
        name = functions[0]._base_name if functions else "function"
        return RestoredFunction(name, spec, functions)

    def _bare(self, proto: Any) -> ConcreteFunction:
        function = self._concrete(proto.concrete_function_name)
        function._arg_keywords = list(proto.argument_keywords)
        function._num_positional_args = proto.allowed_positional_arguments
        return function

    def _asset(self, proto: Any) -> TrackableAsset:
        files = self._meta.asset_file_def
        if not 0 <= proto.asset_file_def_index < len(files):
            raise ValueError("The SavedModel names a file that it does not have")
        name = files[proto.asset_file_def_index].filename
        if os.path.basename(name) != name:
            raise ValueError(f"An asset must be in the folder of assets, and {name!r} would not be")
        return TrackableAsset(os.path.join(get_assets_dir(self._export_dir), name))

    def _constant(self, proto: Any) -> Tensor:
        for node in self._meta.graph_def.node:
            if node.name == proto.operation and node.op == "Const":
                with init_scope():
                    return constants.constant(make_ndarray(node.attr["value"].tensor))
        raise ValueError(f"The SavedModel has no constant {proto.operation!r}")


def _renamed(meta: Any) -> Any:
    """The functions of a file under names that no function of this program has; the meta graph names them so too."""
    library, graph = meta.graph_def.library, meta.object_graph_def
    names = {
        f.signature.name: f"{re.sub(r'_[0-9]+$', '', f.signature.name)}_{uid()}" for f in library.function
    }  # fmt: skip
    for function in library.function:
        function.signature.name = names[function.signature.name]
        for node in function.node_def:
            node.op = names.get(node.op, node.op)
            if node.op in ("PartitionedCall", "StatefulPartitionedCall"):
                node.attr.pop("_gradient_op_type", None)  # a registration of the program that wrote the file
            for value in node.attr.values():
                kind = value.WhichOneof("value")
                for named in [value.func] if kind == "func" else value.list.func if kind == "list" else ():
                    named.name = names.get(named.name, named.name)
    for pair in library.gradient:
        pair.function_name = names.get(pair.function_name, pair.function_name)
        pair.gradient_func = names.get(pair.gradient_func, pair.gradient_func)
    for old in list(graph.concrete_functions):
        if old in names:
            graph.concrete_functions[names[old]].CopyFrom(graph.concrete_functions[old])
            del graph.concrete_functions[old]
    for node in graph.nodes:
        named = list(node.function.concrete_functions)
        if named:
            node.function.concrete_functions[:] = [names.get(name, name) for name in named]
        if node.WhichOneof("kind") == "bare_concrete_function":
            bare = node.bare_concrete_function
            bare.concrete_function_name = names.get(bare.concrete_function_name, bare.concrete_function_name)
    return library


def _flat_specs(signature: Any) -> list[TensorSpec]:
    return [spec for spec in nest.flatten(signature, expand_composites=True) if isinstance(spec, TensorSpec)]


# -- loading -----------------------------------------------------------------------------------


def load(export_dir: Any, tags: str | Iterable[str] | None = None) -> Any:
    """The object that ``tf.saved_model.save`` has written, with its variables, functions and files.

    Where ops run at once the variables have their values; in a graph their initializers read them.  Of a SavedModel
    that holds a graph alone, the object has ``signatures``, ``variables``, and ``prune(feeds, fetches)``, which makes
    a function of any other part of the graph.

    Raises:
      OSError: the folder has no SavedModel, or its file is damaged.
      DataLossError: its objects or its variables are.
      ValueError: it has other tags than these, or several graphs and no ``tags`` say which is meant.
      RuntimeError: none of its graphs has these tags.
    """
    folder = as_text(os.fspath(export_dir))
    saved = parse_saved_model(folder)
    wanted = {tags} if isinstance(tags, str) else None if tags is None else set(tags)
    if len(saved.meta_graphs) != 1 or not saved.meta_graphs[0].HasField("object_graph_def"):
        return _graph_among(saved.meta_graphs, wanted, folder)
    meta = saved.meta_graphs[0]
    if wanted is not None and wanted != set(meta.meta_info_def.tags):
        raise ValueError(
            f"The SavedModel at {folder} has one MetaGraph with tags {list(meta.meta_info_def.tags)}, but got an "
            f"incompatible argument tags={tags} to tf.saved_model.load. You may omit it, pass 'None', or pass matching "
            "tags."
        )
    try:
        with init_scope():
            return _with_versions(ObjectLoader(meta, folder).root, meta)
    except (AttributeError, IndexError, KeyError, RecursionError, NotEncodableError) as error:
        raise DataLossError(None, None, f"The objects of the SavedModel at {folder} are damaged: {error}") from error


def _graph_among(graphs: Sequence[Any], tags: set[str] | None, folder: str) -> Any:
    """The object of the graph with these tags, of a SavedModel that holds graphs alone."""
    available = [set(graph.meta_info_def.tags) for graph in graphs]
    if tags is None and len(graphs) != 1:
        raise ValueError(
            "Importing a SavedModel with tf.saved_model.load requires a 'tags=' argument if there is more than one "
            f"MetaGraph. Got 'tags=None', but there are {len(graphs)} MetaGraphs in the SavedModel with tag sets "
            f"{[list(graph.meta_info_def.tags) for graph in graphs]}. Pass a 'tags=' argument to load this SavedModel."
        )
    if tags is not None and tags not in available:
        raise no_graph_with(tags, available)
    meta = graphs[0 if tags is None else available.index(tags)]
    with init_scope():
        return _with_versions(load_graph(meta, folder), meta)


def _with_versions(root: Any, meta: Any) -> Any:
    root.tensorflow_version = meta.meta_info_def.tensorflow_version
    root.tensorflow_git_version = meta.meta_info_def.tensorflow_git_version
    return root
