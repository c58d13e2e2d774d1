"""``tf.saved_model.load_v2`` of SavedModels that hold a graph without objects: their signatures as functions.

Variables behind handles become variables of the program; reference variables and tables stay in the graph, each
load with its own.  Source: what TensorFlow 1.15.5 makes of such a folder, observed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph import dtypes, log
from retrograd.graph.collection_protos import get_collection_proto_type
from retrograd.graph.collections import GraphKeys
from retrograd.graph.definition import known
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.functions import FunctionGraph
from retrograd.graph.protos import attr_value
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.uids import uid
from retrograd.io.imported_meta_graphs import add_collections, says_trainable
from retrograd.io.importing import import_nodes
from retrograd.io.saved_model import constants as keys
from retrograd.io.saved_model.loader import get_asset_tensors, get_init_op
from retrograd.io.saved_model.messages import get_variables_path
from retrograd.io.saved_model.revived_types import SignatureMap
from retrograd.io.saved_model.tensor_infos import get_tensor_from_tensor_info
from retrograd.io.stack_form import meta_with_histories
from retrograd.io.tracking import AutoTrackable, CapturableResource, TrackableAsset
from retrograd.ops import constants, control
from retrograd.state.lifting import UnliftableError
from retrograd.state.resource import UninitializedVariable
from retrograd.state.variables import VariableAggregation, VariableSynchronization, VariableV1
from retrograd.state.wrapping import WrappedFunction, wrap_function


class Initializer(CapturableResource):
    """What a graph does before its first use, such as filling tables from files."""

    def __init__(self, function: WrappedFunction, assets: Sequence[TrackableAsset]) -> None:
        super().__init__()
        self._function, self._assets = function, list(assets)

    def _create_resource(self) -> Any:
        return constants.placeholder(dtypes.resource, [])

    def _initialize(self) -> Any:
        """A tensor that is there when all is done."""
        return self._function(*(asset.asset_path for asset in self._assets))[0]


def load_graph(meta: Any, export_dir: str) -> AutoTrackable:
    """The object with the ``signatures`` of a graph as functions, its ``variables``, and ``prune`` for other functions.

    Raises:
      UnliftableError: an output of a signature depends on a placeholder that the signature does not feed.
    """
    meta = meta_with_histories(meta)
    _rename_resources(meta)
    variables = _Variables(meta)
    wrapped = wrap_function(lambda: variables.build(meta), [], name="wrapped_function")
    wrapped._variables = variables.made
    root: Any = AutoTrackable()
    restore = _restored(wrapped, meta, export_dir)
    graph = wrapped.graph
    paths = get_asset_tensors(export_dir, meta)
    root.asset_paths = [TrackableAsset(path) for path in paths.values()]
    with graph.as_default():
        op = get_init_op(meta) or control.group(*_local_initializers(graph, meta))
        with control_dependencies([op]):
            done = constants.constant(0.0, name="done")
    root.initializer = Initializer(wrapped.prune(list(paths), [done]), root.asset_paths)
    filled = root.initializer._initialize()
    if not default_graph().is_eager:
        local = default_graph().get_collection(GraphKeys.LOCAL_VARIABLES)
        for variable in variables.made:
            first = filled.op if any(v is variable for v in local) else restore
            variable._initializer_op = first if first is not None else control.no_op()
        waiting = [filled.op] if restore is None else [restore, filled.op]
        for fill in waiting:
            default_graph().add_to_collection(GraphKeys.TABLE_INITIALIZERS, fill)
    root.signatures = SignatureMap(_signatures(wrapped, meta))
    root.variables, root.graph, root.prune = list(variables.made), graph, wrapped.prune
    return root


# -- variables ---------------------------------------------------------------------------------


def _rename_resources(meta: Any) -> None:
    """Let what ops share by name be of this load alone."""
    suffix = f"_load_{uid()}".encode()
    for node in [*meta.graph_def.node, *(n for f in meta.graph_def.library.function for n in f.node_def)]:
        definition = known(node.op)
        if definition is not None and "shared_name" in definition.attrs:
            node.attr["shared_name"].s = (node.attr["shared_name"].s or node.name.encode()) + suffix


class _Variables:
    """The variables of a graph: those behind handles are made outside, and captured."""

    def __init__(self, meta: Any) -> None:
        nodes = {node.name: node for node in meta.graph_def.node}
        of_protos = says_trainable(meta.meta_info_def.tensorflow_version)
        trained = {p.variable_name for _, p in _protos(meta, [GraphKeys.TRAINABLE_VARIABLES])}
        self.made: list[Any] = []
        self.outside: dict[str, Any] = {}  # variables by the names of the nodes of their handles
        references: set[str] = set()
        for key, proto in _protos(meta, GraphKeys._VARIABLE_COLLECTIONS):
            name = proto.variable_name.removesuffix(":0")
            if name in self.outside:
                self._add(key, self.outside[name])
                continue
            node = nodes.get(name)
            if node is None:
                raise ValueError(f"The graph has no op {name!r}, which a variable of it names")
            if not proto.is_resource or node.op != "VarHandleOp":
                if name in references:
                    continue
                references.add(name)
                log.warning(
                    "Unable to create a python object for variable %s because it is a reference variable. It may not "
                    "be visible to training APIs. If this is a problem, consider rebuilding the SavedModel after "
                    "running tf.compat.v1.enable_resource_variables().", name,
                )  # fmt: skip
                continue
            trainable = proto.trainable if of_protos else proto.variable_name in trained
            variable = UninitializedVariable(
                trainable=trainable, name=name, shape=TensorShape(node.attr["shape"].shape),
                dtype=as_dtype(node.attr["dtype"].type), collections=[],
                synchronization=VariableSynchronization(proto.synchronization),
                aggregation=VariableAggregation(proto.aggregation),
            )  # fmt: skip
            self.outside[name] = variable
            self.made.append(variable)
            self._add(key, variable)

    def _add(self, key: str, variable: Any) -> None:
        default_graph().add_to_collection(key, variable)

    def build(self, meta: Any) -> None:
        """Add the graph to the default one, where placeholders stand for the handles."""
        graph: Any = default_graph()
        for node in meta.graph_def.node:
            if node.name in self.outside:
                node.op = "Placeholder"
                node.attr.clear()
                node.attr["dtype"].type = dtypes.resource.as_datatype_enum
                node.attr["shape"].CopyFrom(attr_value(TensorShape([])))
        info = meta.meta_info_def
        import_nodes(
            meta.graph_def, None, None, "", info.stripped_op_list if info.HasField("stripped_op_list") else None
        )
        for name, variable in self.outside.items():
            graph.capture_by(variable.handle, graph.as_graph_element(f"{name}:0"))
        for node in meta.graph_def.node:
            shapes = node.attr["_output_shapes"].list.shape
            for y, shape in zip(graph.get_operation_by_name(node.name).outputs, shapes, strict=False):
                y.set_shape(TensorShape(shape))
        add_collections(graph, meta, "", None, lambda key: key not in GraphKeys._VARIABLE_COLLECTIONS)
        for key, proto in _protos(meta, GraphKeys._VARIABLE_COLLECTIONS):
            name = proto.variable_name.removesuffix(":0")
            graph.add_to_collection(key, self.outside[name] if name in self.outside else VariableV1.from_proto(proto))


def _protos(meta: Any, collections: Sequence[str]) -> list[tuple[str, Any]]:
    """The ``VariableDef``s of these collections, with the collections."""
    found = []
    for key in collections:
        for content in meta.collection_def[key].bytes_list.value if key in meta.collection_def else ():
            found.append((key, get_collection_proto_type(key)()))
            found[-1][1].ParseFromString(content)
    return found


def _restored(wrapped: WrappedFunction, meta: Any, export_dir: str) -> Any:
    """Let the variables be what they were; in a graph the result is the op that does that."""
    saver = meta.saver_def
    if not saver.restore_op_name:
        return None
    graph = wrapped.graph
    restore = wrapped.prune([saver.filename_tensor_name], [graph.get_operation_by_name(saver.restore_op_name)])
    path = constants.constant(get_variables_path(export_dir))
    given = restore(path)
    return None if default_graph().is_eager else given


def _local_initializers(graph: FunctionGraph, meta: Any) -> list[Any]:
    """What is to be run first where the graph does not say: local variables and tables get their values."""
    local = [p.initializer_name for _, p in _protos(meta, [GraphKeys.LOCAL_VARIABLES])]
    return [*map(graph.as_graph_element, local), *graph.get_collection(GraphKeys.TABLE_INITIALIZERS)]


# -- signatures --------------------------------------------------------------------------------


def _signatures(wrapped: WrappedFunction, meta: Any) -> dict[str, WrappedFunction]:
    functions = {}
    for key, signature in sorted(meta.signature_def.items()):
        if key in (keys.INIT_OP_SIGNATURE_KEY, keys.TRAIN_OP_SIGNATURE_KEY):
            continue
        names = sorted(signature.inputs)
        with wrapped.graph.as_default():
            feeds = [get_tensor_from_tensor_info(signature.inputs[name]) for name in names]
            fetches = {name: get_tensor_from_tensor_info(info) for name, info in signature.outputs.items()}
        try:
            function = wrapped.prune(feeds, fetches)
        except UnliftableError as error:
            raise UnliftableError(
                "A SavedModel signature needs an input for each placeholder the signature's outputs use. An output of "
                f"signature {key!r} depends on a placeholder that is not among its inputs.\n\n{error}"
            ) from None
        function._arg_keywords, function._num_positional_args = names, 1 if len(names) == 1 else 0
        functions[key] = function
    return functions
