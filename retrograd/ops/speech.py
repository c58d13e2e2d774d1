"""What a sound looks like to a model of speech: spectrograms, and the coefficients that follow from them.

A spectrogram has a row for each window of the sound and a column for each frequency, ``n = 2^k / 2 + 1`` of them, where
``2^k`` is the least power of 2 that a window fits into.  Cepstral coefficients are the discrete cosine transform of
the logarithms of what triangular filters, evenly spaced on the mel scale ``1127 log(1 + f / 700)``, let through (Davis
and Mermelstein, 1980).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules

_LEAST = 1e-12  # below it, what a filter lets through is taken as this


def _fourier_length(window: int) -> int:
    return 1 << max(window - 1, 0).bit_length()


def _frames(samples: int, window: int, stride: int) -> int:
    return max(0, 1 + (samples - window) // stride) if samples >= window else 0


def _spectra(x: Tensor, *, window_size: int, stride: int) -> RawShape:
    samples, channels = shape_rules.with_rank(x, 2)
    if window_size < 2:
        raise ValueError(f"window_size must be at least 2 but is {window_size}")
    frames = None if samples is None else _frames(samples, window_size, stride)
    return (channels, frames, _fourier_length(window_size) // 2 + 1)


def _spectrogram(xp: Any, x: Any, *, window_size: int, stride: int, magnitude_squared: bool) -> Any:
    """``|fft(x * w)|`` of each window, w periodic after Hann; or its square."""
    samples, channels = x.shape
    count = _frames(samples, window_size, stride)
    bins = _fourier_length(window_size) // 2 + 1
    if not count:
        return xp.zeros((channels, 0, bins), np.float32)
    places = np.arange(count)[:, None] * stride + np.arange(window_size)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window_size) / window_size)
    pieces = xp.swapaxes(x, 0, 1)[:, places] * hann
    y = xp.fft.rfft(pieces, _fourier_length(window_size), axis=-1)
    power = xp.real(y) ** 2 + xp.imag(y) ** 2
    return (power if magnitude_squared else xp.sqrt(power)).astype(np.float32)


AUDIO_SPECTROGRAM = define(
    "AudioSpectrogram", "input: float32", "spectrogram: float32",
    attrs={"window_size": REQUIRED, "stride": REQUIRED, "magnitude_squared": False}, shape=_spectra,
    ranks={"input": "2: input must be 2-dimensional{}"}, kernel=_spectrogram,
)  # fmt: skip


def audio_spectrogram(
    input: Any, window_size: int, stride: int, magnitude_squared: bool = False, name: str | None = None
) -> Tensor:
    """The spectrogram of sounds ``(samples, channels)``: ``(channels, windows, frequencies)``.

    Args:
      window_size: samples that are looked at together.
      stride: samples from one window to the next.
      magnitude_squared: the squares of the magnitudes, which ``mfcc`` asks for.
    """
    return apply(
        AUDIO_SPECTROGRAM, input, window_size=window_size, stride=stride, magnitude_squared=magnitude_squared, name=name
    )


def _mel(frequency: Any) -> Any:
    return 1127.0 * np.log1p(np.asarray(frequency) / 700.0)


@cache
def _filters(bins: int, rate: float, low: float, high: float, count: int) -> np.ndarray:
    """How much of each frequency each filter lets through, ``(bins, count)``; neighbours share what lies between."""
    spacing = (_mel(high) - _mel(low)) / (count + 1)
    centers = _mel(low) + spacing * np.arange(count + 2)  # of the filters, with both ends of the range
    step = 0.5 * rate / (bins - 1)
    places = np.arange(bins)
    inside = (places >= int(1.5 + low / step)) & (places <= int(high / step))
    mels = _mel(places * step)
    above = np.clip(np.searchsorted(centers[1:], mels, "left"), 0, count)  # the first center that is not below
    share = (centers[above + 1] - mels) / (centers[above + 1] - centers[above])  # of the filter below
    filters = np.zeros((bins, count + 2))
    filters[places, above] = share
    filters[places, above + 1] = 1 - share
    return (filters * inside[:, None])[:, 1:-1]


@cache
def _cosines(inputs: int, outputs: int) -> np.ndarray:
    k, n = np.arange(outputs), np.arange(inputs)[:, None]
    return np.sqrt(2 / inputs) * np.cos(np.pi / inputs * k * (n + 0.5))


def _coefficients(x: Tensor, rate: Tensor, *, dct_coefficient_count: int) -> RawShape:
    channels, frames, _ = shape_rules.with_rank(x, 3)
    shape_rules.with_rank(rate, 0)
    return (channels, frames, dct_coefficient_count)


def _mfcc(
    xp: Any, x: Any, rate: Any, *, upper_frequency_limit: float, lower_frequency_limit: float,
    filterbank_channel_count: int, dct_coefficient_count: int,
) -> Any:  # fmt: skip
    if x.shape[-1] < 2 or int(rate) <= 0 or upper_frequency_limit <= lower_frequency_limit:
        words = f"Mfcc initialization failed for channel count {x.shape[-1]} and sample rate {int(rate)}"
        raise InvalidArgumentError(None, None, words)
    limits = float(lower_frequency_limit), float(upper_frequency_limit)
    filters = _filters(x.shape[-1], float(rate), *limits, filterbank_channel_count)
    through = xp.sqrt(x.astype(np.float64)) @ filters
    cosines = _cosines(filterbank_channel_count, dct_coefficient_count)
    return (xp.log(xp.maximum(through, _LEAST)) @ cosines).astype(np.float32)


MFCC = define(
    "Mfcc", "spectrogram: float32, sample_rate: int32", "output: float32",
    attrs={
        "upper_frequency_limit": 4000.0, "lower_frequency_limit": 20.0, "filterbank_channel_count": 40,
        "dct_coefficient_count": 13,
    },
    shape=_coefficients, static=("sample_rate",), ranks={
        "spectrogram": "3: spectrogram must be 3-dimensional{}",
        "sample_rate": "0: Input sample_rate should be a scalar tensor, got {} instead.",
    },
    kernel=_mfcc,
)  # fmt: skip


def mfcc(
    spectrogram: Any, sample_rate: Any, upper_frequency_limit: float = 4000, lower_frequency_limit: float = 20,
    filterbank_channel_count: int = 40, dct_coefficient_count: int = 13, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Cepstral coefficients of spectrograms whose magnitudes are squared: ``(channels, windows, coefficients)``."""
    return apply(
        MFCC, spectrogram, sample_rate, upper_frequency_limit=upper_frequency_limit,
        lower_frequency_limit=lower_frequency_limit, filterbank_channel_count=filterbank_channel_count,
        dct_coefficient_count=dct_coefficient_count, name=name,
    )  # fmt: skip
