"""Graphs made smaller for inference: ``tensorflow.python.tools.optimize_for_inference_lib`` and ``strip_unused_lib``.

A normalization behind a convolution whose numbers are all constants is folded into its filters,
    scale = gamma / sqrt(variance + epsilon),  w' = w scale,  y = conv(x, w') + (beta - mean scale),
and a convolution takes over the resizing and the mirrored borders of its images.  Source: TensorFlow 1.15.5.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes, log
from retrograd.graph.protos import make_ndarray, make_tensor_proto, node_of
from retrograd.io.graph_defs import extract_sub_graph, remove_training_nodes

# where the inputs of a normalization stand
INPUT_ORDER = {
    "BatchNormWithGlobalNormalization": ["conv_op", "mean_op", "var_op", "beta_op", "gamma_op"],
    "FusedBatchNorm": ["conv_op", "gamma_op", "beta_op", "mean_op", "var_op"],
}
EPSILON_ATTR = {"BatchNormWithGlobalNormalization": "variance_epsilon", "FusedBatchNorm": "epsilon"}


def optimize_for_inference(
    input_graph_def: Any, input_node_names: Sequence[str], output_node_names: Sequence[str],
    placeholder_type_enum: Any, toco_compatible: bool = False,
) -> Any:  # fmt: skip
    """What the outputs need of the inputs, without what only training needs.

    Args:
      placeholder_type_enum: the dtype of the inputs, or one for each.
      toco_compatible: leave resizing and borders outside the convolutions.

    Raises:
      ValueError: two nodes have one name, or a node reads one that is not there.
    """
    ensure_graph_is_valid(input_graph_def)
    graph = strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum)
    graph = remove_training_nodes(graph, output_node_names)
    graph = fold_batch_norms(graph)
    if not toco_compatible:
        graph = fuse_resize_and_conv(graph, output_node_names)
    ensure_graph_is_valid(graph)
    return graph


def strip_unused(
    input_graph_def: Any, input_node_names: Sequence[str], output_node_names: Sequence[str], placeholder_type_enum: Any
) -> Any:
    """What the outputs need, with placeholders in the place of the inputs.

    Raises:
      ValueError: an input is a tensor's name.
      KeyError: an input is not in the graph.
    """
    for name in input_node_names:
        if ":" in name:
            raise ValueError(f"Name '{name}' appears to refer to a Tensor, not a Operation.")
    absent = set(input_node_names) - {node.name for node in input_graph_def.node}
    if absent:
        raise KeyError(f"The following input nodes were not found: {absent}")
    graph = type(input_graph_def)()
    for node in input_graph_def.node:
        if node.name not in input_node_names:
            graph.node.add().CopyFrom(node)
            continue
        new = graph.node.add(op="Placeholder", name=node.name)
        one_for_each = isinstance(placeholder_type_enum, list)
        dtype = (
            placeholder_type_enum[list(input_node_names).index(node.name)] if one_for_each else placeholder_type_enum
        )
        new.attr["dtype"].type = int(dtypes.as_dtype(dtype).as_datatype_enum)
        for key in ("_output_shapes", "shape"):
            if key in node.attr:
                new.attr[key].CopyFrom(node.attr[key])
    return extract_sub_graph(graph, list(output_node_names))


# -- nodes by their names ------------------------------------------------------------------------


def ensure_graph_is_valid(graph_def: Any) -> None:
    """Raise ``ValueError`` unless names are unique and inputs are there."""
    nodes = _by_name(graph_def)
    for node in graph_def.node:
        for name in node.input:
            if node_name_from_input(name) not in nodes:
                raise ValueError("Input for ", node.name, " not found: ", name)


def _by_name(graph_def: Any) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    for node in graph_def.node:
        if node.name in nodes:
            raise ValueError("Duplicate node names detected for ", node.name)
        nodes[node.name] = node
    return nodes


def node_name_from_input(node_name: str) -> str:
    """The node whose output an input names."""
    return re.sub(r":\d+$", "", node_name.removeprefix("^"))


def node_from_map(node_map: dict[str, Any], name: str) -> Any:
    """The node whose output ``name`` is; ``ValueError`` if there is none."""
    if node_name_from_input(name) not in node_map:
        raise ValueError(f"No node named '{name}' found in map.")
    return node_map[node_name_from_input(name)]


def values_from_const(node_def: Any) -> np.ndarray:
    """The values of a constant; ``ValueError`` if the node is none."""
    if node_def.op != "Const":
        raise ValueError(f"Node named '{node_def.name}' should be a Const op for values_from_const.")
    return make_ndarray(node_def.attr["value"].tensor)


def scale_after_normalization(node: Any) -> bool:
    """Whether a normalization multiplies by gamma."""
    if node.op == "BatchNormWithGlobalNormalization":
        return bool(node.attr["scale_after_normalization"].b)
    return True


def _add_const(graph: Any, name: str, dtype: Any, values: np.ndarray, kind: np.dtype) -> None:
    node = graph.node.add(op="Const", name=name)
    node.attr["dtype"].CopyFrom(dtype)
    node.attr["value"].tensor.CopyFrom(make_tensor_proto(values.astype(kind), kind.type, values.shape))


# -- normalizations folded into filters ----------------------------------------------------------


def fold_batch_norms(input_graph_def: Any) -> Any:
    """The graph with each normalization of constants folded into the filters of the convolution before it."""
    nodes = _by_name(input_graph_def)
    folded: set[str] = set()
    new = type(input_graph_def)()
    for node in input_graph_def.node:
        if node.op in INPUT_ORDER:
            folded |= _folded(node, nodes, new)
    result = type(input_graph_def)()
    result.node.extend(node for node in input_graph_def.node if node.name not in folded)
    result.node.extend(new.node)
    return result


def _folded(node: Any, nodes: dict[str, Any], new: Any) -> set[str]:
    """Add to ``new`` what replaces a normalization; the names of what it replaces, none if it has to stay."""
    parts = {word: node_from_map(nodes, name) for word, name in zip(INPUT_ORDER[node.op], node.input, strict=False)}
    conv = parts.pop("conv_op")
    if conv.op not in ("Conv2D", "DepthwiseConv2dNative"):
        log.warning(f"Didn't find expected Conv2D or DepthwiseConv2dNative input to '{node.name}'")
        return set()
    weights_op = node_from_map(nodes, conv.input[1])
    if weights_op.op != "Const":
        log.warning(_not_constant("conv", conv.name, weights_op))
        return set()
    weights = values_from_const(weights_op)
    channels = weights.shape[3] if conv.op == "Conv2D" else weights.shape[2] * weights.shape[3]
    values = {}
    for word in ("mean", "var", "beta", "gamma"):
        part = parts[f"{word}_op"]
        if part.op != "Const":
            log.warning(_not_constant(word, node.name, part))
            return set()
        values[word] = values_from_const(part)
        if values[word].shape != (channels,):
            log.warning(
                f"Incorrect shape for {word}, found {values[word].shape}, expected {(channels,)}, for node {node.name}"
            )
            return set()
    epsilon = node.attr[EPSILON_ATTR[node.op]].f
    scale = 1.0 / np.array([math.sqrt(v) for v in values["var"] + epsilon])
    if scale_after_normalization(node):
        scale = scale * values["gamma"]
    offset = -values["mean"] * scale + values["beta"]
    spread = scale if conv.op == "Conv2D" else scale.reshape(weights.shape[2:])
    _add_const(new, weights_op.name, weights_op.attr["dtype"], weights * spread, weights.dtype)
    new.node.add().CopyFrom(conv)
    mean_op = parts["mean_op"]
    _add_const(new, f"{conv.name}_bn_offset", mean_op.attr["dtype"], offset, values["mean"].dtype)
    bias = new.node.add(op="BiasAdd", name=node.name, input=[conv.name, f"{conv.name}_bn_offset"])
    for key in ("T", "data_format"):
        bias.attr[key].CopyFrom(conv.attr[key])
    return {node.name, weights_op.name, conv.name, *(part.name for part in parts.values())}


def _not_constant(word: str, name: str, found: Any) -> str:
    return (
        f"Didn't find expected {word} Constant input to '{name}', found {found} instead. Maybe because freeze_graph "
        "wasn't run first?"
    )


# -- resizing and borders fused into convolutions ------------------------------------------------


def fuse_resize_and_conv(input_graph_def: Any, output_node_names: Sequence[str]) -> Any:
    """The graph with convolutions that resize and mirror their images themselves."""
    nodes = _by_name(input_graph_def)
    readers = Counter(node_of(name) for node in input_graph_def.node for name in node.input)
    readers.update(output_node_names)
    new = type(input_graph_def)()
    for conv in input_graph_def.node:
        if conv.op != "Conv2D":
            continue
        source = node_from_map(nodes, conv.input[0])
        border = source if source.op == "MirrorPad" else None
        resize = node_from_map(nodes, border.input[0]) if border is not None else source
        resize = resize if resize.op == "ResizeBilinear" else None
        if border is None and resize is None:
            continue
        readers[conv.name] = 0
        for part in (border, resize):
            if part is not None:
                readers[part.name] -= 1
        _add_fused(new, conv, border, resize)
    result = type(input_graph_def)()
    result.node.extend(node for node in input_graph_def.node if readers[node.name] >= 1)
    result.node.extend(new.node)
    return result


def _add_fused(new: Any, conv: Any, border: Any, resize: Any) -> None:
    if border is None:
        paddings = f"{conv.name}_dummy_paddings"
        node = new.node.add(op="Const", name=paddings)
        node.attr["dtype"].type = dtypes.int32.as_datatype_enum
        node.attr["value"].tensor.CopyFrom(make_tensor_proto([0] * 8, dtypes.int32, [4, 2]))
    else:
        paddings = border.input[1]
    fused = new.node.add(op="FusedPadConv2D" if resize is None else "FusedResizeAndPadConv2D", name=conv.name)
    if resize is None:
        fused.input.extend([border.input[0], paddings, conv.input[1]])
    else:
        fused.input.extend([resize.input[0], resize.input[1], paddings, conv.input[1]])
        fused.attr["resize_align_corners"].CopyFrom(resize.attr["align_corners"])
    if border is None:
        fused.attr["mode"].s = b"REFLECT"
    else:
        fused.attr["mode"].CopyFrom(border.attr["mode"])
    for key in ("T", "strides", "padding"):
        fused.attr[key].CopyFrom(conv.attr[key])
