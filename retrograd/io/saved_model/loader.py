"""Reading SavedModels."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from retrograd.graph import log
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph
from retrograd.graph.text import as_bytes, as_text
from retrograd.io.meta_graphs import rename_packages
from retrograd.io.saveables import all_saveable_objects
from retrograd.io.saved_model import constants
from retrograd.io.saved_model.messages import get_assets_dir, get_variables_path, saved_model_class
from retrograd.io.saved_model.signatures import load_op_from_signature_def
from retrograd.io.saver import Saver, _import_meta_graph_with_return_elements
from retrograd.run.session import Session


def parse_saved_model(export_dir: Any) -> Any:
    """The ``SavedModel`` of a folder.

    Raises:
      OSError: the folder has none, or its file is damaged.
    """
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError

    folder = as_text(os.fspath(export_dir))
    as_binary = os.path.join(folder, constants.SAVED_MODEL_FILENAME_PB)
    as_readable = os.path.join(folder, constants.SAVED_MODEL_FILENAME_PBTXT)
    if os.path.exists(as_binary):
        with open(as_binary, "rb") as file:
            content = file.read()
        try:
            return _of_this_package(saved_model_class().FromString(content))
        except DecodeError as error:
            raise OSError(f"Cannot parse file {as_binary}: {error}.") from None
    if os.path.exists(as_readable):
        with open(as_readable, "rb") as file:
            content = file.read()
        try:
            return _of_this_package(text_format.Parse(content.decode(), saved_model_class()()))
        except (text_format.ParseError, UnicodeDecodeError, RecursionError) as error:
            raise OSError(f"Cannot parse file {as_readable}: {error}.") from None
    names = f"{{{constants.SAVED_MODEL_FILENAME_PBTXT}|{constants.SAVED_MODEL_FILENAME_PB}}}"
    raise OSError(f"SavedModel file does not exist at: {folder}/{names}")


def _of_this_package(saved_model: Any) -> Any:
    for meta in saved_model.meta_graphs:
        for entry in meta.collection_def.values():
            rename_packages(entry, "tensorflow", "tensorboard")
    return saved_model


def no_graph_with(tags: Iterable[str], available: list[set[str]]) -> RuntimeError:
    """The error where no graph of a SavedModel has these tags."""
    return RuntimeError(
        f"MetaGraphDef associated with tags {str(tags).strip('[]')} could not be found in SavedModel. To inspect "
        "available tag-sets in the SavedModel, please use the SavedModel CLI: `saved_model_cli`\n"
        f"available_tags: {available}"
    )


def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Whether a folder holds a SavedModel."""
    names = (constants.SAVED_MODEL_FILENAME_PBTXT, constants.SAVED_MODEL_FILENAME_PB)
    return any(os.path.exists(os.path.join(as_text(os.fspath(export_dir)), name)) for name in names)


contains_saved_model = maybe_saved_model_directory


def get_asset_tensors(
    export_dir: Any, meta_graph_def_to_load: Any, import_scope: str | None = None
) -> dict[str, bytes]:
    """The paths of the files that a graph reads, by the names of the tensors that hold them."""
    from tensorboard.compat.proto.meta_graph_pb2 import AssetFileDef

    assets = list(meta_graph_def_to_load.asset_file_def)
    collections = meta_graph_def_to_load.collection_def
    if not assets and constants.ASSETS_KEY in collections:
        assets = [AssetFileDef.FromString(item.value) for item in collections[constants.ASSETS_KEY].any_list.value]
    paths = {}
    for asset in assets:
        name = f"{import_scope}/{asset.tensor_info.name}" if import_scope else asset.tensor_info.name
        if os.path.basename(asset.filename) != asset.filename:
            raise ValueError(f"An asset must be in the folder of assets, and {asset.filename!r} would not be")
        paths[name] = as_bytes(os.path.join(get_assets_dir(export_dir), asset.filename))
    return paths


def _op_of_collection(meta: Any, key: str) -> Any:
    if key not in meta.collection_def:
        return None
    names = meta.collection_def[key].node_list.value
    if len(names) != 1:
        raise RuntimeError(f"Expected exactly one SavedModel init op. Found: {list(names)}")
    return default_graph().get_collection(key)[0]


