"""Signals in time: frames, windows, short-time transforms, cosine transforms, mel scales."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.flow import loops
from retrograd.graph import dtypes
from retrograd.graph import dtypes as dtypes_
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    complex_numbers,
    conditions,
    constants,
    exponentials,
    fourier,
    grids,
    indexing,
    joining,
    padding,
    permuting,
    powers,
    reductions,
    repeating,
    rounding,
    slicing,
    trigonometry,
)

# -- windows -----------------------------------------------------------------------------------


def hann_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes_.float32, name: str | None = None
) -> Tensor:
    """``0.5 - 0.5 cos(2 pi k / n)``."""
    return _raised_cosine(name, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes_.float32, name: str | None = None
) -> Tensor:
    """``0.54 - 0.46 cos(2 pi k / n)``."""
    return _raised_cosine(name, "hamming_window", window_length, periodic, dtype, 0.54, 0.46)


def _raised_cosine(
    name: str | None, default: str, length: Any, periodic: Any, dtype: Any, a: float, b: float
) -> Tensor:
    """``a - b cos(2 pi k / n)`` with n one less than the length, but for an even periodic window."""
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {dtype}")
    with name_scope(name, default, [length, periodic]):
        length = as_tensor(length, dtype=dtypes.int32, name="window_length")
        length.shape.assert_has_rank(0)
        known = constant_value(length)
        if known == 1:
            return constants.ones([1], dtype=dtype)
        is_periodic = casts.cast(as_tensor(periodic, dtype=dtypes.bool, name="periodic"), dtypes.int32)
        is_periodic.shape.assert_has_rank(0)
        even = 1 - arithmetic.floormod(length, 2)
        n = casts.cast(length + is_periodic * even - 1, dtype=dtype)
        k = casts.cast(constants.range_(length), dtype)
        angle = constants.constant(2 * np.pi, dtype=dtype) * k / n

        def window() -> Tensor:
            return casts.cast(a - b * trigonometry.cos(angle), dtype=dtype)

        if known is not None:
            return window()
        return conditions.cond(comparison.equal(length, 1), lambda: constants.ones([1], dtype=dtype), window)


# -- frames ------------------------------------------------------------------------------------


def _gcd(a: Any, b: Any) -> Tensor:
    with name_scope(None, "gcd", [a, b]):
        for which, x in (("a", a), ("b", b)):
            x.shape.assert_has_rank(0)
            if not x.dtype.is_integer:
                raise ValueError(f"{which} must be an integer type. Got: {x.dtype}")
        known = constant_value(a), constant_value(b)
        if known[0] is not None and known[1] is not None:
            return as_tensor(np.gcd(*known))
        return loops.while_loop(
            lambda _, b: comparison.greater(b, constants.zeros_like(b)),
            lambda a, b: [b, arithmetic.floormod(a, b)],
            [a, b],
            back_prop=False,
        )[0]


def _frame_shape(signal: Tensor, length: Any, step: Any, pad_end: bool, axis: Any) -> list[int | None] | None:
    length, step, axis = constant_value(length), constant_value(step), constant_value(axis)
    if signal.shape.ndims is None:
        return None
    if axis is None:
        return [None] * (signal.shape.ndims + 1)
    dims = signal.shape.as_list()
    size, outer, inner = dims[axis], dims[:axis], dims[axis:][1:]
    count = None
    if size is not None:
        if step is not None and pad_end:
            count = max(0, -(-size // step))
        elif step is not None and length is not None:
            count = max(0, (size - length + step) // step)
    return [*outer, count, length, *inner]


def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: Any = -1,
    name: str | None = None,
) -> Tensor:
    """Pieces of ``frame_length`` along an axis, each ``frame_step`` behind the one before it."""
    with name_scope(name, "frame", [signal, frame_length, frame_step, pad_value]):
        signal = as_tensor(signal, name="signal")
        frame_length = as_tensor(frame_length, name="frame_length")
        frame_step = as_tensor(frame_step, name="frame_step")
        axis = as_tensor(axis, name="axis")
        signal.shape.with_rank_at_least(1)
        for x in (frame_length, frame_step, axis):
            x.shape.assert_has_rank(0)
        static = _frame_shape(signal, frame_length, frame_step, pad_end, axis)
        rank = arrays.rank(signal)
        axis = constants.range_(rank)[axis]
        shape = arrays.shape(signal)
        outer, samples, inner = joining.split(shape, [axis, 1, rank - 1 - axis])
        samples = arrays.reshape(samples, [])
        outer_count, inner_count = arrays.size(outer), arrays.size(inner)
        if pad_end:
            pad_value = as_tensor(pad_value, signal.dtype)
            pad_value.shape.assert_has_rank(0)
            count = -(-samples // frame_step)
            missing = arithmetic.maximum(0, frame_length + frame_step * (count - 1) - samples)
            paddings = joining.concat(
                [
                    constants.zeros([outer_count, 2], dtype=missing.dtype),
                    [[0, missing]],
                    constants.zeros([inner_count, 2], dtype=missing.dtype),
                ],
                0,
            )
            signal = padding.pad(signal, paddings, constant_values=pad_value)
            shape = arrays.shape(signal)
            samples = shape[axis]
        else:
            count = arithmetic.maximum(0, 1 + (samples - frame_length) // frame_step)
        # frames are put together of pieces that every frame begins and ends with
        piece = _gcd(frame_length, frame_step)
        per_frame, per_step = frame_length // piece, frame_step // piece
        pieces = samples // piece
        whole = joining.concat([outer, [pieces * piece], inner], 0)
        cut = joining.concat([outer, [pieces, piece], inner], 0)
        cut_signal = arrays.reshape(slicing.strided_slice(signal, constants.zeros_like(shape), whole), cut)
        starts = arrays.reshape(constants.range_(count) * per_step, [count, 1])
        offsets = arrays.reshape(constants.range_(per_frame), [1, per_frame])
        chosen = starts + offsets
        frames = arrays.reshape(
            indexing.gather(cut_signal, chosen, axis=axis), joining.concat([outer, [count, frame_length], inner], 0)
        )
        if static:
            frames.set_shape(static)
        return frames


def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Tensor:
    """The sum of frames, each ``frame_step`` behind the one before it.

    Raises:
      ValueError: the step is no integer.
    """
    with name_scope(name, "overlap_and_add", [signal, frame_step]):
        signal = as_tensor(signal, name="signal")
        signal.shape.with_rank_at_least(2)
        frame_step = as_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)
        if not frame_step.dtype.is_integer:
            raise ValueError(f"frame_step must be an integer. Got {frame_step.dtype}")
        shape = arrays.shape(signal)
        outer = shape[:-2]
        rank = arrays.size(outer)

        def below(inner: Any) -> Tensor:
            return joining.concat([outer, inner], 0)

        length, frames = shape[-1], shape[-2]
        total = length + frame_step * (frames - 1)
        step = constant_value(frame_step)
        if step is not None and signal.shape.ndims is not None and step == signal.shape[-1].value:
            return arrays.reshape(signal, below([total]), name="fast_path")
        # every frame is cut into segments of a step; those that fall together stand in one column
        segments = -(-length // frame_step)
        paddings: Any = [[0, segments], [0, segments * frame_step - length]]
        paddings = joining.concat([constants.zeros([rank, 2], dtypes.int32), paddings], 0)
        signal = padding.pad(signal, paddings)
        signal = arrays.reshape(signal, below([frames + segments, segments, frame_step]))
        signal = permuting.transpose(
            signal, joining.concat([constants.range_(rank), rank + np.array([1, 0, 2], np.int32)], 0)
        )
        signal = arrays.reshape(signal, below([(frames + segments) * segments, frame_step]))
        signal = signal[..., : (frames + segments - 1) * segments, :]
        signal = arrays.reshape(signal, below([segments, frames + segments - 1, frame_step]))
        signal = reductions.reduce_sum(signal, -3)
        signal = arrays.reshape(signal, below([(frames + segments - 1) * frame_step]))
        return signal[..., :total]


# -- short-time transforms ---------------------------------------------------------------------


def _enclosing_power_of_two(value: Tensor) -> Tensor:
    known = constant_value(value)
    if known is not None:
        return constants.constant(int(2 ** np.ceil(np.log(known) / np.log(2.0))), value.dtype)
    return casts.cast(
        powers.pow_(2.0, rounding.ceil(exponentials.log(casts.cast(value, dtypes.float32)) / exponentials.log(2.0))),
        value.dtype,
    )


def stft(
    signals: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """The ``rfft`` of every frame under a window, of the next power of two if no length is given."""
    with name_scope(name, "stft", [signals, frame_length, frame_step]):
        signals = as_tensor(signals, name="signals")
        signals.shape.with_rank_at_least(1)
        frame_length = as_tensor(frame_length, name="frame_length")
        frame_length.shape.assert_has_rank(0)
        frame_step = as_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)
        if fft_length is None:
            fft_length = _enclosing_power_of_two(frame_length)
        else:
            fft_length = as_tensor(fft_length, name="fft_length")
        frames = frame(signals, frame_length, frame_step, pad_end=pad_end)
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=frames.dtype)
        return fourier.rfft(frames, [fft_length])


def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Callable[..., Any] = hann_window, name: str | None = None
) -> Callable[..., Tensor]:
    """The window with which ``inverse_stft`` undoes ``stft`` under ``forward_window_fn``."""
    with name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
        frame_step = as_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)

    def window(frame_length: Any, dtype: Any) -> Tensor:
        with name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
            frame_length = as_tensor(frame_length, name="frame_length")
            frame_length.shape.assert_has_rank(0)
            forward = forward_window_fn(frame_length, dtype=dtype)
            squares = powers.square(forward)
            overlaps = -(-frame_length // frame_step)
            squares = padding.pad(squares, [(0, overlaps * frame_step - frame_length)])
            squares = arrays.reshape(squares, [overlaps, frame_step])
            squares = reductions.reduce_sum(squares, 0, keepdims=True)
            squares = arrays.reshape(repeating.tile(squares, [overlaps, 1]), [overlaps * frame_step])
            return forward / squares[:frame_length]

    return window


def inverse_stft(
    stfts: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """The frames' ``irfft`` under a window, added up where they overlap."""
    with name_scope(name, "inverse_stft", [stfts]):
        stfts = as_tensor(stfts, name="stfts")
        stfts.shape.with_rank_at_least(2)
        frame_length = as_tensor(frame_length, name="frame_length")
        frame_length.shape.assert_has_rank(0)
        frame_step = as_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)
        if fft_length is None:
            fft_length = _enclosing_power_of_two(frame_length)
        else:
            fft_length = as_tensor(fft_length, name="fft_length")
            fft_length.shape.assert_has_rank(0)
        frames = fourier.irfft(stfts, [fft_length])
        known: Any = constant_value(frame_length)
        size: Any = None
        if frames.shape.ndims is not None:
            size = frames.shape[-1].value
        if known is None or size is None:
            frames = frames[..., :frame_length]
            rank, shape = arrays.rank(frames), arrays.shape(frames)
            paddings = joining.concat(
                [
                    constants.zeros([rank - 1, 2], dtype=frame_length.dtype),
                    [[0, arithmetic.maximum(0, frame_length - shape[-1])]],
                ],
                0,
            )
            frames = padding.pad(frames, paddings)
        elif size > known:
            frames = frames[..., :known]
        elif size < known:
            frames = padding.pad(frames, [*[[0, 0]] * (len(frames.shape) - 1), [0, known - size]])
        if known is not None and frames.shape.ndims is not None:
            frames.set_shape([*[None] * (frames.shape.ndims - 1), known])
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=stfts.dtype.real_dtype)
        return overlap_and_add(frames, frame_step)


