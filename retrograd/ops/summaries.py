"""Summaries as ops: numbers, histograms, pictures and sounds as ``Summary`` protos for event files.

Formats: TensorFlow 1.15's ``Summary``; a test holds them to what it wrote.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.protos import tensor_proto
from retrograd.graph.shapes import shape_text
from retrograd.graph.values import in_array
from retrograd.ops import kinds, shape_rules

# -- kernels -----------------------------------------------------------------------------------


def _written(proto: Any) -> Any:
    return in_array(proto.SerializeToString())


@cache
def _kind() -> Any:
    from tensorboard.compat.proto.summary_pb2 import Summary

    return Summary


def _new() -> Any:
    return _kind()()


def _text(tag: Any) -> str:
    text: bytes = np.asarray(tag, object).item()
    return text.decode(errors="replace")


def _scalar(xp: Any, memory: Any, tags: Any, values: Any) -> Any:
    if np.shape(tags) != np.shape(values):
        hint = f" (tag '{_text(tags)}')" if not np.ndim(tags) else ""
        raise InvalidArgumentError(
            None, None,
            f"tags and values not the same shape: {shape_text(np.shape(tags))} != {shape_text(np.shape(values))}{hint}",
        )  # fmt: skip
    proto = _new()
    for tag, value in zip(np.asarray(tags, object).ravel(), np.ravel(values), strict=True):
        proto.value.add(tag=tag.decode(errors="replace"), simple_value=float(value))
    return _written(proto)


@cache
def bucket_limits() -> np.ndarray:
    """The upper ends of the buckets: 0, and powers of 1.1 from 1e-12 to 1e20 to both sides of it."""
    ends = []
    end = 1e-12
    while end < 1e20:
        ends.append(end)
        end *= 1.1
    positive = np.array([*ends, np.finfo(np.float64).max])
    return np.concatenate([-positive[::-1], [0.0], positive])


@cache
def _first_limits(dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    """For each value of a number's upper 16 bits: how many limits lie below all such numbers, and the next limit.

    Such numbers lie so close together that at most one limit lies between them.
    """
    words = dtype.itemsize // 2
    ends = np.empty((2, 1 << 16, words), np.uint16)
    ends[:, :, :-1] = np.array([0, (1 << 16) - 1]).reshape(2, 1, 1)
    ends[:, :, -1] = np.arange(1 << 16)
    with np.errstate(invalid="ignore"):
        ends = np.sort(ends.reshape(2, -1).view(dtype).astype(np.float64), axis=0)
    limits = bucket_limits()
    below, until = np.searchsorted(limits, ends, "right")
    nearest = np.where(until > below, np.append(limits, np.inf)[below], np.inf)
    with np.errstate(over="ignore"):
        next_ = nearest.astype(dtype)
        return below, np.where(next_ < nearest, np.nextafter(next_, dtype.type(np.inf)), next_)


def _counts(values: np.ndarray) -> np.ndarray:
    """How many of ``values``, a vector, each bucket has."""
    limits = bucket_limits()
    if len(values) < 4096 or values.dtype not in (np.float32, np.float64) or sys.byteorder != "little":
        below = np.searchsorted(np.sort(values), limits)  # sorted, far fewer places need to be found
        counts = np.diff(below, prepend=0)
    else:
        words = values.dtype.itemsize // 2
        upper = np.ascontiguousarray(values).view(np.uint16)[words - 1 :: words]
        below, next_ = _first_limits(values.dtype)
        counts = np.bincount(below[upper] + (values >= next_[upper]), minlength=len(limits))[: len(limits)]
    counts[-1] += len(values) - counts.sum()
    return counts


def _histogram(xp: Any, memory: Any, tag: Any, values: Any) -> Any:
    """How many of ``values`` lie below each limit and not below the one before; runs of empty buckets are one."""
    flat = np.ravel(values).astype(np.float64)
    if not np.isfinite(flat).all():
        name = "Nan" if np.isnan(flat).any() else "Infinity"
        raise InvalidArgumentError(None, None, f"{name} in summary histogram for: {{node}}")
    counts = _counts(np.ravel(values))
    largest = np.finfo(np.float64).max
    proto = _new()
    histogram = proto.value.add(tag=_text(tag)).histo
    histogram.min, histogram.max = (flat.min(), flat.max()) if len(flat) else (largest, -largest)
    histogram.num, histogram.sum, histogram.sum_squares = len(flat), flat.sum(), np.square(flat).sum()
    write_buckets(histogram, counts)
    return _written(proto)


def write_buckets(histogram: Any, counts: np.ndarray) -> None:
    """Write into a ``HistogramProto`` how many numbers each bucket has; runs of empty ones as one."""
    is_last = counts > 0
    is_last[:-1] |= is_last[1:]  # and the last one of a run of empty buckets
    is_last[-1] = True
    ends = np.flatnonzero(is_last)
    histogram.bucket_limit.extend(bucket_limits()[ends].tolist())
    histogram.bucket.extend(counts[ends].tolist())


def _image(xp: Any, memory: Any, tag: Any, tensor: Any, *, max_images: int, bad_color: Any) -> Any:
    """PNGs of the first ``max_images``; floats are scaled so that the largest magnitude is the brightest."""
    from PIL import Image

    if np.ndim(tensor) != 4 or np.shape(tensor)[3] not in (1, 3, 4):
        raise InvalidArgumentError(
            None, None, f"Tensor must be 4-D with last dim 1, 3, or 4, not {shape_text(np.shape(tensor))}"
        )
    name = _text(tag)
    _, height, width, depth = tensor.shape
    proto = _new()
    for i, image in enumerate(tensor[:max_images]):
        pixels = image if image.dtype == np.uint8 else _pixels(image.astype(np.float32), bad_color)
        if pixels.dtype == np.uint8:
            file = io.BytesIO()
            Image.fromarray(pixels[:, :, 0] if depth == 1 else pixels).save(file, "PNG")
        value = proto.value.add(tag=f"{name}/image/{i}" if max_images > 1 else f"{name}/image").image
        value.height, value.width, value.colorspace = height, width, depth
        value.encoded_image_string = file.getvalue()
    return _written(proto)


def _pixels(image: np.ndarray, bad_color: Any) -> np.ndarray:
    finite = np.isfinite(image)
    known = image[finite]
    low, high = (known.min(), known.max()) if known.size else (np.float32(0), np.float32(0))
    if low < 0:
        most, offset, range_ = max(abs(low), abs(high)), np.float32(128), np.float32(127)
    else:
        most, offset, range_ = high, np.float32(0), np.float32(255)
    scale = np.float32(0) if most < 1e-6 else range_ / most
    with np.errstate(invalid="ignore"):
        pixels = (np.where(finite, image, 0) * scale + offset).astype(np.uint8)
    bad = ~finite.all(axis=-1)
    pixels[bad] = np.asarray(bad_color)[: image.shape[-1]]
    return pixels


def _audio(xp: Any, memory: Any, tag: Any, tensor: Any, sample_rate: Any, *, max_outputs: int) -> Any:
    """WAV files of the first ``max_outputs`` sounds, 16 bits a sample, frames by channels."""
    import wave

    sounds = tensor[:, :, None] if np.ndim(tensor) == 2 else tensor
    if np.ndim(sounds) != 3:
        raise InvalidArgumentError(None, None, f"input must be 2-D or 3-D but was: {shape_text(np.shape(tensor))}")
    if not sample_rate > 0:
        raise InvalidArgumentError(None, None, "sample_rate must be > 0")
    name = _text(tag)
    proto = _new()
    for i, sound in enumerate(sounds[:max_outputs]):
        file = io.BytesIO()
        with wave.open(file, "wb") as writer:
            writer.setnchannels(sound.shape[1])
            writer.setsampwidth(2)
            writer.setframerate(max(round(float(sample_rate)), 1))
            writer.writeframes(np.clip(np.round(sound * 32768.0), -32768, 32767).astype("<i2").tobytes())
        value = proto.value.add(tag=f"{name}/audio/{i}" if max_outputs > 1 else f"{name}/audio").audio
        value.sample_rate, value.num_channels, value.length_frames = float(sample_rate), sound.shape[1], len(sound)
        value.encoded_audio_string, value.content_type = file.getvalue(), "audio/wav"
    return _written(proto)


def _tensor(xp: Any, memory: Any, tag: Any, tensor: Any, serialized_summary_metadata: Any) -> Any:
    proto = _new()
    value = proto.value.add(tag=_text(tag))
    value.metadata.ParseFromString(np.asarray(serialized_summary_metadata, object).item())
    value.tensor.CopyFrom(tensor_proto(np.asarray(tensor)))
    return _written(proto)


def _named_tensor(xp: Any, memory: Any, tensor: Any, *, description: Any, labels: Any, display_name: Any) -> Any:
    """A tensor under the name of its node; TensorFlow drops what describes it."""
    proto = _new()
    proto.value.add(node_name=memory.op.name).tensor.CopyFrom(tensor_proto(np.asarray(tensor)))
    return _written(proto)


def _audio_of_rate(xp: Any, memory: Any, tag: Any, tensor: Any, *, sample_rate: float, max_outputs: int) -> Any:
    return _audio(xp, memory, tag, tensor, sample_rate, max_outputs=max_outputs)


def _merge(xp: Any, memory: Any, inputs: list[Any]) -> Any:
    """The values of all; a tag may come once.  Summaries one after the other are the summary of their values."""
    proto = _new()
    try:
        for x in inputs:
            for text in np.asarray(x, object).ravel():
                proto.MergeFromString(text)
    except Exception:
        raise InvalidArgumentError(None, None, "Could not parse one of the summary inputs") from None
    seen: set[str] = set()
    for tag in [value.tag for value in proto.value]:
        if tag and tag in seen:
            raise InvalidArgumentError(None, None, f"Duplicate tag {tag} found in summary inputs")
        seen.add(tag)
    return _written(proto)


def _summary_op(name: str, inputs: str, kernel: Callable[..., Any], **more: Any) -> Any:
    return define(
        name, inputs, "summary: string", shape=shape_rules.scalar, kernel=kernel, gradient=not_differentiable,
        effect=Effect.HOST, **more,
    )  # fmt: skip


SCALAR_SUMMARY = _summary_op("ScalarSummary", "tags: string, values: T", _scalar, types={"T": kinds.REAL})
HISTOGRAM_SUMMARY = _summary_op(
    "HistogramSummary", "tag: string, values: T", _histogram, attrs={"T": dtypes.float32}, types={"T": kinds.REAL}
)
IMAGE_SUMMARY = _summary_op(
    "ImageSummary", "tag: string, tensor: T", _image,
    attrs={"max_images": 3, "bad_color": np.array([255, 0, 0, 255], np.uint8), "T": dtypes.float32},
    types={"T": (dtypes.uint8, dtypes.float32, dtypes.float16, dtypes.float64)},
)  # fmt: skip
AUDIO_SUMMARY = _summary_op(
    "AudioSummaryV2", "tag: string, tensor: float32, sample_rate: float32", _audio, attrs={"max_outputs": 3}
)
TENSOR_SUMMARY = _summary_op("TensorSummaryV2", "tag: string, tensor: T, serialized_summary_metadata: string", _tensor)
NAMED_TENSOR_SUMMARY = _summary_op(
    "TensorSummary", "tensor: T", _named_tensor, attrs={"description": "", "labels": [], "display_name": ""}
)
OLD_AUDIO_SUMMARY = _summary_op(
    "AudioSummary", "tag: string, tensor: float32", _audio_of_rate,
    attrs={"sample_rate": REQUIRED, "max_outputs": 3}, removed=(15, "Use AudioSummaryV2."),
)  # fmt: skip
MERGE_SUMMARY = _summary_op("MergeSummary", "inputs: N*string", _merge)
