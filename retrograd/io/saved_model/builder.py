"""Writing SavedModels."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from retrograd.files.replacing import file_error, replace_file
from retrograd.graph import dtypes, log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_bytes, as_text
from retrograd.io.checkpoint_files import V2
from retrograd.io.saveables import all_saveable_objects
from retrograd.io.saved_model import constants, signature_constants, tag_constants
from retrograd.io.saved_model.messages import (
    get_or_create_assets_dir,
    get_or_create_variables_dir,
    get_variables_path,
    saved_model_class,
)
from retrograd.io.saved_model.signatures import op_signature_def, predict_signature_def
from retrograd.io.saver import Saver
from retrograd.ops import control
from retrograd.state.initialization import global_variables_initializer, local_variables_initializer

# -- builders ----------------------------------------------------------------------------------


class _SavedModelBuilder:
    """Collects graphs for a SavedModel in ``export_dir``, and writes the variables.

    Raises:
      AssertionError: the folder has something in it.
    """

    def __init__(self, export_dir: Any) -> None:
        self._saved_model = saved_model_class()()
        self._saved_model.saved_model_schema_version = constants.SAVED_MODEL_SCHEMA_VERSION
        self._export_dir = as_text(os.fspath(export_dir))
        self._has_saved_variables = False
        if os.path.exists(self._export_dir) and os.listdir(self._export_dir):
            raise AssertionError(
                "Export directory already exists, and isn't empty. Please choose a different export directory, or "
                f"delete all the contents of the specified directory: {self._export_dir}"
            )
        os.makedirs(self._export_dir, exist_ok=True)

    def add_meta_graph(
        self,
        tags: Iterable[str],
        signature_def_map: Any = None,
        assets_list: Any = None,
        clear_devices: bool = False,
        init_op: Any = None,
        train_op: Any = None,
        saver: Any = None,
    ) -> None:
        """Add the default graph; the variables must be there already."""
        self._check_order(True)
        signatures = self._with_ops(signature_def_map, init_op, train_op)
        self._add(tags, signatures, assets_list, saver or _saver(), clear_devices, True)

    def add_meta_graph_and_variables(
        self,
        sess: Any,
        tags: Iterable[str],
        signature_def_map: Any = None,
        assets_list: Any = None,
        clear_devices: bool = False,
        init_op: Any = None,
        train_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Any = None,
    ) -> None:
        """Add the default graph, and write its variables as they are in ``sess``."""
        self._check_order(False)
        signatures = self._with_ops(signature_def_map, init_op, train_op)
        saver = self._save_variables(sess, saver)
        self._add(tags, signatures, assets_list, saver, clear_devices, strip_default_attrs)
        self._has_saved_variables = True

    def _with_ops(self, signature_def_map: Any, init_op: Any, train_op: Any) -> Any:
        signatures = signature_def_map or {}
        _check_signatures(signatures)
        reserved = (constants.INIT_OP_SIGNATURE_KEY, init_op), (constants.TRAIN_OP_SIGNATURE_KEY, train_op)
        for key, op in reserved:
            if op is not None:
                signatures[key] = op_signature_def(op, key)
        return signatures

    def _add(
        self, tags: Iterable[str], signatures: Any, assets: Any, saver: Any, clear_devices: bool, strips: bool
    ) -> None:
        meta = saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strips)

        def note(name: str, tensor: Tensor) -> None:
            asset = meta.asset_file_def.add(filename=name)
            asset.tensor_info.name = tensor.name

        self._save_assets(assets, note)
        self._tag_and_add(meta, tags, signatures)

    def _check_order(self, needs_variables: bool) -> None:
        if self._has_saved_variables and not needs_variables:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. Please invoke `add_meta_graph()` "
                "instead."
            )
        if needs_variables and not self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. Please invoke "
                "`add_meta_graph_and_variables()` first."
            )

    def _save_variables(self, sess: Any, saver: Any) -> Any:
        get_or_create_variables_dir(self._export_dir)
        saver = saver or _saver()
        saver.save(sess, get_variables_path(self._export_dir), write_meta_graph=False, write_state=False)
        return saver

    def _save_assets(self, tensors: Any, note: Callable[[str, Tensor], None]) -> None:
        files: dict[str, str] = {}
        for tensor in tensors if tensors is not None else ():
            source = _path_of(tensor)
            if not source:
                raise ValueError(f"Invalid asset filepath tensor {tensor}")
            name = _free_name(source, files)
            note(name, tensor)
            files[name] = source
        log.info("No assets to save." if tensors is None else "Assets added to graph.")
        if not files:
            log.info("No assets to write.")
            return
        copy_assets_to_destination_dir(files, self._export_dir)

    def _tag_and_add(self, meta: Any, tags: Iterable[str], signatures: Mapping[str, Any]) -> None:
        meta.meta_info_def.tags.extend(tags)
        for key in signatures:
            meta.signature_def[key].CopyFrom(signatures[key])
        self._saved_model.meta_graphs.add().CopyFrom(meta)

    def save(self, as_text: bool = False) -> bytes:
        """Write the file of the graphs, as text if so asked; the result is its path."""
        name = constants.SAVED_MODEL_FILENAME_PBTXT if as_text else constants.SAVED_MODEL_FILENAME_PB
        path = os.path.join(self._export_dir, name)
        content = str(self._saved_model).encode() if as_text else self._saved_model.SerializeToString()
        try:
            os.makedirs(self._export_dir, exist_ok=True)
            replace_file(path, content)
        except OSError as error:
            raise file_error(error, path) from None
        log.info("SavedModel written to: %s", path)
        return path.encode()


class SavedModelBuilder(_SavedModelBuilder):
    """Collects graphs for a SavedModel in ``export_dir``, and writes the variables: the first graph's, once.

    Raises:
      AssertionError: the folder has something in it.
    """

    def add_meta_graph(  # type: ignore[override]
        self,
        tags: Iterable[str],
        signature_def_map: Any = None,
        assets_collection: Any = None,
        legacy_init_op: Any = None,
        clear_devices: bool = False,
        main_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Any = None,
    ) -> None:
        """Add the default graph; the variables must be there already.

        Args:
          tags: what the graph is for.
          signature_def_map: its signatures by their names.
          assets_collection: tensors that hold paths of files, which are copied.
          legacy_init_op: an old name of ``main_op``.
          clear_devices: whether to forget where ops are placed.
          main_op: the op to run once the graph is loaded.
          strip_default_attrs: whether to leave out attributes that are what an op has without them.
          saver: what restores the variables.

        Raises:
          AssertionError: the variables are not there, or a signature is not complete.
        """
        self._check_order(True)
        signatures = signature_def_map or {}
        _check_signatures(signatures)
        self._add_collections(assets_collection, main_op or legacy_init_op)
        meta = (saver or _saver()).export_meta_graph(
            clear_devices=clear_devices, strip_default_attrs=strip_default_attrs
        )
        self._tag_and_add(meta, tags, signatures)

    def add_meta_graph_and_variables(  # type: ignore[override]
        self,
        sess: Any,
        tags: Iterable[str],
        signature_def_map: Any = None,
        assets_collection: Any = None,
        legacy_init_op: Any = None,
        clear_devices: bool = False,
        main_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Any = None,
    ) -> None:
        """Add the default graph, and write its variables as they are in ``sess``; see ``add_meta_graph``."""
        self._check_order(False)
        signatures = signature_def_map or {}
        _check_signatures(signatures)
        self._add_collections(assets_collection, main_op or legacy_init_op)
        saver = self._save_variables(sess, saver)
        meta = saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)
        self._tag_and_add(meta, tags, signatures)
        self._has_saved_variables = True

    def _add_collections(self, assets: Any, main_op: Any) -> None:
        graph = default_graph()

        def note(name: str, tensor: Tensor) -> None:
            graph.add_to_collection(constants.ASSETS_KEY, _noted(name, tensor))

        self._save_assets(assets, note)
        if main_op is None:
            return
        if not isinstance(main_op, Operation):
            raise TypeError(f"main_op needs to be an Operation: {main_op!r}")
        for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
            if graph.get_collection(key):
                raise ValueError(f"Graph already contains one or more main ops under the collection {key}.")
        graph.add_to_collection(constants.MAIN_OP_KEY, main_op)


def _saver() -> Saver:
    return Saver(all_saveable_objects(), sharded=True, write_version=V2, allow_empty=True)


# -- signatures --------------------------------------------------------------------------------


def _check_signatures(signatures: Mapping[str, Any]) -> None:
    for signature in signatures.values():
        for infos in (signature.inputs, signature.outputs):
            for info in infos.values():
                _check_info(info)
    reserved = (constants.INIT_OP_SIGNATURE_KEY, "initialization"), (constants.TRAIN_OP_SIGNATURE_KEY, "the train op")
    for key, use in reserved:
        if key in signatures:
            raise KeyError(f'SignatureDef map key "{key}" is reserved for {use}. Please use a different key.')


def _check_info(info: Any) -> None:
    encoding = info.WhichOneof("encoding")
    if encoding is None:
        raise AssertionError(
            "All TensorInfo protos used in the SignatureDefs must have one of the 'encoding' fields (e.g., name or "
            f"coo_sparse) set: {info}"
        )
    if encoding == "composite_tensor":
        for component in info.composite_tensor.components:
            _check_info(component)
    elif not info.dtype:
        raise AssertionError(f"All TensorInfo protos used in the SignatureDefs must have the dtype field set: {info}")


# -- assets ------------------------------------------------------------------------------------


def _path_of(tensor: Any) -> str:
    """The path that a constant holds."""
    if not isinstance(tensor, Tensor):
        raise TypeError("Asset path tensor must be a Tensor.")
    if tensor.op.type != "Const":
        raise TypeError("Asset path tensor must be of type constant.")
    if tensor.dtype != dtypes.string:
        raise TypeError("Asset path tensor must be of dtype string.")
    value = tensor.op.attrs["value"]
    if value.size != 1:
        raise TypeError("Asset path tensor must be a scalar.")
    return as_text(value.ravel()[0])


def _free_name(source: str, files: Mapping[str, str]) -> str:
    """The name of the copy of ``source``: its own, with a number if another file has it."""
    name = os.path.basename(source)
    if name not in files or files[name] == source or filecmp.cmp(source, files[name], shallow=False):
        return name
    free, i = name, 1
    while free in files:
        free, i = f"{name}_{i}", i + 1
    return free


def _noted(name: str, tensor: Tensor) -> Any:
    """An ``AssetFileDef`` as a message of any kind."""
    from google.protobuf.any_pb2 import Any as AnyProto
    from tensorboard.compat.proto.meta_graph_pb2 import AssetFileDef

    asset = AssetFileDef(filename=name)
    asset.tensor_info.name = tensor.name
    packed = AnyProto()
    packed.Pack(asset)
    return packed


def copy_assets_to_destination_dir(asset_filename_map: Mapping[Any, Any], destination_dir: Any) -> None:
    """Copy files, by their new names, to the folder of assets of a SavedModel; what is there stays."""
    folder = get_or_create_assets_dir(destination_dir)
    for name, source in asset_filename_map.items():
        target = os.path.join(folder, as_text(name))
        try:
            if not os.path.exists(target):
                shutil.copyfile(as_text(source), target)
        except OSError as error:
            raise file_error(error, as_text(source)) from None
    log.info("Assets written to: %s", folder)


# -- in one go ---------------------------------------------------------------------------------


def simple_save(session: Any, export_dir: Any, inputs: Any, outputs: Any, legacy_init_op: Any = None) -> None:
    """Write a SavedModel of the default graph for serving: a function from ``inputs`` to ``outputs`` by their names."""
    signature = predict_signature_def(inputs, outputs)
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session,
        tags=[tag_constants.SERVING],
        signature_def_map={signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        assets_collection=default_graph().get_collection(GraphKeys.ASSET_FILEPATHS),
        main_op=legacy_init_op,
        clear_devices=True,
    )
    builder.save()


def main_op() -> Operation:
    """An op that initializes all variables and tables."""
    first, second = global_variables_initializer(), local_variables_initializer()
    tables = default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS)
    third = control.group(*tables, name="init_all_tables") if tables else control.no_op(name="init_all_tables")
    return control.group(first, second, third)  # type: ignore[no-any-return]


def main_op_with_restore(restore_op_name: Any) -> Operation:
    """``main_op``, and after it the op ``restore_op_name``."""
    with control_dependencies([main_op()]):
        return control.group(restore_op_name)  # type: ignore[no-any-return]


def get_asset_filename_to_add(asset_filepath: Any, asset_filename_map: Mapping[Any, Any]) -> bytes:
    """The name that the copy of a file gets beside those of ``asset_filename_map``."""
    files = {as_text(k): as_text(v) for k, v in asset_filename_map.items()}
    return as_bytes(_free_name(as_text(asset_filepath), files))