def _op_of_signature(meta: Any, key: str, import_scope: str | None) -> Any:
    if key not in meta.signature_def:
        return None
    return load_op_from_signature_def(meta.signature_def[key], key, import_scope)


def get_init_op(meta_graph_def: Any, import_scope: str | None = None) -> Any:
    """The op to run once the graph is loaded; None if there is none."""
    for op in (
        _op_of_signature(meta_graph_def, constants.INIT_OP_SIGNATURE_KEY, import_scope),
        _op_of_collection(meta_graph_def, constants.MAIN_OP_KEY),
        _op_of_collection(meta_graph_def, constants.LEGACY_INIT_OP_KEY),
    ):
        if op is not None:
            return op
    return None


def get_train_op(meta_graph_def: Any, import_scope: str | None = None) -> Any:
    """The op that trains; None if there is none."""
    op = _op_of_signature(meta_graph_def, constants.TRAIN_OP_SIGNATURE_KEY, import_scope)
    return _op_of_collection(meta_graph_def, constants.TRAIN_OP_KEY) if op is None else op


def load(sess: Any, tags: Iterable[str], export_dir: Any, import_scope: str | None = None, **saver_kwargs: Any) -> Any:
    """Load the graph of a SavedModel that has exactly ``tags`` into the graph of ``sess``, with its variables.

    Returns:
      The ``MetaGraphDef``, whose ``signature_def`` says what the graph takes and gives.

    Raises:
      OSError: there is no SavedModel in ``export_dir``, or it is damaged.
      RuntimeError: it has no graph with these tags.
    """
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)


class SavedModelLoader:
    """Loads graphs of a SavedModel."""

    def __init__(self, export_dir: Any) -> None:
        self._export_dir = as_text(os.fspath(export_dir))
        self._saved_model = parse_saved_model(export_dir)

    @property
    def export_dir(self) -> str:
        """Its folder."""
        return self._export_dir

    @property
    def variables_path(self) -> str:
        """The path of the checkpoint of its variables."""
        return get_variables_path(self._export_dir)

    @property
    def saved_model(self) -> Any:
        """The ``SavedModel``."""
        return self._saved_model

    def get_meta_graph_def_from_tags(self, tags: Iterable[str]) -> Any:
        """The graph that has exactly these tags."""
        wanted = set(tags)
        available = []
        for meta in self._saved_model.meta_graphs:
            available.append(set(meta.meta_info_def.tags))
            if available[-1] == wanted:
                return meta
        raise no_graph_with(tags, available)

    def load_graph(
        self, graph: Graph, tags: Iterable[str], import_scope: str | None = None, **saver_kwargs: Any
    ) -> tuple[Saver | None, Any]:
        """Add a graph to ``graph``: its saver, and what was asked for by ``return_elements``."""
        meta = self.get_meta_graph_def_from_tags(tags)
        with graph.as_default():
            return _import_meta_graph_with_return_elements(meta, import_scope=import_scope, **saver_kwargs)

    def restore_variables(self, sess: Any, saver: Any, import_scope: str | None = None) -> None:
        """Let the variables be what they were when the SavedModel was written."""
        with sess.graph.as_default():
            if saver is None and not all_saveable_objects(scope=import_scope):
                log.info("The specified SavedModel has no variables; no checkpoints were restored.")
            elif isinstance(saver, Saver):
                saver.restore(sess, self.variables_path)
            else:
                raise ValueError(
                    "No tf.train.Saver object was passed to the function SavedModelLoader.restore_variables. Since "
                    "there are variables in the graph, a saver is required."
                )

    def run_init_ops(self, sess: Any, tags: Iterable[str], import_scope: str | None = None) -> None:
        """Run the op that the graph says is to be run first, if any."""
        meta = self.get_meta_graph_def_from_tags(tags)
        with sess.graph.as_default():
            paths = get_asset_tensors(self._export_dir, meta, import_scope)
            op = get_init_op(meta, import_scope)
            if op is not None:
                sess.run([op], paths)

    def load(self, sess: Any, tags: Iterable[str], import_scope: str | None = None, **saver_kwargs: Any) -> Any:
        """Add a graph to that of ``sess``, with its variables; the result is its ``MetaGraphDef``."""
        tags = list(tags)
        with sess.graph.as_default():
            saver, _ = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
            self.restore_variables(sess, saver, import_scope)
            self.run_init_ops(sess, tags, import_scope)
        return self.get_meta_graph_def_from_tags(tags)


