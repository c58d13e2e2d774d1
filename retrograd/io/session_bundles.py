"""Session bundles, which SavedModel replaced: a graph with signatures, and a checkpoint beside it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from retrograd.files import manifests
from retrograd.graph import dtypes, log
from retrograd.graph.deprecation import deprecated
from retrograd.graph.operation import Operation
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.io import gfile
from retrograd.io.saver import Saver
from retrograd.train.training_util import global_step

INIT_OP_KEY = "serving_init_op"
SIGNATURES_KEY = "serving_signatures"
ASSETS_KEY = "serving_assets"
GRAPH_KEY = "serving_graph"

_switch = deprecated("2017-06-30", "No longer supported. Switch to SavedModel immediately.")


@_switch
def gfile_copy_callback(files_to_copy: Mapping[Any, str], export_dir_path: Any) -> None:
    """Copy each file under its name into a folder, in the place of what is there."""
    log.info("Write assets into: %s using gfile_copy.", export_dir_path)
    folder = os.fsdecode(export_dir_path)
    gfile.recursive_create_dir(folder)
    for source, name in files_to_copy.items():
        target = os.path.join(folder, os.fsdecode(name))
        log.info("Copying asset %s to path %s.", source, target)
        if gfile.file_exists(target):
            log.info("Removing file %s.", target)
            gfile.delete_file(target)
        gfile.copy(os.fsdecode(source), target)


@_switch
def regression_signature(input_tensor: Tensor, output_tensor: Tensor) -> Any:
    """The signature of a model that gives numbers."""
    signature = manifests.Signature()
    signature.regression_signature.input.tensor_name = input_tensor.name
    signature.regression_signature.output.tensor_name = output_tensor.name
    return signature


@_switch
def classification_signature(
    input_tensor: Tensor, classes_tensor: Tensor | None = None, scores_tensor: Tensor | None = None
) -> Any:
    """The signature of a model that gives classes, or their scores."""
    signature = manifests.Signature()
    signature.classification_signature.input.tensor_name = input_tensor.name
    if classes_tensor is not None:
        signature.classification_signature.classes.tensor_name = classes_tensor.name
    if scores_tensor is not None:
        signature.classification_signature.scores.tensor_name = scores_tensor.name
    return signature


@_switch
def generic_signature(name_tensor_map: Mapping[str, Tensor]) -> Any:
    """The signature of any model: tensors under names."""
    signature = manifests.Signature()
    for name, tensor in name_tensor_map.items():
        signature.generic_signature.map[name].tensor_name = tensor.name
    return signature


def _packed(proto: Any) -> Any:
    from google.protobuf.any_pb2 import Any as AnyProto

    packed = AnyProto()
    packed.Pack(proto)
    return packed


def _path_in(tensor: Any) -> bytes:
    """The path that a constant holds."""
    if not isinstance(tensor, Tensor):
        raise TypeError("tensor is not a Tensor")
    if tensor.op.type != "Const":
        raise TypeError("Only constants tensor are supported")
    if tensor.dtype != dtypes.string:
        raise TypeError("File paths should be string")
    paths = tensor.op.attrs["value"].ravel().tolist()
    if len(paths) != 1:
        raise TypeError("Only scalar tensors are supported")
    path: bytes = paths[0]
    return path


class Exporter:
    """Writes session bundles: ``init`` once for a graph, ``export`` for each version of its variables."""

    def __init__(self, saver: Any) -> None:
        saver_def = saver.as_saver_def()
        saver_def.ClearField("max_to_keep")
        self._saver = Saver(saver_def=saver_def)
        self._has_init = False
        self._assets_to_copy: dict[bytes, str] = {}

    @_switch
    def init(
        self, graph_def: Any = None, init_op: Any = None, clear_devices: bool = False,
        default_graph_signature: Any = None, named_graph_signatures: Any = None, assets_collection: Any = None,
        assets_callback: Callable[..., Any] | None = gfile_copy_callback,
    ) -> None:  # fmt: skip
        """Put signatures, assets and what initializes the graph into its collections.

        Raises:
          RuntimeError: it is called a second time.
          TypeError: ``init_op`` is no op, or an asset no constant path.
        """
        assets = []
        for tensor in assets_collection or ():
            path = _path_in(tensor)
            if not path:
                raise ValueError(f"invalid asset filepath tensor {tensor}")
            self._assets_to_copy[path] = os.path.basename(path).decode()
            assets.append((self._assets_to_copy[path], tensor))
        if self._has_init:
            raise RuntimeError("init should be called only once")
        self._has_init = True
        graph = default_graph()
        if graph_def or clear_devices:
            copy = graph.as_graph_def() if not graph_def else type(graph_def).FromString(graph_def.SerializeToString())
            for node in copy.node:
                node.device = "" if clear_devices else node.device
            graph.add_to_collection(GRAPH_KEY, _packed(copy))
        if init_op:
            if not isinstance(init_op, Operation):
                raise TypeError(f"init_op needs to be an Operation: {init_op}")
            graph.add_to_collection(INIT_OP_KEY, init_op)
        signatures = manifests.Signatures()
        if default_graph_signature:
            signatures.default_signature.CopyFrom(default_graph_signature)
        for name, signature in (named_graph_signatures or {}).items():
            signatures.named_signatures[name].CopyFrom(signature)
        graph.add_to_collection(SIGNATURES_KEY, _packed(signatures))
        for name, tensor in assets:
            asset = manifests.AssetFile(filename=name)
            asset.tensor_binding.tensor_name = tensor.name
            graph.add_to_collection(ASSETS_KEY, _packed(asset))
        self._assets_callback = assets_callback

    @_switch
    def export(
        self, export_dir_base: Any, global_step_tensor: Any, sess: Any = None, exports_to_keep: Any = None
    ) -> bytes:
        """Write the variables of ``sess``, the graph and its assets into a folder named after the step: its path.

        Raises:
          RuntimeError: ``init`` was not called, or there is such a folder already.
        """
        if not self._has_init:
            raise RuntimeError("init must be called first")
        base = os.fsdecode(export_dir_base).removesuffix("/")
        folder = os.path.join(base, f"{global_step(sess, global_step_tensor):08d}")
        if gfile.file_exists(folder):
            text = "Overwriting exports can cause corruption and are not allowed. Duplicate export dir:"
            raise RuntimeError(f"{text} {folder}")
        written = folder + "-tmp"
        gfile.recursive_create_dir(written)
        self._saver.save(sess, os.path.join(written, "export"), meta_graph_suffix="meta")
        if self._assets_callback and self._assets_to_copy:
            assets = os.path.join(written, "assets")
            gfile.recursive_create_dir(assets)
            self._assets_callback(self._assets_to_copy, assets)
        gfile.rename(written, folder)
        if exports_to_keep:
            _delete_others(base, exports_to_keep)
        return os.fsencode(folder)


# -- which exports to keep -----------------------------------------------------------------------


class Path(NamedTuple):
    """A folder of an export and its version."""

    path: str
    export_version: int | None = None


def largest_export_versions(n: int) -> Callable[[Iterable[Path]], list[Path]]:
    """A function that picks the ``n`` paths of the highest versions."""

    def keep(paths: Iterable[Path]) -> list[Path]:
        versions = sorted((path.export_version or 0, i) for i, path in enumerate(paths))
        given = list(paths)
        return sorted(given[i] for _, i in versions[-n:]) if n else []

    return keep


def one_of_every_n_export_versions(n: int) -> Callable[[Iterable[Path]], list[Path]]:
    """A function that picks the highest version of each ``n``: of those above 0 to n, above n to 2 n, and so on."""

    def keep(paths: Iterable[Path]) -> list[Path]:
        highest: dict[int, Path] = {}
        for path in paths:
            version = path.export_version or 0
            interval = max(-(-version // n) - 1, 0)
            if interval not in highest or (highest[interval].export_version or 0) < version:
                highest[interval] = path
        return sorted(highest.values())

    return keep


def mod_export_version(n: int) -> Callable[[Iterable[Path]], list[Path]]:
    """A function that picks the versions that are multiples of ``n``."""
    return lambda paths: sorted(path for path in paths if (path.export_version or 0) % n == 0)


def union(lf: Callable[[Any], Any], rf: Callable[[Any], Any]) -> Callable[[Iterable[Path]], list[Path]]:
    """A function that picks the paths that one or the other picks."""

    def keep(paths: Iterable[Path]) -> list[Path]:
        given = list(paths)
        return sorted({*lf(given), *rf(given)})

    return keep


def get_paths(base_dir: Any, parser: Callable[[Path], Path | None]) -> list[Path]:
    """The folders in ``base_dir`` as ``parser`` makes them, without those of which it makes None."""
    base = as_text(base_dir)
    found = [Path(os.path.join(base, name.removesuffix("/"))) for name in gfile.list_directory(base)]
    return sorted(path for path in map(parser, found) if path is not None)


def negation(f: Callable[[Any], Any]) -> Callable[[Iterable[Path]], list[Path]]:
    """A function that picks the paths that ``f`` does not."""

    def keep(paths: Iterable[Path]) -> list[Path]:
        return sorted(set(paths) - set(f(paths)))

    return keep


def _delete_others(base: str, exports_to_keep: Callable[[Any], Any]) -> None:
    """Delete the exports in a folder that a function does not pick."""
    names = [name.removesuffix("/") for name in gfile.list_directory(base)]
    paths = [Path(os.path.join(base, name), int(name)) for name in names if re.fullmatch(r"\d{8}", name)]
    for path in negation(exports_to_keep)(sorted(paths)):
        gfile.delete_recursively(path.path)
