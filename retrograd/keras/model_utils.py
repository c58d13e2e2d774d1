"""``tf.keras.utils`` on models: what leads to a tensor, drawings, arrays in files."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.errors import taught
from retrograd.nn.layers.nodes import history_of


def get_source_inputs(tensor: Any, layer: Any = None, node_index: int | None = None) -> list[Any]:
    """The inputs of networks that a tensor follows from."""
    history = history_of(tensor)
    if history is None:
        return [tensor]
    if layer is None or node_index:
        layer, node_index = history.layer, history.node_index
    if not layer._inbound_nodes:
        return [tensor]
    node = layer._inbound_nodes[node_index or 0]
    if not node.inbound_layers:
        given = node.input_tensors
        return list(given) if isinstance(given, list) else [given]
    found: list[Any] = []
    for inbound, index, _, x in node.iterate_inbound():
        found += [s for s in get_source_inputs(x, inbound, index) if not any(s is f for f in found)]
    return found


def convert_all_kernels_in_model(model: Any) -> None:
    """Turn the windows of all convolutions round: between Theano's and TensorFlow's."""
    from retrograd.keras import backend as K

    for layer in model.layers:
        if type(layer).__name__ in {"Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose"}:
            values = K.get_value(layer.kernel)
            turned = values[(slice(None, None, -1),) * (values.ndim - 2)]
            K.set_value(layer.kernel, np.copy(turned))


# -- drawings ------------------------------------------------------------------------------------


def model_to_dot(
    model: Any, show_shapes: bool = False, show_layer_names: bool = True, rankdir: str = "TB",
    expand_nested: bool = False, dpi: int = 96, subgraph: bool = False,
) -> Any:  # fmt: skip
    """The layers of a model as a graph of pydot.

    Raises:
      ImportError: there is no pydot.
    """
    try:
        import pydot
    except ImportError:
        error = ImportError("Failed to import pydot. You must install pydot and graphviz for `pydotprint` to work.")
        raise taught(error, fix="pip install pydot, and Graphviz; or model.summary()") from None
    dot = pydot.Dot()
    dot.set("rankdir", rankdir)
    dot.set("concentrate", True)
    dot.set("dpi", dpi)
    dot.set_node_defaults(shape="record")
    for layer in model.layers:
        label = f"{layer.name}: {type(layer).__name__}" if show_layer_names else type(layer).__name__
        if show_shapes:
            label = f"{label}\n|{{input:|output:}}|{{{{{layer.input_shape}}}|{{{layer.output_shape}}}}}"
        dot.add_node(pydot.Node(str(id(layer)), label=label))
    own = {id(layer) for layer in model.layers}
    for layer in model.layers:
        for node in layer._inbound_nodes:
            for inbound, *_ in node.iterate_inbound():
                if id(inbound) in own:
                    dot.add_edge(pydot.Edge(str(id(inbound)), str(id(layer))))
    return dot


def plot_model(
    model: Any, to_file: str = "model.png", show_shapes: bool = False, show_layer_names: bool = True,
    rankdir: str = "TB", expand_nested: bool = False, dpi: int = 96,
) -> None:  # fmt: skip
    """Write a drawing of the layers of a model; needs pydot and Graphviz."""
    dot = model_to_dot(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi)
    dot.write(to_file, format=to_file.rpartition(".")[2] or "png")


# -- arrays in files -----------------------------------------------------------------------------


class HDF5Matrix:
    """A data set of an HDF5 file, or rows of it, in the place of an array."""

    def __init__(self, datapath: str, dataset: str, start: int = 0, end: int | None = None, normalizer: Any = None):
        import h5py

        self.data = h5py.File(datapath, "r")[dataset]
        self.start, self.end = start, self.data.shape[0] if end is None else end
        self.normalizer = normalizer

    def __len__(self) -> int:
        return int(self.end - self.start)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            begin, end = key.start or 0, len(self) if key.stop is None else key.stop
            rows: Any = slice(begin + self.start, end + self.start, key.step)
        else:
            rows = np.asarray(key) + self.start
        limit = rows.stop if isinstance(rows, slice) else np.max(rows) + 1
        if limit > self.end:
            raise IndexError
        values = self.data[rows if isinstance(rows, slice) else np.atleast_1d(rows).tolist()]
        values = values[0] if isinstance(key, int | np.integer) else values
        return values if self.normalizer is None else self.normalizer(values)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the rows."""
        return (len(self), *self.data.shape[1:])

    @property
    def dtype(self) -> Any:
        """The dtype."""
        return self.data.dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return int(self.data.ndim)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape))