# -- as a function -----------------------------------------------------------------------------


class Predictor:
    """A function from inputs by their names to outputs by theirs: ``predictor({"x": ...})["y"]``."""

    _graph: Graph
    _session: Any
    _feed_tensors: dict[str, Any]
    _fetch_tensors: dict[str, Any]

    @property
    def graph(self) -> Graph:
        """The graph that it runs."""
        return self._graph

    @property
    def session(self) -> Any:
        """The session that it runs in."""
        return self._session

    @property
    def feed_tensors(self) -> dict[str, Any]:
        """Its inputs."""
        return self._feed_tensors

    @property
    def fetch_tensors(self) -> dict[str, Any]:
        """Its outputs."""
        return self._fetch_tensors

    def __repr__(self) -> str:
        return f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors {self._fetch_tensors}"

    def __call__(self, input_dict: dict[str, Any]) -> Any:
        """The outputs for these inputs.

        Raises:
          ValueError: there is no input of a name.
        """
        unexpected = input_dict.keys() - self._feed_tensors.keys()
        if unexpected:
            raise ValueError(f"Got unexpected keys in input_dict: {unexpected}\nexpected: {set(self._feed_tensors)}")
        feeds = {self._feed_tensors[k]: v for k, v in input_dict.items() if v is not None}
        return self._session.run(self._fetch_tensors, feeds)


class SavedModelPredictor(Predictor):
    """What a SavedModel computes."""

    def __init__(
        self,
        export_dir: Any,
        signature_def_key: str | None = None,
        signature_def: Any = None,
        input_names: dict[str, str] | None = None,
        output_names: dict[str, str] | None = None,
        tags: str | None = None,
        graph: Graph | None = None,
        config: Any = None,
    ) -> None:
        if (input_names is None) != (output_names is None):
            raise ValueError("input_names and output_names must both be specified or both be unspecified.")
        if sum(x is not None for x in (signature_def_key, signature_def, input_names)) > 1:
            raise ValueError(
                "You must specify at most one of signature_def_key OR signature_def OR(input_names AND output_names)."
            )
        self._graph = graph or Graph()
        with self._graph.as_default():
            self._session = Session(config=config)
            meta = load(self._session, [tag.strip() for tag in (tags or "serve").split(",")], export_dir)
        if input_names is None or output_names is None:
            signature = _signature(meta, signature_def_key) if signature_def is None else signature_def
            input_names = {k: v.name for k, v in signature.inputs.items()}
            output_names = {k: v.name for k, v in signature.outputs.items()}
        self._feed_tensors = {k: self._graph.get_tensor_by_name(v) for k, v in input_names.items()}
        self._fetch_tensors = {k: self._graph.get_tensor_by_name(v) for k, v in output_names.items()}


def _signature(meta: Any, key: str | None) -> Any:
    from retrograd.io.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY

    key = key or DEFAULT_SERVING_SIGNATURE_DEF_KEY
    for name in (key, f"default_input_alternative:{key}"):
        if name in meta.signature_def:
            return meta.signature_def[name]
    raise ValueError(f'Got signature_def_key "{key}". Available signatures are {list(meta.signature_def)}.')


def from_saved_model(
    export_dir: Any,
    signature_def_key: str | None = None,
    signature_def: Any = None,
    input_names: dict[str, str] | None = None,
    output_names: dict[str, str] | None = None,
    tags: str | None = None,
    graph: Graph | None = None,
    config: Any = None,
) -> SavedModelPredictor:
    """A SavedModel as a function, by one of its signatures, or by the names of tensors."""
    return SavedModelPredictor(
        export_dir, signature_def_key, signature_def, input_names, output_names, tags, graph, config
    )
