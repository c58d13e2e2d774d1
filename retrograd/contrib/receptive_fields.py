"""``tf.contrib.receptive_field``: which part of an image an element of a feature map sees.

Backwards from the output: a window of n elements, s apart and shifted by p, is through a layer of kernel k, stride t
and padding q a window of ``t n + k - t`` elements, ``t s`` apart and shifted by ``t p + q``.
Source: TensorFlow 1.15.5's names, messages, and which ops let elements through as they are.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from retrograd.graph import log
from retrograd.graph.graph import Graph
from retrograd.graph.protos import make_ndarray
from retrograd.graph.tensor import Tensor

_PLAIN = frozenset(
    (
        "Add", "AddV2", "BiasAdd", "Cast", "Ceil", "ConcatV2", "Const", "Floor", "FusedBatchNorm", "Identity", "Log",
        "Mul", "Pow", "RealDiv", "Relu", "Relu6", "Round", "Rsqrt", "Softplus", "Sub", "VariableV2", "LRN",
        "GreaterEqual",
    )
)  # fmt: skip
_CONVOLUTIONS, _POOLS = ("Conv2D", "DepthwiseConv2dNative"), ("MaxPool", "MaxPoolV2", "AvgPool")


class NodeInfo(NamedTuple):
    """Where a node stands: how many steps behind the inputs, and the sizes (height, width) before and behind it."""

    order: int
    node: Any
    input_size: Any
    output_size: Any


class _Axis(NamedTuple):
    """What a layer does along one axis; a padding is None where it depends on the image's size."""

    kernel: int = 1
    stride: int = 1
    padding: int | None = 0
    total: int | None = 0

    def size(self, before: int | None) -> int | None:
        """How many elements are behind the layer."""
        if before is None or self.total is None:
            return None
        return math.ceil((before + self.total - self.kernel + 1) / self.stride)


def _constant(nodes: dict[str, Any], name: str, ending: str, message: str) -> Any:
    if not name.endswith(ending):
        raise ValueError(message)
    return nodes[name]


def _kernel_sizes(node: Any, nodes: dict[str, Any]) -> tuple[int, int]:
    message = "Weight layer's name input to conv layer does not end with '/read'"
    _constant({node.input[1]: None}, node.input[1], "/read", message)
    name = node.input[1].removesuffix("/read")
    weights = nodes[name]
    if weights.op == "VariableV2":
        dims = weights.attr["shape"].shape.dim
    elif weights.op == "Const":
        dims = weights.attr["value"].tensor.tensor_shape.dim
    else:
        raise ValueError(f"Weight layer {name} is not of type VariableV2 or Const: {weights.op}")
    if len(dims) != 4:
        raise ValueError(f"Weight layer {name} does not have rank 4. Instead, it has: {len(dims)}")
    return dims[0].size, dims[1].size


def _pool_sizes(node: Any, nodes: dict[str, Any]) -> tuple[int, int]:
    sizes = _of_each_axis(node, nodes, 1, "ksize", "Kernel size")
    for place, word in ((0, "first"), (3, "last")):
        if sizes[place] != 1:
            raise ValueError(f"pool ksize for {word} dim is not 1")
    return sizes[1], sizes[2]


def _strides(node: Any, nodes: dict[str, Any]) -> tuple[int, int]:
    sizes = _of_each_axis(node, nodes, 2, "strides", "Strides")
    return sizes[1], sizes[2]


def _of_each_axis(node: Any, nodes: dict[str, Any], place: int, key: str, words: str) -> list[int]:
    """The numbers that a node has as an attribute, or as an input at ``place``."""
    if node.op != "MaxPoolV2":
        return list(node.attr[key].list.i)
    found = _constant(nodes, node.input[place], f"/{key}", f"{words} name does not end with '/{key}'")
    return [int(n) for n in make_ndarray(found.attr["value"].tensor)]


