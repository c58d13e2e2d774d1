"""What a layer asks of its inputs."""

from __future__ import annotations

from typing import Any

from retrograd.graph import nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import taught
from retrograd.graph.shapes import TensorShape


class InputSpec:
    """The dtype, rank and sizes that a layer asks of an input; None asks for nothing.

    Args:
      shape: the whole shape, None where a size may be anything.
      ndim: the rank.
      max_ndim, min_ndim: bounds of the rank.
      axes: sizes by axis.

    Raises:
      TypeError: an axis is no integer.
      ValueError: an axis is beyond the rank.
    """

    def __init__(
        self,
        dtype: Any = None,
        shape: Any = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: dict[int, Any] | None = None,
    ) -> None:
        self.dtype = as_dtype(dtype).name if dtype is not None else None
        self.shape = shape
        self.ndim = len(shape) if shape is not None else ndim
        self.max_ndim = max_ndim
        self.min_ndim = min_ndim
        try:
            self.axes = {int(axis): size for axis, size in (axes or {}).items()}
        except (ValueError, TypeError):
            raise TypeError("The keys in axes must be integers.") from None
        most = self.ndim if self.ndim is not None else max_ndim
        if self.axes and most is not None and max(self.axes) > most - 1:
            raise ValueError(f"Axis {max(self.axes)} is greater than the maximum allowed value: {most - 1}")

    def __repr__(self) -> str:
        fields = ((key, getattr(self, key)) for key in ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes"))
        return f"InputSpec({', '.join(f'{key}={value}' for key, value in fields if value)})"

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same spec."""
        return {key: getattr(self, key) for key in ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """The spec with these arguments."""
        return cls(**config)


def assert_input_compatibility(input_spec: Any, inputs: Any, layer_name: str) -> None:
    """Raises ``ValueError`` unless ``inputs`` are what the spec, or a structure of specs, asks for."""
    if not input_spec:
        return
    specs, given = nest.flatten(input_spec), nest.flatten(inputs)
    if len(specs) != len(given):
        raise ValueError(
            f"Layer {layer_name} expects {len(specs)} inputs, but it received {len(given)} input tensors. "
            f"Inputs received: {given}"
        )
    for i, (spec, x) in enumerate(zip(specs, given, strict=True)):
        x = x if hasattr(x, "shape") else as_tensor(x)
        wrong = _mismatch(spec, i, x, layer_name) if spec is not None else None
        if wrong:
            place = getattr(getattr(x, "op", None), "place", None)
            where = f"{x.name} was built at {place}" if place else None
            raise taught(ValueError(wrong), where=where, fix=_fix(spec, x))


def _fix(spec: InputSpec, x: Any) -> str:
    """What to type where an input is not what a layer asks for."""
    rank, wanted = x.shape.ndims, spec.ndim or spec.min_ndim
    if rank is None:
        sizes = ["None"] * (wanted or spec.max_ndim or 1)
        return f"x.set_shape([{', '.join(sizes)}]), with the sizes that are known"
    if wanted is not None and rank == wanted - 1:
        return "tf.expand_dims(x, -1) if the channels are missing, tf.expand_dims(x, 0) if the batch is"
    if wanted is not None and rank < wanted:
        return f"tf.reshape(x, ...) to {wanted} dimensions"
    if spec.ndim is not None and rank > spec.ndim:
        return "tf.layers.flatten(x), or tf.squeeze(x, [axis]) where a size is 1"
    if spec.dtype is not None and x.dtype.name != spec.dtype:
        return f"tf.cast(x, tf.{spec.dtype})"
    if spec.axes:
        return "another layer for inputs of another size: its variables have the size of the first input"
    return "inputs of the shape that the layer asks for"


def _mismatch(spec: InputSpec, number: int, x: Any, layer_name: str) -> str | None:
    """What is wrong with input ``x``, in TensorFlow's words."""
    rank, start = x.shape.ndims, f"Input {number} of layer {layer_name} is incompatible with the layer: "
    if rank is None and any(n is not None for n in (spec.ndim, spec.max_ndim, spec.min_ndim)):
        return f"{start}its rank is undefined, but the layer requires a defined rank."
    sizes = None if rank is None else x.shape.as_list()
    if spec.ndim is not None and rank != spec.ndim:
        return f"{start}expected ndim={spec.ndim}, found ndim={rank}. Full shape received: {sizes}"
    if spec.max_ndim is not None and rank > spec.max_ndim:
        return f"{start}expected max_ndim={spec.max_ndim}, found ndim={rank}"
    if spec.min_ndim is not None and rank < spec.min_ndim:
        return f"{start}: expected min_ndim={spec.min_ndim}, found ndim={rank}. Full shape received: {sizes}"
    if spec.dtype is not None and x.dtype.name != spec.dtype:
        return f"{start}expected dtype={spec.dtype}, found dtype={x.dtype}"
    for axis, size in spec.axes.items():
        found = x.shape.as_list()[int(axis)]
        size = getattr(size, "value", size)
        if size is not None and found not in (size, None):
            return (
                f"{start}expected axis {axis} of input shape to have value {size} but received input with shape {sizes}"
            )
    if spec.shape is not None and not TensorShape(spec.shape).is_compatible_with(x.shape):
        return (
            f"Input {number} is incompatible with layer {layer_name}: expected shape={spec.shape}, found shape={sizes}"
        )
    return None


def to_tensor_shape(spec: InputSpec) -> TensorShape:
    """The shape that a specification asks for, as far as it says one."""
    if spec.shape is not None:
        return TensorShape(spec.shape)
    if spec.ndim is None:
        return TensorShape(None)
    return TensorShape([spec.axes.get(axis, spec.axes.get(axis - spec.ndim)) for axis in range(spec.ndim)])
