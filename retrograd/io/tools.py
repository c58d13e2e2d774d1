"""What the tools of ``tensorflow.python.tools`` do when programs call them: freeze a graph, print a checkpoint."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from retrograd.graph.errors import OpError
from retrograd.graph.stack import default_graph
from retrograd.io import gfile
from retrograd.io.checkpoint_files import checkpoint_exists
from retrograd.io.checkpoint_values import CheckpointReader
from retrograd.io.graph_defs import convert_variables_to_constants
from retrograd.io.importing import import_graph_def
from retrograd.io.inference_graphs import strip_unused
from retrograd.io.saved_model import loader
from retrograd.io.saver import Saver, import_meta_graph
from retrograd.run.session import Session


def freeze_graph(
    input_graph: str,
    input_saver: str,
    input_binary: bool,
    input_checkpoint: str,
    output_node_names: str,
    restore_op_name: str,
    filename_tensor_name: str,
    output_graph: str,
    clear_devices: bool,
    initializer_nodes: str,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph: str | None = None,
    input_saved_model_dir: str | None = None,
    saved_model_tags: str = "serve",
    checkpoint_version: int = 2,
) -> Any:
    """The GraphDef in ``input_graph`` with its variables as constants of the checkpoint's values.

    Args:
      input_graph, input_meta_graph, input_saved_model_dir: the file of the graph, one of these.
      input_saver: a file that holds a ``SaverDef``, or ``""``.
      input_binary: are these files binary, and not text?
      output_node_names: what is kept, with all that it follows from; names with commas between them.
      restore_op_name, filename_tensor_name: not used.
      output_graph: the file to write, or ``""``.
      initializer_nodes: what to run after the checkpoint has been read, or ``""``.

    Raises:
      IOError, ValueError: a file is not there, or no output is named.
    """
    from tensorboard.compat.proto.graph_pb2 import GraphDef
    from tensorboard.compat.proto.meta_graph_pb2 import MetaGraphDef
    from tensorboard.compat.proto.saver_pb2 import SaverDef

    graph_def = _read(input_graph, GraphDef(), input_binary, "Input graph file")
    meta_graph = _read(input_meta_graph, MetaGraphDef(), input_binary, "Input meta graph file")
    saver_def = _read(input_saver, SaverDef(), input_binary, "Input saver file")
    if input_saved_model_dir:
        wanted = set(saved_model_tags.replace(" ", "").split(","))
        models = loader.parse_saved_model(input_saved_model_dir).meta_graphs
        graph_def = next((m.graph_def for m in models if set(m.meta_info_def.tags) == wanted), None)
    return freeze_graph_with_def_protos(
        graph_def, saver_def, input_checkpoint, output_node_names, restore_op_name, filename_tensor_name,
        output_graph, clear_devices, initializer_nodes, variable_names_whitelist, variable_names_blacklist,
        meta_graph, input_saved_model_dir, saved_model_tags.replace(" ", "").split(","), checkpoint_version,
    )  # fmt: skip


def freeze_graph_with_def_protos(
    input_graph_def: Any,
    input_saver_def: Any,
    input_checkpoint: str | None,
    output_node_names: str,
    restore_op_name: str,
    filename_tensor_name: str,
    output_graph: str,
    clear_devices: bool,
    initializer_nodes: str,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph_def: Any = None,
    input_saved_model_dir: str | None = None,
    saved_model_tags: Any = None,
    checkpoint_version: int = 2,
) -> Any:
    """`freeze_graph` of protocol buffers; the graph is built in the default graph."""
    if not input_saved_model_dir and not checkpoint_exists(str(input_checkpoint)):
        raise ValueError(f"Input checkpoint '{input_checkpoint}' doesn't exist!")
    if not output_node_names:
        raise ValueError("You need to supply the name of a node to --output_node_names.")
    graph_def = input_meta_graph_def.graph_def if input_meta_graph_def else input_graph_def
    if clear_devices:
        for node in graph_def.node:
            node.device = ""
    if not input_meta_graph_def:
        import_graph_def(graph_def, name="")
    with Session() as sess:
        if input_saved_model_dir:
            loader.load(sess, saved_model_tags, input_saved_model_dir)
        elif input_saver_def or input_meta_graph_def:
            saver: Any = (
                Saver(saver_def=input_saver_def, write_version=checkpoint_version)
                if input_saver_def
                else import_meta_graph(input_meta_graph_def, clear_devices=True)
            )
            saver.restore(sess, input_checkpoint)
        else:
            _saver_of(input_checkpoint, checkpoint_version).restore(sess, input_checkpoint)
        if initializer_nodes:
            sess.run(_names(initializer_nodes))
        frozen = convert_variables_to_constants(
            sess,
            graph_def,
            _names(output_node_names) or [],
            variable_names_whitelist=_names(variable_names_whitelist),
            variable_names_blacklist=_names(variable_names_blacklist),
        )
    if output_graph:
        with gfile.GFile(output_graph, "wb") as file:
            file.write(frozen.SerializeToString())
    return frozen


def _saver_of(checkpoint: Any, version: int) -> Saver:
    """What restores those variables of the default graph that a checkpoint has.

    Raises:
      ValueError: one is in parts, of which nodes alone say nothing.
    """
    try:
        return Saver(_variables_of(checkpoint), write_version=version)
    except TypeError:
        if not any(re.search(r"/part_\d+/", op.name) for op in default_graph().get_operations()):
            raise
        raise ValueError(
            "Models containing partition variables cannot be converted from checkpoint files. Please pass in a "
            "SavedModel using the flag --input_saved_model_dir."
        ) from None


def _names(text: str) -> list[str] | None:
    return text.replace(" ", "").split(",") if text else None


def strip_unused_from_files(
    input_graph: str,
    input_binary: bool,
    output_graph: str,
    output_binary: bool,
    input_node_names: str,
    output_node_names: str,
    placeholder_type_enum: Any,
) -> Any:
    """`strip_unused` of a file, to a file; names have commas between them.  -1 if there is no file, or no output."""
    graph_def = read_graph_def(input_graph, input_binary)
    if graph_def is None:
        return -1
    if not output_node_names:
        print("You need to supply the name of a node to --output_node_names.")
        return -1
    inputs, outputs = input_node_names.split(","), output_node_names.split(",")
    stripped = strip_unused(graph_def, inputs, outputs, placeholder_type_enum)
    write_graph_def(stripped, output_graph, output_binary)
    print(f"{len(stripped.node)} ops in the final graph.")
    return None


def read_graph_def(path: str, binary: bool) -> Any:
    """The GraphDef in a file; None, and a line that says so, if there is no file."""
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    if not gfile.file_exists(path):
        print(f"Input graph file '{path}' does not exist!")
        return None
    return _read(path, GraphDef(), binary, "Input graph file")


def write_graph_def(graph_def: Any, path: str, binary: bool) -> None:
    """Write a GraphDef to a file."""
    from google.protobuf import text_format

    with gfile.GFile(path, "wb" if binary else "w") as file:
        file.write(graph_def.SerializeToString() if binary else text_format.MessageToString(graph_def))


def _read(path: str | None, proto: Any, binary: bool, what: str) -> Any:
    """``proto`` with what a file holds; None without a path."""
    if not path:
        return None
    if not gfile.file_exists(path):
        raise OSError(f"{what} '{path}' does not exist!")
    with gfile.GFile(path, "rb" if binary else "r") as file:
        if binary:
            proto.ParseFromString(file.read())
        else:
            from google.protobuf import text_format

            text_format.Parse(file.read(), proto)
    return proto


def _variables_of(checkpoint: Any) -> dict[str, Any]:
    """The tensors of the default graph that a checkpoint has values for."""
    graph = default_graph()
    ops = {op.name for op in graph.get_operations()}
    names = CheckpointReader(checkpoint).get_variable_to_shape_map()
    return {name: graph.get_tensor_by_name(f"{name}:0") for name in names if name in ops}


def print_tensors_in_checkpoint_file(
    file_name: str,
    tensor_name: str,
    all_tensors: bool,
    all_tensor_names: bool = False,
    count_exclude_pattern: str = "",
) -> None:
    """Print the values of one or of all tensors of a checkpoint, else their names and shapes, and their sizes' sum.

    Args:
      all_tensor_names: with ``all_tensors`` or without, every name.
      count_exclude_pattern: a regular expression: names that do not count.
    """
    try:
        reader = CheckpointReader(file_name)
        shapes = dict(sorted(reader.get_variable_to_shape_map().items()))
        if all_tensors or all_tensor_names:
            for name in shapes:
                print("tensor_name: ", name)
                if all_tensors:
                    print(reader.get_tensor(name))
        elif tensor_name:
            print("tensor_name: ", tensor_name)
            print(reader.get_tensor(tensor_name))
        else:
            print(reader.debug_string().decode())
        counted = [n for n in shapes if not count_exclude_pattern or not re.search(count_exclude_pattern, n)]
        print(f"# Total number of params: {sum(int(np.prod(shapes[name])) for name in counted)}")
    except OpError as error:
        print(error.message.split("\n")[0])
