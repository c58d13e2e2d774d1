"""Layers that networks make by themselves: of losses and metrics that were added, and of ops between layers."""

from __future__ import annotations

from typing import Any

from retrograd.graph import nest
from retrograd.graph.errors import OpError
from retrograd.graph.stack import default_graph
from retrograd.graph.untracked import leave_untracked
from retrograd.keras import backend as K
from retrograd.nn.layers import nodes
from retrograd.nn.layers.engine import Layer
from retrograd.ops.constants import constant

# -- losses and metrics as layers ----------------------------------------------------------------


class AddLoss(Layer):
    """A tensor that is a loss of the network, and passes through."""

    def __init__(self, unconditional: bool, **kwargs: Any) -> None:
        super().__init__(**{**kwargs, "autocast": False})
        self.unconditional = unconditional

    def call(self, inputs: Any) -> Any:
        self.add_loss(inputs, inputs=not self.unconditional or None)
        return inputs

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "unconditional": self.unconditional}


class AddMetric(Layer):
    """A tensor that is a metric of the network, and passes through."""

    def __init__(self, aggregation: str | None = None, metric_name: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.aggregation, self.metric_name = aggregation, metric_name

    def call(self, inputs: Any) -> Any:
        self.add_metric(inputs, aggregation=self.aggregation, name=self.metric_name)
        return inputs

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "aggregation": self.aggregation, "metric_name": self.metric_name}


# -- ops as layers -------------------------------------------------------------------------------

_OP_LAYER = "tf_op_layer_"


class TensorFlowOpLayer(Layer):
    """An op of the graph that stands between layers: called with other tensors, the same op of these.

    ``node_def`` is the op as a proto, its bytes or a dictionary; ``constants`` are those of its inputs, by their
    places, that come from no layer.
    """

    _op: Any = None  # in the graph, of a layer that was made for it

    def __init__(
        self, node_def: Any, name: str, constants: Any = None, trainable: bool = True, dtype: Any = None
    ) -> None:
        from google.protobuf.json_format import ParseDict
        from tensorboard.compat.proto.node_def_pb2 import NodeDef

        super().__init__(name=_OP_LAYER + name, trainable=trainable, dtype=dtype, autocast=False)
        if isinstance(node_def, dict):
            node_def = ParseDict(node_def, NodeDef())
        self.node_def = NodeDef.FromString(node_def) if isinstance(node_def, bytes) else node_def
        self.built = True
        leave_untracked(self, "constants")
        self.constants = {int(i): value for i, value in (constants or {}).items()}

    @classmethod
    def of(cls, op: Any, constants: dict[int, Any]) -> TensorFlowOpLayer:
        """The layer of an op that is there."""
        layer = cls(op.node_def, op.name, constants)
        layer._op = op
        return layer

    def call(self, inputs: Any) -> Any:
        """The op of these inputs; what comes from no layer stays."""
        own = list(nest.flatten(inputs))
        for i in sorted(self.constants):
            if self._op is not None and self._op.graph is default_graph():
                own.insert(i, self._op.inputs[i])
            else:
                kind = None if self._op is None else self._op.inputs[i].dtype.base_dtype
                name = self.node_def.input[i].partition(":")[0]
                own.insert(i, constant(self.constants[i], kind, name=name))
        node = self.node_def
        made = default_graph().create_op(node.op, own, name=node.name, attrs=dict(node.attr))
        return made.outputs[0] if len(made.outputs) == 1 else made.outputs

    def get_config(self) -> dict[str, Any]:
        from google.protobuf.json_format import MessageToDict

        return {
            **super().get_config(), "name": self.name.removeprefix(_OP_LAYER), "dtype": None,
            "node_def": MessageToDict(self.node_def), "constants": self.constants,
        }  # fmt: skip

    @property
    def output_shape(self) -> Any:
        """The shapes of the outputs, in a list where the op was there before the layer."""
        shapes = self._one_shape("output")
        return shapes if isinstance(shapes, list) or self._op is None else [shapes]


def _constant(x: Any) -> Any:
    """The value of a tensor that follows from no input of the network; None if it needs one."""
    try:
        return K.function([], [x])([])[0]
    except OpError:
        return None


def ops_as_layers(tensors: list[Any]) -> None:
    """Make layers of the ops between the layers and ``tensors``."""
    for x in tensors:
        if nodes.history_of(x) is not None or not nodes.comes_from_layers([x]):
            continue
        op = x.op
        inside = [nodes.history_of(i) is not None or nodes.comes_from_layers([i]) for i in op.inputs]
        given = {
            i: _constant(v) for i, (v, is_inside) in enumerate(zip(op.inputs, inside, strict=True)) if not is_inside
        }
        inputs = [v for v, is_inside in zip(op.inputs, inside, strict=True) if is_inside]
        ops_as_layers(inputs)
        layer = TensorFlowOpLayer.of(op, given)
        nodes.Node(layer, inputs, list(op.outputs), {})


nodes.makers.append(ops_as_layers)
