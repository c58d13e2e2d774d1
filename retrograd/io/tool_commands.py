"""The tools of ``tensorflow.python.tools`` as commands: ``python -m tensorflow.python.tools.freeze_graph --help``."""

from __future__ import annotations

import ast
from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.graph import Graph
from retrograd.io import tools
from retrograd.io.event_files import FileWriter
from retrograd.io.importing import import_graph_def
from retrograd.io.inference_graphs import optimize_for_inference

_FLOAT = dtypes.float32.as_datatype_enum


def _flags(**flags: tuple[Any, str]) -> Namespace:
    """The flags of the command line: each with its default, whose type it has, and its help; others are passed over."""
    parser = ArgumentParser()
    for name, (default, words) in flags.items():
        if isinstance(default, bool):
            parser.add_argument(f"--{name}", nargs="?", const=True, default=default, type=_truth, help=words)
        else:
            parser.add_argument(f"--{name}", default=default, type=type(default), help=words)
    return parser.parse_known_args()[0]


def _truth(text: str) -> bool:
    return text.lower() == "true"


def run_freeze_graph() -> int:
    """Write a graph with the variables of a checkpoint as constants."""
    flags = _flags(
        input_graph=("", "the file of the GraphDef"),
        input_saver=("", "the file of a SaverDef"),
        input_checkpoint=("", "the checkpoint"),
        checkpoint_version=(2, "the format of checkpoints"),
        output_graph=("", "the file to write"),
        input_binary=(False, "whether the files that are read are binary"),
        output_node_names=("", "nodes that are kept, with commas between them"),
        restore_op_name=("save/restore_all", "not used"),
        filename_tensor_name=("save/Const:0", "not used"),
        clear_devices=(True, "whether devices are forgotten"),
        initializer_nodes=("", "nodes to run before, with commas between them"),
        variable_names_whitelist=("", "the variables that become constants: all by default"),
        variable_names_blacklist=("", "variables that do not"),
        input_meta_graph=("", "the file of a MetaGraphDef"),
        input_saved_model_dir=("", "the folder of a SavedModel"),
        saved_model_tags=("serve", "its tags, with commas between them"),
    )
    tools.freeze_graph(**vars(flags))
    return 0


def run_strip_unused() -> int:
    """Write what a graph computes from some nodes to others."""
    flags = _flags(
        input_graph=("", "the file of the GraphDef"),
        input_binary=(False, "whether it is binary"),
        output_graph=("", "the file to write"),
        output_binary=(True, "whether it is to be binary"),
        input_node_names=("", "nodes that become placeholders, with commas between them"),
        output_node_names=("", "nodes that are kept, with commas between them"),
        placeholder_type_enum=(_FLOAT, "the number of the placeholders' dtype"),
    )
    tools.strip_unused_from_files(**vars(flags))
    return 0


def run_optimize_for_inference() -> int:
    """Write a graph without what only training needs."""
    flags = _flags(
        input=("", "the file of the GraphDef"),
        output=("", "the file to write"),
        input_names=("", "nodes that become placeholders, with commas between them"),
        output_names=("", "nodes that are kept, with commas between them"),
        frozen_graph=(True, "whether the files are binary"),
        placeholder_type_enum=(str(_FLOAT), "the numbers of the placeholders' dtypes, with commas between them"),
        toco_compatible=(False, "whether other runtimes have the ops"),
    )
    graph_def = tools.read_graph_def(flags.input, flags.frozen_graph)
    if graph_def is None:
        return -1
    numbers = [int(n) for n in flags.placeholder_type_enum.split(",")]
    inputs, outputs = flags.input_names.split(","), flags.output_names.split(",")
    optimized = optimize_for_inference(
        graph_def, inputs, outputs, numbers[0] if len(numbers) == 1 else numbers, flags.toco_compatible
    )
    tools.write_graph_def(optimized, flags.output, flags.frozen_graph)
    return 0


def run_inspect_checkpoint() -> int:
    """Print the tensors of a checkpoint."""
    flags = _flags(
        file_name=("", "the checkpoint"),
        tensor_name=("", "the tensor to print"),
        count_exclude_pattern=("", "a regular expression: tensors that do not count"),
        all_tensors=(False, "whether to print the names and values of all"),
        all_tensor_names=(False, "whether to print the names of all"),
        printoptions=("", "an option of numpy.set_printoptions, as k=v"),
    )
    if not flags.file_name:
        print(
            "Usage: inspect_checkpoint --file_name=checkpoint_file_name [--tensor_name=tensor_to_print] "
            "[--all_tensors] [--all_tensor_names] [--printoptions]"
        )
        return 1
    if flags.printoptions:
        name, _, value = flags.printoptions.partition("=")
        np.set_printoptions(**{name: ast.literal_eval(value)})
    tools.print_tensors_in_checkpoint_file(
        flags.file_name, flags.tensor_name, flags.all_tensors, flags.all_tensor_names, flags.count_exclude_pattern
    )
    return 0


def run_import_pb_to_tensorboard() -> int:
    """Write the events of a graph, so that TensorBoard shows it."""
    flags = _flags(model_dir=("", "the file of the GraphDef"), log_dir=("", "the folder of the events"))
    import_to_tensorboard(flags.model_dir, flags.log_dir)
    return 0


def import_to_tensorboard(model_dir: str, log_dir: str) -> None:
    """Write the events of the GraphDef in the file ``model_dir`` to the folder ``log_dir``."""
    with Graph().as_default() as graph:
        graph_def = tools.read_graph_def(model_dir, binary=True)
        if graph_def is None:
            return
        import_graph_def(graph_def)
        with FileWriter(log_dir) as writer:
            writer.add_graph(graph)
    print(f"Model Imported. Visualize by running: tensorboard --logdir={log_dir}")
