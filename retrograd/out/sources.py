"""What ``retrograd export`` reads: SavedModels, checkpoints with their graphs, and frozen graphs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from retrograd.graph.graph import Graph
from retrograd.graph.tensor import Tensor
from retrograd.io.checkpoint_files import checkpoint_exists, latest_checkpoint
from retrograd.io.importing import import_graph_def
from retrograd.io.saved_model.loader import load, maybe_saved_model_directory
from retrograd.io.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from retrograd.io.saver import import_meta_graph
from retrograd.out.programs import export_program
from retrograd.run.session import Session


def export_source(
    source: str,
    folder: str,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    signature: str | None = None,
    tags: str = "serve",
    shapes: Mapping[str, Any] | None = None,
) -> tuple[list[str], list[str]]:
    """Write the program and the weights of ``source`` to ``folder``; the names of its inputs and outputs.

    Args:
      source: the folder of a SavedModel, the path of a checkpoint beside its ``.meta`` file, a folder of
        checkpoints, or the file of a frozen graph.
      inputs, outputs: the names of tensors, which a SavedModel's signature says itself.
      signature: the signature of a SavedModel, by default the one for serving.
      tags: the tags of its graph, with commas between them.

    Raises:
      ValueError: there is no such thing, or it is not said what goes in and out.
    """
    with Graph().as_default() as graph, Session() as session:
        named = _loaded(session, source, signature, tags)
        if named is None:
            if not outputs:
                raise ValueError(f"{source} has no signature: name what it gives, as in  --outputs logits:0")
            ins = {_label(name): _tensor(graph, name) for name in inputs}
            outs = {_label(name): _tensor(graph, name) for name in outputs}
        else:
            ins = {key: graph.get_tensor_by_name(info.name) for key, info in named.inputs.items()}
            outs = {key: graph.get_tensor_by_name(info.name) for key, info in named.outputs.items()}
        export_program(folder, outs, ins, session, shapes=shapes)
        return list(ins), list(outs)


def _loaded(session: Any, source: str, signature: str | None, tags: str) -> Any:
    """Load ``source`` into the session; the result is its signature, if it has any."""
    if maybe_saved_model_directory(source):
        meta = load(session, tags.split(","), source)
        key = signature or DEFAULT_SERVING_SIGNATURE_DEF_KEY
        if key not in meta.signature_def:
            raise ValueError(f"{source} has no signature {key!r}; it has {sorted(meta.signature_def)}")
        return meta.signature_def[key]
    path = latest_checkpoint(source) if os.path.isdir(source) else source.removesuffix(".meta")
    if path is not None and checkpoint_exists(path) and os.path.exists(f"{path}.meta"):
        saver = import_meta_graph(f"{path}.meta", clear_devices=True)
        if saver is not None:
            saver.restore(session, path)
        return None
    if os.path.isfile(source):
        _import_frozen(source)
        return None
    raise ValueError(
        f"{source} is no SavedModel, no checkpoint with a .meta file beside it, and no file of a frozen graph"
    )


def _import_frozen(path: str) -> None:
    from google.protobuf.message import DecodeError
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    with open(path, "rb") as file:
        content = file.read()
    try:
        import_graph_def(GraphDef.FromString(content), name="")
    except DecodeError as error:
        raise ValueError(f"{path} holds no GraphDef: {error}") from None


def _tensor(graph: Graph, name: str) -> Tensor:
    tensor: Tensor = graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
    return tensor


def _label(name: str) -> str:
    return name.removesuffix(":0")
