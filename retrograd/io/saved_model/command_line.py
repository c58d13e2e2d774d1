"""``saved_model_cli``: what a SavedModel holds, and its signatures run on arrays of files.

retrograd run -m tensorflow.python.tools.saved_model_cli show --dir /tmp/model --all
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from retrograd.graph.graph import Graph
from retrograd.graph.specs import TensorSpec
from retrograd.io.saved_model import loader
from retrograd.io.saved_model.structures import StructureCoder
from retrograd.run.session import Session

_OP_BLACKLIST = {"WriteFile", "ReadFile", "PrintV2"}  # what changes files or prints


# -- what a SavedModel holds -------------------------------------------------------------------


def read_saved_model(saved_model_dir: str) -> Any:
    """The ``SavedModel`` of a folder.

    Raises:
      OSError: there is none, or it is damaged.
    """
    if not loader.maybe_saved_model_directory(saved_model_dir):
        raise OSError(f"SavedModel file does not exist at: {saved_model_dir}")
    return loader.parse_saved_model(saved_model_dir)


def get_saved_model_tag_sets(saved_model_dir: str) -> list[list[str]]:
    """The tags of each graph of a SavedModel."""
    return [list(meta.meta_info_def.tags) for meta in read_saved_model(saved_model_dir).meta_graphs]


def get_meta_graph_def(saved_model_dir: str, tag_set: str) -> Any:
    """The ``MetaGraphDef`` that has exactly the tags in ``tag_set``, with commas between them.

    Raises:
      RuntimeError: there is none.
    """
    wanted = set(tag_set.split(","))
    for meta in read_saved_model(saved_model_dir).meta_graphs:
        if set(meta.meta_info_def.tags) == wanted:
            return meta
    raise RuntimeError(f"MetaGraphDef associated with tag-set {tag_set} could not be found in SavedModel")


def show(args: argparse.Namespace) -> None:
    """Print what ``args`` ask for: everything, the tags, the signatures of some tags, or one signature."""
    if args.all:
        for tags in get_saved_model_tag_sets(args.dir):
            _show_all(args.dir, ",".join(tags))
    elif args.tag_set is None:
        sets = sorted(get_saved_model_tag_sets(args.dir))
        print("The given SavedModel contains the following tag-sets:")
        for tags in sets:
            print(", ".join(tags))
    elif args.signature_def is None:
        signatures = get_meta_graph_def(args.dir, args.tag_set).signature_def
        print("The given SavedModel MetaGraphDef contains SignatureDefs with the following keys:")
        for key in sorted(signatures):
            print(f'SignatureDef key: "{key}"')
    else:
        _show_signature(get_meta_graph_def(args.dir, args.tag_set).signature_def[args.signature_def])


def _show_all(saved_model_dir: str, tag_set: str) -> None:
    meta = get_meta_graph_def(saved_model_dir, tag_set)
    print(f"\nMetaGraphDef with tag-set: '{tag_set}' contains the following SignatureDefs:")
    for key in sorted(meta.signature_def):
        print(f"\nsignature_def['{key}']:")
        _show_signature(meta.signature_def[key], "  ")
    if meta.HasField("object_graph_def"):
        _show_functions(meta.object_graph_def)


def _show_signature(signature: Any, indent: str = "") -> None:
    for kind, tensors in (("input", signature.inputs), ("output", signature.outputs)):
        print(f"{indent}The given SavedModel SignatureDef contains the following {kind}(s):")
        for key in sorted(tensors):
            print(f"{indent}  {kind}s['{key}'] tensor_info:")
            _print_tensor_info(tensors[key], f"{indent}      ")
    print(f"{indent}Method name is: {signature.method_name}")


def _print_tensor_info(tensor_info: Any, indent: str = "") -> None:
    from tensorboard.compat.proto.types_pb2 import DataType

    dims = [str(dim.size) for dim in tensor_info.tensor_shape.dim]
    known = f"({', '.join(dims)})"
    print(f"{indent}dtype: {DataType.Name(tensor_info.dtype)}")
    print(f"{indent}shape: {'unknown_rank' if tensor_info.tensor_shape.unknown_rank else known}")
    print(f"{indent}name: {tensor_info.name}")


def _show_functions(objects: Any) -> None:
    """Print the functions of the object that was saved, and for which arguments each was traced."""
    functions = {
        child.local_name: objects.nodes[child.node_id].function
        for child in objects.nodes[0].children
        if objects.nodes[child.node_id].WhichOneof("kind") == "function"
    }
    if functions:
        print("\nDefined Functions:")
    for i, name in enumerate(sorted(functions)):
        print(f"{chr(10) if i else ''}  Function Name: '{name}'")
        for option, traced in enumerate(sorted(functions[name].concrete_functions), 1):
            print(f"    Option #{option}\n      Callable with:")
            signature = objects.concrete_functions[traced].canonicalized_input_signature
            args, kwargs = StructureCoder().decode_proto(signature)
            for place, value in enumerate(args, 1):
                _show_argument(f"Argument #{place}", None, value)
            for place, (key, value) in enumerate(sorted(kwargs.items()), 1):
                _show_argument(f"Named Argument #{place}", key, value)


def _show_argument(title: str, key: str | None, value: Any) -> None:
    print(f"        {title}")
    if key is not None and not isinstance(value, TensorSpec):
        print(f"          {key}")
    if isinstance(value, TensorSpec):
        print(f"          {value.name}: {value!r}")
    else:
        print(f"          DType: {type(value).__name__}\n          Value: {value}")


def scan(args: argparse.Namespace) -> None:
    """Print which ops change files or print, of all graphs or of that of some tags."""
    sets = [args.tag_set.split(",")] if args.tag_set else get_saved_model_tag_sets(args.dir)
    for tags in sets:
        found = _ops_of(get_meta_graph_def(args.dir, ",".join(tags)).graph_def) & _OP_BLACKLIST
        if found:
            print(f"MetaGraph with tag set {tags} contains the following blacklisted ops:", found)
        else:
            print(f"MetaGraph with tag set {tags} does not contain blacklisted ops.")


def _ops_of(graph_def: Any) -> set[str]:
    bodies = [f.node_def for f in graph_def.library.function]
    return {node.op for nodes in (graph_def.node, *bodies) for node in nodes}


# -- running a signature -----------------------------------------------------------------------


def run(args: argparse.Namespace) -> None:
    """Run a signature on what ``args`` give.

    Raises:
      AttributeError: they give nothing.
    """
    if not (args.inputs or args.input_exprs or args.input_examples):
        raise AttributeError("At least one of --inputs, --input_exprs or --input_examples must be required")
    feeds = load_inputs_from_input_arg_string(args.inputs, args.input_exprs, args.input_examples)
    run_saved_model_with_feed_dict(
        args.dir, args.tag_set, args.signature_def, feeds, args.outdir, args.overwrite, args.worker, args.init_tpu,
        args.tf_debug,
    )  # fmt: skip


def run_saved_model_with_feed_dict(
    saved_model_dir: str, tag_set: str, signature_def_key: str, input_tensor_key_feed_dict: Mapping[str, Any],
    outdir: str | None, overwrite_flag: bool, worker: str | None = None, init_tpu: bool = False,
    tf_debug: bool = False,
) -> None:  # fmt: skip
    """Print what a signature gives, and write it to files ``<output>.npy`` in ``outdir``.

    Raises:
      ValueError: an input is none of the signature's.
      RuntimeError: a file is there already, and is not to be overwritten.
      NotImplementedError: a debugger or a TPU is asked for.
    """
    if init_tpu or tf_debug:
        raise NotImplementedError(f"--{'init_tpu' if init_tpu else 'tf_debug'} needs what only TensorFlow has")
    signature = get_meta_graph_def(saved_model_dir, tag_set).signature_def[signature_def_key]
    inputs, outputs = signature.inputs, signature.outputs
    for key in input_tensor_key_feed_dict:
        if key not in inputs:
            valid = '"' + '", "'.join(sorted(inputs)) + '"'
            raise ValueError(f'"{key}" is not a valid input key. Please choose from {valid}, or use --show option.')
    graph = Graph()
    with graph.as_default(), Session(worker or "", graph) as session:
        loader.load(session, tag_set.split(","), saved_model_dir)
        keys = sorted(outputs)
        feeds = {inputs[key].name: value for key, value in input_tensor_key_feed_dict.items()}
        results = session.run([outputs[key].name for key in keys], feeds)
    for key, value in zip(keys, results, strict=True):
        print(f"Result for output key {key}:\n{value}")
        if outdir:
            _write(os.path.join(outdir, f"{key}.npy"), value, overwrite_flag)
            print(f"Output {key} is saved to {os.path.join(outdir, f'{key}.npy')}")


def _write(path: str, value: Any, may_overwrite: bool) -> None:
    if os.path.exists(path) and not may_overwrite:
        raise RuntimeError(
            f'Output file {path} already exists. Add "--overwrite" to overwrite the existing output files.'
        )
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    np.save(path, np.asarray(value).astype("S") if np.asarray(value).dtype == object else value)


# -- what is fed -------------------------------------------------------------------------------


def load_inputs_from_input_arg_string(inputs_str: str, input_exprs_str: str, input_examples_str: str) -> dict[str, Any]:
    """What the inputs are fed: arrays of files, values of expressions, serialized examples; the last one counts.

    Raises:
      RuntimeError: a text is not of the form, or a file has not the array.
    """
    feeds = {key: _array(*place) for key, place in preprocess_inputs_arg_string(inputs_str).items()}
    feeds.update(preprocess_input_exprs_arg_string(input_exprs_str))
    feeds.update(preprocess_input_examples_arg_string(input_examples_str))
    return feeds


def _array(filename: str, variable: str | None) -> Any:
    try:
        data = np.load(filename, allow_pickle=False)
    except ValueError as error:
        raise RuntimeError(f"Input file {filename} is no .npy or .npz file; pickles are not read: {error}") from None
    if isinstance(data, np.ndarray):
        return data
    if variable is None and len(data.files) != 1:
        raise RuntimeError(
            f"Input file {filename} contains more than one ndarrays. Please specify the name of ndarray to use."
        )
    if variable is not None and variable not in data.files:
        raise RuntimeError(f'Input file {filename} does not contain variable with name "{variable}".')
    return data[data.files[0] if variable is None else variable]


def _items(text: str) -> Iterable[str]:
    return filter(bool, (text or "").split(";"))


_OF_FILE = re.compile(r"([^=]+)=([^\[\]]+)(?:\[([^\[\]]+)\])?")


def preprocess_inputs_arg_string(inputs_str: str) -> dict[str, tuple[str, str | None]]:
    """File and name of the array of each input, of ``<input>=<file>[<array>];...``."""
    found: dict[str, tuple[str, str | None]] = {}
    for item in _items(inputs_str):
        match = _OF_FILE.fullmatch(item)
        if match is None:
            raise RuntimeError(
                f'--inputs "{item}" format is incorrect. Please follow"<input_key>=<filename>", or'
                '"<input_key>=<filename>[<variable_name>]"'
            )
        found[match[1]] = match[2], match[3]
    return found


def preprocess_input_exprs_arg_string(input_exprs_str: str) -> dict[str, Any]:
    """The value of each input, of ``<input>=<expression>;...``; ``np`` is NumPy."""
    found = {}
    for item in _items(input_exprs_str):
        if "=" not in item:
            raise RuntimeError(
                f'--input_exprs "{item}" format is incorrect. Please follow"<input_key>=<python expression>"'
            )
        key, _, expression = item.partition("=")
        found[key] = eval(expression, {"np": np})  # the user's own command line
    return found


def preprocess_input_examples_arg_string(input_examples_str: str) -> dict[str, list[bytes]]:
    """The serialized examples of each input, of ``<input>=[{<feature>: [<value>, ...]}, ...];...``.

    Raises:
      ValueError: they are no list of dictionaries of lists.
    """
    found = {}
    for key, examples in preprocess_input_exprs_arg_string(input_examples_str).items():
        if not isinstance(examples, list):
            raise ValueError(f'tf.Example input must be a list of dictionaries, but "{examples}" is {type(examples)}')
        found[key] = [_example(features) for features in examples]
    return found


def _example(features: Mapping[str, Any]) -> bytes:
    from retrograd.files.messages import Example

    example = Example()
    for name, values in features.items():
        if not isinstance(values, list):
            raise ValueError(f'feature value must be a list, but {name}: "{values}" is {type(values)}')
        feature, first = example.features.feature[name], values[0] if values else 0.0
        if isinstance(first, str | bytes):
            feature.bytes_list.value.extend(v.encode() if isinstance(v, str) else v for v in values)
        elif isinstance(first, float):
            feature.float_list.value.extend(values)
        elif isinstance(first, int | np.integer):
            feature.int64_list.value.extend(values)
        else:
            raise ValueError(f"Type {type(first)} for value {first} is not supported for tf.train.Feature.")
    serialized: bytes = example.SerializeToString()
    return serialized


# -- the command -------------------------------------------------------------------------------


def create_parser() -> argparse.ArgumentParser:
    """The parser of ``show``, ``run`` and ``scan``; ``args.func(args)`` does it."""
    parser = argparse.ArgumentParser("saved_model_cli", description="Looks into SavedModels and runs them.")
    parser.add_argument("-v", "--version", action="version", version="0.1.0")
    commands = parser.add_subparsers(title="commands")
    folder = argparse.ArgumentParser(add_help=False)
    folder.add_argument("--dir", required=True, help="the folder of the SavedModel")

    shows = commands.add_parser("show", parents=[folder], help="print tags, signatures and functions")
    shows.add_argument("--all", action="store_true", help="everything")
    shows.add_argument("--tag_set", help="tags of a graph, with commas between them")
    shows.add_argument("--signature_def", metavar="SIGNATURE_DEF_KEY", help="the signature")
    shows.set_defaults(func=show)

    runs = commands.add_parser("run", parents=[folder], help="run a signature")
    runs.add_argument("--tag_set", required=True, help="tags of a graph, with commas between them")
    runs.add_argument("--signature_def", required=True, metavar="SIGNATURE_DEF_KEY", help="the signature")
    runs.add_argument("--inputs", default="", help="<input>=<file.npy>;<input>=<file.npz>[<array>]")
    runs.add_argument("--input_exprs", default="", help="<input>=<Python expression>; NumPy is np")
    runs.add_argument("--input_examples", default="", help="<input>=[{<feature>: [<value>, ...]}, ...]")
    runs.add_argument("--outdir", help="where to write outputs")
    runs.add_argument("--overwrite", action="store_true", help="also over files that are there")
    runs.add_argument("--tf_debug", action="store_true", help="not there")
    runs.add_argument("--worker", help="the session's target")
    runs.add_argument("--init_tpu", action="store_true", help="not there")
    runs.set_defaults(func=run)

    scans = commands.add_parser("scan", parents=[folder], help="print which ops change files or print")
    scans.add_argument("--tag_set", help="tags of a graph, with commas between them")
    scans.set_defaults(func=scan)
    return parser


def main() -> int:
    """Run the command line."""
    args = create_parser().parse_args()
    if not hasattr(args, "func"):
        create_parser().error("too few arguments")
    args.func(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
