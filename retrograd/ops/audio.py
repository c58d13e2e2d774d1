"""Sound in WAV files: 16 bits a sample, from -1 to 1."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from retrograd.graph.apply import apply, apply_named
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import in_array
from retrograd.ops import shape_rules
from retrograd.ops.whole_files import texts


def samples_of(data: bytes) -> tuple[np.ndarray, int]:
    """The samples (number, channels), int16, and how many there are in a second.

    Raises:
      InvalidArgumentError: it is no WAV file of 16 bits a sample.
    """
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        found = data[:4].decode(errors="replace")
        raise invalid(f"Header mismatch: Expected RIFF but found {found}")
    place, channels, rate = 12, 0, 0
    while place + 8 <= len(data):
        kind, (size,) = data[place : place + 4], struct.unpack_from("<I", data, place + 4)
        body = data[place + 8 : place + 8 + size]
        if kind == b"fmt ":
            if len(body) < 16:
                raise invalid("Bad format chunk size for WAV")
            form, channels, rate, _, block, bits = struct.unpack_from("<HHIIHH", body)
            if form not in (1, 0xFFFE):
                raise invalid(f"Bad audio format for WAV: Expected 1 (PCM), but got {form}")
            if bits != 16:
                raise invalid(f"Can only read 16-bit WAV files, but received {bits}")
            if not channels or block != 2 * channels:
                raise invalid(f"Bad bytes per sample in WAV header: Expected {2 * channels} but got {block}")
        elif kind == b"data":
            if not channels:
                raise invalid("A data chunk was found before the format chunk")
            if len(body) < size:
                raise invalid("Data too short when trying to read chunk")
            count = size // (2 * channels)
            return np.frombuffer(body, "<i2", count * channels).reshape(count, channels), rate
        place += 8 + size + size % 2
    raise invalid("No data chunk found in WAV")


def _decoded_shapes(contents: Tensor, *, desired_channels: int, desired_samples: int) -> list[RawShape]:
    shape_rules.with_rank(contents, 0)
    return [(_positive(desired_samples), _positive(desired_channels)), ()]


def _positive(n: int) -> int | None:
    return None if n == -1 else n


def _decode_wav(xp: Any, contents: Any, *, desired_channels: int, desired_samples: int) -> list[Any]:
    """Missing channels repeat the last one; missing samples are zero."""
    samples, rate = samples_of(texts(contents)[0])
    audio = samples.astype(np.float32) / np.float32(32768)
    if desired_channels != -1:
        audio = audio[:, np.minimum(np.arange(desired_channels), audio.shape[1] - 1)]
    if desired_samples != -1:
        whole = np.zeros((desired_samples, audio.shape[1]), np.float32)
        whole[: len(audio)] = audio[:desired_samples]
        audio = whole
    return [audio, np.int32(rate)]


DECODE_WAV = define(
    "DecodeWav", "contents: string", "audio: float32, sample_rate: int32",
    attrs={"desired_channels": -1, "desired_samples": -1}, shape=_decoded_shapes, kernel=_decode_wav,
    gradient=not_differentiable,
)  # fmt: skip


def decode_wav(contents: Any, desired_channels: int = -1, desired_samples: int = -1, name: str | None = None) -> Any:
    """The samples (number, channels) of a WAV file, from -1 to 1, and how many there are in a second."""
    return apply_named(
        DECODE_WAV, contents, desired_channels=desired_channels, desired_samples=desired_samples, name=name
    )


def _encode_wav(xp: Any, audio: Any, rate: Any) -> Any:
    if np.ndim(audio) != 2:
        raise invalid(f"audio must be 2-dimensional, got rank {np.ndim(audio)}")
    scaled = np.asarray(audio, np.float32) * np.float32(32768)
    rounded = np.sign(scaled) * np.floor(np.abs(scaled) + np.float32(0.5))
    body = np.clip(rounded, -32768, 32767).astype("<i2").tobytes()
    channels, per_second = audio.shape[1], int(rate)
    form = struct.pack("<HHIIHH", 1, channels, per_second, per_second * channels * 2, channels * 2, 16)
    chunks = b"fmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(body)) + body
    return in_array(b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks)


def _encoded_shape(audio: Tensor, rate: Tensor) -> RawShape:
    shape_rules.with_rank(audio, 2)
    shape_rules.with_rank(rate, 0)
    return ()


ENCODE_WAV = define(
    "EncodeWav", "audio: float32, sample_rate: int32", "contents: string", shape=_encoded_shape, kernel=_encode_wav,
    gradient=not_differentiable,
)  # fmt: skip


def encode_wav(audio: Any, sample_rate: Any, name: str | None = None) -> Tensor:
    """Samples (number, channels) from -1 to 1 as a WAV file."""
    return apply(ENCODE_WAV, audio, sample_rate, name=name)
