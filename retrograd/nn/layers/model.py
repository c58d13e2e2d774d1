"""``tf.keras.Model``: a layer made of layers."""

from __future__ import annotations

from typing import Any

from retrograd.graph.errors import nearest
from retrograd.nn.layers.engine import Layer


class Model(Layer):
    """A layer whose subclass keeps other layers as attributes and says in ``call`` how they follow each other.

    Its weights, losses and updates are its own and those of its layers.

    Raises:
      NotImplementedError: ``inputs`` and ``outputs`` are given: models that are made of tensors are not built yet.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args or "inputs" in kwargs or "outputs" in kwargs:
            error = NotImplementedError("retrograd does not build tf.keras.Model(inputs, outputs) yet")
            error.add_note("  Fix:   subclass tf.keras.Model: layers in __init__, what they do in call(self, inputs)")
            raise error
        super().__init__(**kwargs)

    @property
    def layers(self) -> list[Layer]:
        """The layers that are attributes, in the order in which they became that."""
        return self._layers

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """The layer of a name, or at an index.

        Raises:
          ValueError: there is none.
        """
        if index is not None:
            if len(self.layers) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(self.layers)} layers."
                )
            return self.layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self.layers:
            if layer.name == name:
                return layer
        error = ValueError(f"No such layer: {name}")
        similar = nearest(name, [layer.name for layer in self.layers])
        if similar:
            error.add_note(f"  Fix:   did you mean {similar!r}?")
        raise error
