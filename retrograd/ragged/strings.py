"""Strings cut into bytes, characters, code points and pieces: rows of different lengths."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, joining, unicode
from retrograd.ops import strings as dense
from retrograd.ragged.rows import expand_dims
from retrograd.ragged.tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged


def _rows(values: Any, indices: Any, shape: Any) -> RaggedTensor:
    return RaggedTensor.from_value_rowids(values, indices[:, 0], shape[0], validate=False)


def string_bytes_split(input: Any, name: str | None = None) -> Any:
    """The bytes of each string."""
    with name_scope(name, "StringsByteSplit", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, name="input")
        if is_ragged(input):
            return input.with_flat_values(string_bytes_split(input.flat_values))
        rank = input.shape.ndims
        if rank is None:
            raise ValueError("input must have a statically-known rank.")
        if rank == 0:
            return string_bytes_split(joining.stack([input]))[0]
        if rank > 1:
            return string_bytes_split(RaggedTensor.from_tensor(input))
        indices, values, shape = apply(dense.STRING_SPLIT, input, "", skip_empty=False)
        return _rows(values, indices, shape)


# -- code points -------------------------------------------------------------------------------


def unicode_encode(
    input: Any, output_encoding: str, errors: str = "replace", replacement_char: int = 65533, name: str | None = None
) -> Any:
    """The string of each row of code points."""
    with name_scope(name, "UnicodeEncode", [input]):
        x = convert_to_tensor_or_ragged_tensor(input)
        options = (output_encoding, errors, replacement_char)
        rank = x.shape.ndims
        if rank is None:
            raise ValueError("Rank of input_tensor must be statically known.")
        if is_ragged(x):
            if x.flat_values.shape.ndims > 1:
                return x.with_flat_values(unicode_encode(x.flat_values, *options))
            if x.ragged_rank > 1:
                return x.with_values(unicode_encode(x.values, *options))
            return apply(
                unicode.UNICODE_ENCODE, x.values, x.row_splits, output_encoding=output_encoding, errors=errors,
                replacement_char=replacement_char,
            )  # fmt: skip
        if rank == 0:
            raise ValueError("input_tensor's rank must be at least 1.")
        if rank == 2:
            return unicode_encode(RaggedTensor.from_tensor(x), *options)
        if rank > 2:
            flat = arrays.reshape(x, joining.stack([-1, arrays.shape(x)[-1]]))
            return arrays.reshape(unicode_encode(flat, *options), x.shape[:-1])
        splits = joining.stack([0, arrays.shape(x, out_type=dtypes.int32)[0]])
        row = RaggedTensor.from_row_splits(x, splits, validate=False)
        return arrays.reshape(unicode_encode(row, *options), [])


def unicode_decode(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The code points of each string."""
    with name_scope(name, "UnicodeDecode", [input]):
        return _decoded(input, input_encoding, errors, replacement_char, replace_control_characters, False)


