"""``tf.keras.utils.multi_gpu_model``: each GPU works on a slice of the batch.

Source: TensorFlow 1.15.5, ``keras/utils/multi_gpu_utils.py``: names of layers, scopes, messages.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from retrograd.graph.scopes import device, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.cloning import clone_model
from retrograd.keras.layers.functions import Lambda
from retrograd.keras.layers.merging import concatenate
from retrograd.keras.models import Model
from retrograd.ops import arrays, joining
from retrograd.ops.slicing import slice_


def available_devices() -> list[str]:
    """The devices of the session, ``/cpu:0`` and so on."""
    return ["/" + d.name.lower().split("device:")[1] for d in K.get_session().list_devices()]


def multi_gpu_model(model: Any, gpus: Any, cpu_merge: bool = True, cpu_relocation: bool = False) -> Model:
    """A model of one batch as the given one on each of several GPUs, with a slice of the batch each.

    Args:
      model: functional or sequential; its variables are the result's.
      gpus: how many, or the numbers of them.
      cpu_merge: whether the results are joined on the CPU, and not on the first GPU.
      cpu_relocation: whether the model is made anew on the CPU first.

    Raises:
      ValueError: fewer than two GPUs are asked for, or they are not there.
    """
    several = isinstance(gpus, list | tuple)
    if (len(gpus) if several else gpus) <= 1:
        wanted = "len(gpus) >= 2" if several else "gpus >= 2"
        raise ValueError(
            f"For multi-gpu usage to be effective, call `multi_gpu_model` with `{wanted}`. Received: `gpus={gpus}`"
        )
    numbers = list(gpus) if several else list(range(gpus))
    targets, there = ["/cpu:0", *(f"/gpu:{i}" for i in numbers)], available_devices()
    if not set(targets) <= set(there):
        error = ValueError(
            f"To call `multi_gpu_model` with `gpus={gpus}`, we expect the following devices to be available: "
            f"{targets}. However this machine only has: {there}. Try reducing `gpus`."
        )
        error.add_note("  Fix:   train the model itself: model.fit(...)")
        raise error
    if cpu_relocation:
        with device("/cpu:0"):
            model = clone_model(model)
    results: list[list[Tensor]] = [[] for _ in model.outputs]
    for place, number in enumerate(numbers):
        with device(f"/gpu:{number}"), name_scope(f"replica_{number}"):
            slices = [_slice_of(x, place, len(numbers)) for x in model.inputs]
            made = model(slices if len(slices) > 1 else slices[0])
            for found, y in zip(results, made if isinstance(made, list) else [made], strict=True):
                found.append(y)
    with device("/cpu:0" if cpu_merge else f"/gpu:{numbers[0]}"):
        names = _different(model.output_names)
        merged = [concatenate(found, axis=0, name=name) for name, found in zip(names, results, strict=True)]
        return Model(model.inputs, merged)


def _slice_of(x: Tensor, place: int, parts: int) -> Any:
    """The part of a batch for the model at a place; the last part has what is left over."""
    return Lambda(_part, output_shape=tuple(x.shape.as_list())[1:], arguments={"i": place, "parts": parts})(x)


def _part(data: Tensor, i: int, parts: int) -> Tensor:
    shape = arrays.shape(data)
    batch, rest = shape[:1], shape[1:]
    step = batch // parts
    size = joining.concat([batch - step * i if i == parts - 1 else step, rest], axis=0)
    start = joining.concat([step, rest * 0], axis=0) * i
    return slice_(data, start, size)


def _different(names: list[str]) -> list[str]:
    """The names; one that stands there several times is numbered."""
    times, seen = Counter(names), Counter[str]()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if times[name] == 1 else f"{name}_{seen[name]}")
    return found