def _padded(kernel: int, stride: int, padding: bytes, size: int | None) -> _Axis:
    """A convolution or pool along one axis of ``size`` elements."""
    if padding == b"VALID":
        return _Axis(kernel, stride)
    if padding != b"SAME":
        raise ValueError(f"Invalid padding operation {padding!r}")
    if size is not None:
        total = max(kernel - (size % stride or stride), 0)
        return _Axis(kernel, stride, total // 2, total)
    if kernel == 1:
        return _Axis(kernel, stride)
    if stride == 1:
        return _Axis(kernel, stride, (kernel - 1) // 2, kernel - 1)
    if stride == 2 and kernel % 2 == 0:
        return _Axis(kernel, stride, (kernel - 1) // 2, None)
    log.warning(
        "Padding depends on input size, which means that the effective padding may be different depending on the input "
        "image dimensionality. In this case, alignment check will be skipped. If you know the input resolution, please "
        "set it."
    )
    return _Axis(kernel, stride, None, None)


def _pad_layer(node: Any, nodes: dict[str, Any]) -> tuple[_Axis, _Axis]:
    found = _constant(nodes, node.input[1], "/paddings", "Padding layer name does not end with '/paddings'")
    if found.op != "Const":
        raise ValueError("Padding op is not Const")
    widths = make_ndarray(found.attr["value"].tensor)
    for place, word in ((0, "first"), (3, "last")):
        if widths[place].any():
            raise ValueError(f"padding is not zero for {word} tensor dim")
    return tuple(_Axis(padding=int(row[0]), total=int(row.sum())) for row in widths[1:3])  # type: ignore[return-value]


def _layer(node: Any, nodes: dict[str, Any], size: Any) -> tuple[_Axis, _Axis] | None:
    """What a node does along height and width; None for an op that is not known."""
    if node.op == "Pad":
        return _pad_layer(node, nodes)
    if node.op in _PLAIN:
        return _Axis(), _Axis()
    if node.op not in (*_CONVOLUTIONS, *_POOLS):
        return None
    strides = _strides(node, nodes)
    kernels = (_kernel_sizes if node.op in _CONVOLUTIONS else _pool_sizes)(node, nodes)
    padding = node.attr["padding"].s
    sizes = (None, None) if size is None else size
    return tuple(_padded(k, s, padding, n) for k, s, n in zip(kernels, strides, sizes, strict=True))  # type: ignore[return-value]


def get_layer_params(node: Any, name_to_node: dict[str, Any], input_resolution: Any = None, force: bool = False) -> Any:
    """What a node does: kernel, stride, padding in front and padding in all, of each first along x, then along y.

    Raises:
      ValueError: the op is not known, unless ``force``, which gives None for all.
    """
    layer = _layer(node, name_to_node, input_resolution)
    if layer is None:
        if not force:
            raise ValueError(f"Unknown layer for operation '{node.name}': {node.op}")
        return (None,) * 8
    return tuple(number for along_y, along_x in zip(*layer, strict=True) for number in (along_x, along_y))


def parse_graph_nodes(graph_def: Any) -> dict[str, Any]:
    """The nodes by their names."""
    return {node.name: node for node in graph_def.node}


def get_compute_order(
    graph_def: Any, input_node_name: str = "", input_node_size: Any = None
) -> tuple[dict[str, NodeInfo], dict[str, Any]]:
    """(where each node stands, the nodes by their names).

    Args:
      input_node_name: the node that stands at 0, with an image of ``input_node_size``, (height, width) or None.
    """
    nodes = parse_graph_nodes(graph_def)
    found: dict[str, NodeInfo] = {}
    for start in nodes:
        waiting = [start]
        while waiting:
            name = waiting[-1]
            node = nodes[name]
            if name == input_node_name:
                found[name] = NodeInfo(0, node, None, input_node_size)
            inputs = [each.split(":")[0] for each in node.input if not each.startswith("^")]
            missing = [] if name in found else [each for each in inputs if each not in found]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if name not in found:
                found[name] = _placed(node, nodes, [found[each] for each in inputs])
    return found, nodes


def _placed(node: Any, nodes: dict[str, Any], inputs: list[NodeInfo]) -> NodeInfo:
    order = max((each.order + 1 for each in inputs), default=0)
    size = inputs[0].output_size if inputs else None
    if size is None:
        return NodeInfo(order, node, None, None)
    layer = _layer(node, nodes, size)
    after = [None, None] if layer is None else [axis.size(n) for axis, n in zip(layer, size, strict=True)]
    return NodeInfo(order, node, size, after)


class ReceptiveField:
    """The window that an element of a feature map sees: its size, how far windows are apart, and the padding.

    All three are given for (x, y).
    """

    def __init__(self, size: Any, stride: Any, padding: Any) -> None:
        self.size, self.stride, self.padding = np.asarray(size), np.asarray(stride), np.asarray(padding)

    def _axes(self, points: Any, axis: Any, words: str) -> tuple[Any, list[int]]:
        axes = list(range(self.size.size) if axis is None else axis)
        points = np.asarray(points)
        if points.shape[-1] != len(axes):
            raise ValueError(
                f"Dimensionality of the {words} ({points.shape[-1]}) does not match dimensionality of `axis` "
                f"({len(axes)})"
            )
        return points, axes

    def compute_input_center_coordinates(self, y: Any, axis: Any = None) -> Any:
        """The centres of the windows, in the image, of elements of the feature map, [..., axes].

        Raises:
          ValueError: there are more or fewer coordinates than axes.
        """
        y, a = self._axes(y, axis, "feature coordinates `y`")
        return -self.padding[a] + y * self.stride[a] + (self.size[a] - 1) / 2

    def compute_feature_coordinates(self, x: Any, axis: Any = None) -> Any:
        """The elements of the feature map whose windows have these centres in the image, [..., axes].

        Raises:
          ValueError: there are more or fewer coordinates than axes.
        """
        x, a = self._axes(x, axis, "input center coordinates `x`")
        return (x + self.padding[a] + (1 - self.size[a]) / 2) / self.stride[a]

    def __iter__(self) -> Any:
        return iter(np.concatenate([self.size, self.stride, self.padding]))


class _Window(NamedTuple):
    size: int = 1
    stride: int = 1
    padding: int | None = 0

    def before(self, axis: _Axis, is_known: bool) -> _Window:
        """The window in front of a layer."""
        padding = None
        if is_known:
            assert self.padding is not None
            assert axis.padding is not None
            padding = axis.stride * self.padding + axis.padding
        return _Window(axis.stride * self.size + axis.kernel - axis.stride, axis.stride * self.stride, padding)

    def check(self, other: _Window, direction: str) -> None:
        """That two paths to a node agree in stride and centre.

        Raises:
          ValueError: they do not.
        """
        assert self.padding is not None
        assert other.padding is not None
        for what, mine, theirs in (
            ("effective stride", self.stride, other.stride),
            ("center shift", (self.size - 1) / 2 - self.padding, (other.size - 1) / 2 - other.padding),
        ):
            if mine != theirs:
                raise ValueError(
                    f"Graph is not aligned since {what} from different paths is different in {direction} direction"
                )


def compute_receptive_field_from_graph_def(
    graph_def: Any, input_node: Any, output_node: Any, stop_propagation: Any = None, input_resolution: Any = None
) -> ReceptiveField:
    """The window of the image ``input_node`` that an element of the feature map ``output_node`` sees.

    Args:
      graph_def: a ``GraphDef`` or a graph; nodes are tensors or their names.
      stop_propagation: beginnings of names at which no path goes on.
      input_resolution: (height, width) of the image, on which paddings may depend.

    Raises:
      ValueError: a node is not there, an op is not known, or paths of different strides or centres meet.
    """
    graph_def = graph_def.as_graph_def() if isinstance(graph_def, Graph) else graph_def
    source, target = (x.op.name if isinstance(x, Tensor) else x for x in (input_node, output_node))
    placed, nodes = get_compute_order(graph_def, source, input_resolution)
    windows = {target: (_Window(), _Window())}  # along height and width
    is_found, is_known = False, True
    for info in sorted(placed.values(), key=lambda info: -info.order):
        if info.node.name == source:
            break
        is_found = is_found or info.node.name == target
        if not is_found or info.node.name not in windows:
            continue
        layer = _layer(info.node, nodes, info.input_size)
        if layer is None:
            raise ValueError(f"Unknown layer for operation '{info.node.name}': {info.node.op}")
        is_known = is_known and all(axis.padding is not None for axis in layer)
        before = [w.before(axis, is_known) for w, axis in zip(windows[info.node.name], layer, strict=True)]
        for name in info.node.input:
            if name.startswith("^") or any(name.startswith(stop) for stop in stop_propagation or ()):
                continue
            seen = windows.setdefault(name, (before[0], before[1]))
            if is_known:
                seen[1].check(before[1], "horizontal")
                seen[0].check(before[0], "vertical")
            largest = [new if old.size < new.size else old for old, new in zip(seen, before, strict=True)]
            windows[name] = (largest[0], largest[1])
    if not is_found:
        raise ValueError("Output node was not found")
    if source not in windows:
        raise ValueError("Input node was not found")
    y, x = windows[source]
    return ReceptiveField((x.size, y.size), (x.stride, y.stride), (x.padding, y.padding))