def unicode_decode_with_offsets(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The code points of each string, and where their bytes begin."""
    with name_scope(name, "UnicodeDecodeWithOffsets", [input]):
        return _decoded(input, input_encoding, errors, replacement_char, replace_control_characters, True)


def unicode_split(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD, name: str | None = None
) -> Any:
    """The characters of each string, as strings."""
    with name_scope(name, "UnicodeSplit", [input]):
        points = _decoded(input, input_encoding, errors, replacement_char, False, False)
        return unicode_encode(expand_dims(points, -1), input_encoding, errors, replacement_char)


def unicode_split_with_offsets(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 0xFFFD, name: str | None = None
) -> Any:
    """The characters of each string, as strings, and where their bytes begin."""
    with name_scope(name, "UnicodeSplitWithOffsets", [input]):
        points, offsets = _decoded(input, input_encoding, errors, replacement_char, False, True)
        return unicode_encode(expand_dims(points, -1), input_encoding, errors, replacement_char), offsets


def _decoded(
    input: Any, input_encoding: str, errors: str, replacement_char: int, replace_control: bool, with_offsets: bool
) -> Any:
    x = convert_to_tensor_or_ragged_tensor(input, name="input")
    rank = x.shape.ndims
    if rank is None:
        raise ValueError("Rank of `input` must be statically known.")
    if rank > 1 and not is_ragged(x):
        x = RaggedTensor.from_tensor(x, ragged_rank=rank - 1)
    elif rank > 1 and x.ragged_rank < rank - 1:
        x = x.with_flat_values(RaggedTensor.from_tensor(x.flat_values, ragged_rank=rank - x.ragged_rank + 1))
    flat = arrays.reshape(x.flat_values if is_ragged(x) else x, [-1])
    record = unicode.UNICODE_DECODE_WITH_OFFSETS if with_offsets else unicode.UNICODE_DECODE
    splits, *parts = apply(
        record, flat, input_encoding=input_encoding, errors=errors, replacement_char=replacement_char,
        replace_control_characters=replace_control,
    )  # fmt: skip
    if rank > 0:
        parts = [RaggedTensor.from_row_splits(part, splits, validate=False) for part in parts]
    if rank > 1:
        parts = [x.with_flat_values(part) for part in parts]
    return tuple(parts) if with_offsets else parts[0]


# -- pieces ------------------------------------------------------------------------------------


def string_split_v2(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """The pieces of each string between occurrences of ``sep`` (white space), at most ``maxsplit`` + 1."""
    with name_scope(name, "StringSplit", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, dtype=dtypes.string, name="input")
        if is_ragged(input):
            return input.with_flat_values(string_split_v2(input.flat_values, sep, maxsplit))
        rank = input.shape.ndims
        if rank == 0:
            return string_split_v2(joining.stack([input]), sep, maxsplit)[0]
        if rank is not None and rank > 1:
            return string_split_v2(RaggedTensor.from_tensor(input), sep, maxsplit)
        found = dense.string_split_v2(input, sep, maxsplit)
        return _rows(found.values, found.indices, found.dense_shape)


def string_split(
    source: Any, sep: Any = None, skip_empty: bool = True, delimiter: Any = None, result_type: str = "SparseTensor",
    name: str | None = None,
) -> Any:  # fmt: skip
    """The pieces of each string between any of the characters of ``sep``, as a sparse or ragged tensor."""
    with name_scope(name, "StringSplit", [source]):
        found = dense.string_split(source, sep, skip_empty, delimiter)
        if result_type == "SparseTensor":
            return found
        if result_type == "RaggedTensor":
            return _rows(found.values, found.indices, found.dense_shape)
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")


def strings_split_v1(
    input: Any = None, sep: Any = None, maxsplit: int = -1, result_type: str = "SparseTensor", source: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """``string_split_v2`` as a sparse or ragged tensor."""
    input = deprecated_argument_lookup("input", input, "source", source)
    with name_scope(name, "StringSplit", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, dtype=dtypes.string, name="input")
        if result_type == "SparseTensor" and input.shape.rank == 1:
            return dense.string_split_v2(input, sep, maxsplit)
        found = string_split_v2(input, sep=sep, maxsplit=maxsplit)
        if result_type == "SparseTensor":
            return found.to_sparse()
        if result_type == "RaggedTensor":
            return found
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")


# -- n-grams -----------------------------------------------------------------------------------


def ngrams(
    data: Any, ngram_width: Any, separator: str = " ", pad_values: Any = None, padding_width: int | None = None,
    preserve_short_sequences: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Each ``ngram_width`` neighbouring strings of a row, joined by ``separator``.

    Args:
      ngram_width: a number, or several.
      pad_values: what stands before and behind the rows, ``padding_width`` times, at most ``ngram_width - 1``.
      preserve_short_sequences: a row that is too short is one n-gram.
    """
    with name_scope(name, "StringNGrams", [data]):
        pads = tuple(pad_values) if isinstance(pad_values, list | tuple) else (pad_values, pad_values)
        if pad_values is not None and not all(isinstance(pad, str | bytes) for pad in pads):
            raise TypeError("pad_values must be a string, tuple of strings, or None.")
        left, right = ("", "") if pad_values is None else pads
        if padding_width is not None and padding_width < 1:
            raise ValueError("padding_width must be greater than 0.")
        if padding_width is not None and pad_values is None:
            raise ValueError("pad_values must be provided if padding_width is set.")
        options = (ngram_width, separator, pad_values, padding_width, preserve_short_sequences, name)
        data = convert_to_tensor_or_ragged_tensor(data, name="data", dtype=dtypes.string)
        is_dense = isinstance(data, Tensor)
        if is_dense:
            dense_shape = joining.concat([arrays.shape(data)[:-1], [-1]], axis=0)
            rank = data.shape.ndims
            if rank is None:
                raise ValueError("Rank of data must be known.")
            if rank == 0:
                raise ValueError("Data must have rank>0")
            if rank == 1:
                return ngrams(RaggedTensor.from_row_starts(data, [0], validate=False), *options)[0]
            data = RaggedTensor.from_tensor(data, ragged_rank=rank - 1)
        if data.ragged_rank > 1:
            output = data.with_values(ngrams(data.values, *options))
            return arrays.reshape(output.flat_values, dense_shape) if is_dense else output
        widths = list(ngram_width) if isinstance(ngram_width, list | tuple) else [ngram_width]
        if any(width < 1 for width in widths):
            raise ValueError(f"All ngram_widths must be greater than 0. Got {ngram_width}")
        pad_width = 0 if pad_values is None else -1 if padding_width is None else padding_width
        values, splits = apply(
            unicode.STRING_N_GRAMS, data.flat_values, data.row_splits, separator=separator, ngram_widths=widths,
            left_pad=left, right_pad=right, pad_width=pad_width, preserve_short_sequences=preserve_short_sequences,
        )  # fmt: skip
        output = RaggedTensor.from_row_splits(values, splits, validate=False)
        return arrays.reshape(output.flat_values, dense_shape) if is_dense else output
