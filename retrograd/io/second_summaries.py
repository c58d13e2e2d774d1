"""TensorFlow 2's summaries (``tf.compat.v2.summary.scalar`` and its kin): TensorBoard's own functions.

TensorBoard builds them of ops of ``tf.compat.v2``; here these are retrograd's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from typing import Any

from retrograd.graph import dtypes
from retrograd.nn.functional import map_fn
from retrograd.ops.coded_images import encode_png


class _Module:
    """A module with other functions in the place of some of its own."""

    def __init__(self, module: Any, **functions: Any) -> None:
        self._module = module
        vars(self).update(functions)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def _encoded_one_by_one(images: Any) -> Any:
    """The PNG of each image of a batch; TensorFlow's op takes batches only since 2.10."""
    return map_fn(encode_png, images, dtypes.string, name="encode_each_image")


@contextmanager
def _given_to_tensorboard(tensorflow: Any) -> Iterator[None]:
    """Let modules of TensorBoard that are loaded in the block have this TensorFlow, and leave no trace of it."""
    compat, util = import_module("tensorboard.compat"), import_module("tensorboard.util")
    places: list[tuple[dict[str, Any], str]] = [(vars(compat), "tf2"), (vars(util), _LAZY), (sys.modules, _LAZY_MODULE)]
    before = [names.pop(name, None) for names, name in places]
    vars(compat)["tf2"] = tensorflow
    try:
        yield
    finally:
        for (names, name), value in zip(places, before, strict=True):
            names.pop(name, None)
            if value is not None:
                names[name] = value


_LAZY = "lazy_tensor_creator"  # it registers a conversion as it is loaded
_LAZY_MODULE = f"tensorboard.util.{_LAZY}"


@cache
def _plugin(name: str) -> Any:
    """A copy of the module of one of TensorBoard's plugins, whose TensorFlow is retrograd."""
    ours: Any = import_module("retrograd.tf.compat.v2")
    spec = find_spec(f"tensorboard.plugins.{name}.summary_v2")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    images = _Module(ours.image, encode_png=_encoded_one_by_one)
    with _given_to_tensorboard(_Module(ours, image=images, audio=import_module("retrograd.tf.audio"))):
        spec.loader.exec_module(module)
    return module


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Write a number; whether anything was written, as a boolean tensor.

    Args:
      step: an integer; by default that of ``tf.summary.experimental.set_step``.
      description: text that TensorBoard shows beside it.

    Raises:
      ValueError: a writer is the default one, and there is no step.
    """
    return _plugin("scalar").scalar(name, data, step, description)


def histogram(
    name: str, data: Any, step: Any = None, buckets: int | None = None, description: str | None = None
) -> Any:
    """Write how the elements of ``data`` are distributed, over 30 ``buckets`` by default."""
    return _plugin("histogram").histogram(name, data, step, buckets, description)


def image(name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None) -> Any:
    """Write the first images of a batch [n, height, width, channels], of numbers from 0 to 1 or of bytes."""
    return _plugin("image").image(name, data, step, max_outputs, description)


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Write strings, in Markdown."""
    return _plugin("text").text(name, data, step, description)


def audio(
    name: str,
    data: Any,
    sample_rate: Any,
    step: Any = None,
    max_outputs: int = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Any:
    """Write the first clips of a batch [n, moments, channels], of numbers from -1 to 1."""
    return _plugin("audio").audio(name, data, sample_rate, step, max_outputs, encoding, description)