# -- cosine transforms -------------------------------------------------------------------------


def _check_dct(input: Any, kind: int, n: Any, axis: int, norm: str | None) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if kind not in (1, 2, 3):
        raise ValueError("Only Types I, II and III (I)DCT are supported.")
    if kind == 1:
        if norm == "ortho":
            raise ValueError("Normalization is not supported for the Type-I DCT.")
        if input.shape[-1] is not None and input.shape[-1] < 2:
            raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")


def dct(
    input: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The cosine transform of type I, II or III over the last axis, by ``rfft``.

    Raises:
      NotImplementedError: another axis.
      ValueError: another type, a length below 1, another normalization than None and "ortho".
    """
    _check_dct(input, type, n, axis, norm)
    with name_scope(name, "dct", [input]):
        input = as_tensor(input, dtype=dtypes.float32)
        length = input.shape[-1].value or arrays.shape(input)[-1]
        if n is not None:
            if n <= length:
                input = input[..., 0:n]
            else:
                paddings: list[list[Any]] = [[0, 0] for _ in range(len(input.shape))]
                paddings[-1][1] = n - length
                input = padding.pad(input, paddings=as_tensor(paddings, dtype=dtypes.int32))
        size = input.shape[-1].value or arrays.shape(input)[-1]
        real_size = casts.cast(size, dtypes.float32)
        if type == 1:
            mirrored = joining.concat([input, input[..., -2:0:-1]], axis=-1)
            return complex_numbers.real(fourier.rfft(mirrored))
        if type == 2:
            turn = 2.0 * exponentials.exp(
                complex_numbers.complex_(0.0, -constants.range_(real_size) * math.pi * 0.5 / real_size)
            )
            result = complex_numbers.real(fourier.rfft(input, fft_length=[2 * size])[..., :size] * turn)
            if norm == "ortho":
                first = 0.5 * powers.rsqrt(real_size)
                result *= _weights(first, first * powers.sqrt(2.0), size)
            return result
        if norm == "ortho":
            first = powers.sqrt(real_size)
            input *= _weights(first, first * powers.sqrt(0.5), size)
        else:
            input *= real_size
        turn = 2.0 * exponentials.exp(
            complex_numbers.complex_(0.0, constants.range_(real_size) * math.pi * 0.5 / real_size)
        )
        return complex_numbers.real(fourier.irfft(turn * complex_numbers.complex_(input, 0.0), fft_length=[2 * size]))[
            ..., :size
        ]


def _weights(first: Tensor, others: Tensor, size: Any) -> Tensor:
    return padding.pad(arrays.expand_dims(first, 0), [[0, size - 1]], constant_values=others)


def idct(
    input: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of ``dct``, but for a factor of ``2 n`` (``2 (n - 1)`` for type I) without normalization."""
    _check_dct(input, type, n, axis, norm)
    return dct(input, type={1: 1, 2: 3, 3: 2}[type], n=n, axis=axis, norm=norm, name=name)


# -- mel scales --------------------------------------------------------------------------------


def _hertz_to_mel(hertz: Any) -> Tensor:
    """``1127 log(1 + f / 700)``."""
    with name_scope(None, "hertz_to_mel", [hertz]):
        return 1127.0 * exponentials.log(1.0 + as_tensor(hertz) / 700.0)


def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: int = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: Any = dtypes_.float32,
    name: str | None = None,
) -> Tensor:
    """Triangular weights that take a spectrogram to mel bins: ``matmul(spectrogram, matrix)``.

    Raises:
      ValueError: an argument is out of range, or the rate is a tensor of unknown value.
    """
    with name_scope(name, "linear_to_mel_weight_matrix") as scope:
        if isinstance(sample_rate, Tensor):
            sample_rate = constant_value(sample_rate)
            if sample_rate is None:
                raise ValueError(
                    "`sample_rate` was a non-constant Tensor. Must be a Python float or a constant Tensor."
                )
        _check_mel(num_mel_bins, sample_rate, lower_edge_hertz, upper_edge_hertz, dtype)
        rate = as_tensor(sample_rate, dtype, name="sample_rate")
        lower = as_tensor(lower_edge_hertz, dtype, name="lower_edge_hertz")
        upper = as_tensor(upper_edge_hertz, dtype, name="upper_edge_hertz")
        zero = as_tensor(0.0, dtype)
        nyquist = rate / 2.0
        frequencies = grids.linspace(zero, nyquist, num_spectrogram_bins)[1:]  # the first bin is in no band
        bins = arrays.expand_dims(_hertz_to_mel(frequencies), 1)
        edges = grids.linspace(_hertz_to_mel(lower), _hertz_to_mel(upper), num_mel_bins + 2)
        bands = joining.split(frame(edges, frame_length=3, frame_step=1), 3, axis=1)
        left, center, right = (arrays.reshape(t, [1, num_mel_bins]) for t in bands)
        rising = (bins - left) / (center - left)
        falling = (right - bins) / (right - center)
        weights = arithmetic.maximum(zero, arithmetic.minimum(rising, falling))
        return padding.pad(weights, [[1, 0], [0, 0]], name=scope)


def _check_mel(bins: int, rate: Any, lower: float, upper: float, dtype: Any) -> None:
    if bins <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {bins}")
    if rate <= 0.0:
        raise ValueError(f"sample_rate must be positive. Got: {rate}")
    if lower < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lower}")
    if lower >= upper:
        raise ValueError(f"lower_edge_hertz {lower:.1f} >= upper_edge_hertz {upper:.1f}")
    if upper > rate / 2:
        raise ValueError(
            "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). "
            f"Got: {upper} for sample_rate: {rate}"
        )
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype}")


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Tensor:
    """The cosine transform of log-mel bins over ``sqrt(2 bins)``.

    Raises:
      ValueError: there are no bins.
    """
    with name_scope(name, "mfccs_from_log_mel_spectrograms", [log_mel_spectrograms]):
        x = as_tensor(log_mel_spectrograms, dtype=dtypes.float32)
        bins: Any = x.shape[-1].value if x.shape.ndims else None
        if bins == 0:
            raise ValueError(f"num_mel_bins must be positive. Got: {x}")
        if bins is None:
            bins = arrays.shape(x)[-1]
        return dct(x, type=2) * powers.rsqrt(casts.cast(bins, dtypes.float32) * 2.0)
