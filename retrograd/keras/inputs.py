"""Where networks begin: inputs, and their layers."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from retrograd.eager.lifted import graph_of_models
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import taught
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.keras import backend as K
from retrograd.keras.composites import placeholder
from retrograd.nn.layers import nodes
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.names import unique_object_name


class InputLayer(Layer):
    """A placeholder, or a given tensor, as the begin of a network."""

    def __init__(
        self,
        input_shape: Any = None,
        batch_size: int | None = None,
        dtype: Any = None,
        input_tensor: Any = None,
        sparse: bool = False,
        name: str | None = None,
        ragged: bool = False,
        **kwargs: Any,
    ) -> None:
        if "batch_input_shape" in kwargs:
            given = kwargs.pop("batch_input_shape")
            batch_size, input_shape = given[0], given[1:]
        if kwargs:
            raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
        name = name or unique_object_name("input", zero_based=False)
        dtype = dtype or (K.floatx() if input_tensor is None else K.dtype(input_tensor))
        super().__init__(dtype=dtype, name=name)
        self.built, self.batch_size, self.supports_masking = True, batch_size, True
        self.sparse, self.ragged = sparse, ragged
        if isinstance(input_shape, TensorShape):
            input_shape = tuple(input_shape.as_list())
        if isinstance(input_shape, int):
            input_shape = (input_shape,)
        self.is_placeholder = input_tensor is None
        if input_tensor is None:
            shape: Any = None if input_shape is None else (batch_size, *tuple(input_shape))
            kind = as_dtype(dtype)
            with graph_of_models().as_default() if default_graph().is_eager else nullcontext():
                input_tensor = placeholder(kind, shape, self.name, sparse, ragged)
            self._batch_input_shape = shape
        else:
            self._batch_input_shape = tuple(input_tensor.shape.as_list())
        input_tensor._keras_mask = None
        node = nodes.Node(self, [], [input_tensor], {})
        node.input_tensors, node.input_shapes = [input_tensor], node.output_shapes

    @property
    def output_shape(self) -> Any:
        """The shapes of the outputs, in a list."""
        shapes = self._one_shape("output")
        return shapes if isinstance(shapes, list) else [shapes]

    def get_config(self) -> dict[str, Any]:
        return {
            "batch_input_shape": self._batch_input_shape, "dtype": self.dtype, "sparse": self.sparse,
            "ragged": self.ragged, "name": self.name,
        }  # fmt: skip


def Input(
    shape: Any = None,
    batch_size: int | None = None,
    name: str | None = None,
    dtype: Any = None,
    sparse: bool = False,
    tensor: Any = None,
    ragged: bool = False,
    **kwargs: Any,
) -> Any:
    """A placeholder of examples of ``shape``, the begin of a network.

    Raises:
      ValueError: no shape is given, or two.
    """
    if "batch_shape" in kwargs:
        if shape is not None:
            raise ValueError(
                "Only provide the `shape` OR `batch_input_shape` argument to Input, not both at the same time."
            )
        given = kwargs.pop("batch_shape")
        batch_size, shape = given[0], given[1:]
    if kwargs:
        raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
    if shape is None and tensor is None:
        error = ValueError(
            "Please provide to Input either a `shape` or a `tensor` argument. Note that `shape` does not include the "
            "batch dimension."
        )
        raise taught(error, fix="tf.keras.Input(shape=[784])")
    layer = InputLayer(shape, batch_size, dtype, tensor, sparse, name, ragged)
    return layer._inbound_nodes[0].output_tensors[0]
