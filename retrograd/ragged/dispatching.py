"""TensorFlow's functions, for ragged tensors too: where one is among the arguments, the values or the rows are meant.

Each function here takes what the one that it stands for takes.  As in TensorFlow that one is tried first, so that
names count the same; it refuses what is ragged, and then the ragged form is built.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor, register_tensor_conversion_function
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    activations,
    arithmetic,
    arrays,
    asserts,
    bitwise,
    casts,
    clipping,
    comparison,
    complex_numbers,
    conjugates,
    constants,
    decoding,
    exponentials,
    indexing,
    joining,
    powers,
    reductions,
    repeating,
    rounding,
    segments,
    special,
    stitching,
    string_numbers,
    string_patterns,
    strings,
    sums,
    trigonometry,
    unicode,
)
from retrograd.ragged import reducing, rows
from retrograd.ragged.shapes import RaggedTensorDynamicShape, broadcast_dynamic_shape, broadcast_to
from retrograd.ragged.splits import same_splits
from retrograd.ragged.tensor import RaggedTensor, is_ragged, match_row_splits_dtypes
from retrograd.ragged.values import RaggedTensorValue

Function = Callable[..., Any]
_RAGGED = (RaggedTensor, RaggedTensorValue)


def _not_a_tensor(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    raise TypeError(
        f"Failed to convert object of type {type(value)} to Tensor. Contents: {value}. Consider casting elements to a "
        "supported type."
    )


register_tensor_conversion_function(_RAGGED, _not_a_tensor, 0)


def _any_ragged(values: Any) -> bool:
    return any(
        isinstance(v, _RAGGED) or (type(v) in (list, tuple) and any(isinstance(x, _RAGGED) for x in v)) for v in values
    )


def _dispatched(function: Function, otherwise: Function) -> Function:
    """``function``, or ``otherwise`` where something ragged is among the arguments that it refuses."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not (_any_ragged(args) or (kwargs and _any_ragged(kwargs.values()))):
            return function(*args, **kwargs)
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError) as refusal:
            result = otherwise(*args, **kwargs)
            if result is NotImplemented:
                raise refusal
            return result

    call.__module__ = __name__  # where it is found, so that it can be pickled
    return call


def _of_values(function: Function) -> Function:
    """``function`` of the values of its first argument."""
    first = next(iter(inspect.signature(function).parameters))

    def otherwise(*args: Any, **kwargs: Any) -> Any:
        x, rest = (args[0], args[1:]) if args else (kwargs.pop(first, None), args)
        return x.with_flat_values(function(x.flat_values, *rest, **kwargs)) if is_ragged(x) else NotImplemented

    return _dispatched(function, otherwise)


def _of_lists(function: Function) -> Function:
    """``function`` of the values of all items of its first argument, which have the same rows."""

    def otherwise(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        items = match_row_splits_dtypes(*inputs)
        nested = [x.nested_row_splits for x in items if is_ragged(x)]
        if not nested:
            return NotImplemented
        flat = [x.flat_values if is_ragged(x) else x for x in items]
        with control_dependencies(same_splits(nested)):
            return RaggedTensor.from_nested_row_splits(function(flat, *args, **kwargs), nested[0], validate=False)

    return _dispatched(function, otherwise)


def _of_pairs(function: Function) -> Function:
    """``function`` of the values of its first two arguments, broadcast to each other."""
    names = list(inspect.signature(function).parameters)[:2]

    def otherwise(*args: Any, **kwargs: Any) -> Any:
        pair = list(args[:2]) + [kwargs.pop(name, None) for name in names[len(args[:2]) :]]
        x, y = pair
        are_ragged = is_ragged(x), is_ragged(y)
        if not any(are_ragged):
            return NotImplemented
        if not are_ragged[0]:
            x = as_tensor(x, name=names[0], preferred_dtype=y.dtype)
        if not are_ragged[1]:
            y = as_tensor(y, name=names[1], preferred_dtype=x.dtype)
        if all(are_ragged):
            x, y = match_row_splits_dtypes(x, y)
        if (
            all(are_ragged)
            or (are_ragged[0] and x.flat_values.shape.ndims <= y.shape.ndims)
            or (are_ragged[1] and y.flat_values.shape.ndims <= x.shape.ndims)
        ):
            shape = broadcast_dynamic_shape(
                RaggedTensorDynamicShape.from_tensor(x), RaggedTensorDynamicShape.from_tensor(y)
            )
            x = broadcast_to(x, shape, broadcast_inner_dimensions=False)
            y = broadcast_to(y, shape, broadcast_inner_dimensions=False)
        flat = [t.flat_values if is_ragged(t) else t for t in (x, y)]
        values = function(*flat, *args[2:], **kwargs)
        return (x if is_ragged(x) else y).with_flat_values(values)

    return _dispatched(function, otherwise)


def _all(form: Callable[[Function], Function], *functions: Any) -> list[Function]:
    return [form(function) for function in functions]


# -- of each value -----------------------------------------------------------------------------

check_numerics, identity, ones_like, zeros_like, clip_by_value, invert, cast, saturate_cast = _all(_of_values,
    asserts.check_numerics, arrays.identity, constants.ones_like, constants.zeros_like, clipping.clip_by_value,
    bitwise.invert, casts.cast, arithmetic.saturate_cast,
)  # fmt: skip
abs_, ceil, floor, is_finite, is_inf, is_nan, rint, round_, sign, logical_not, negative = _all(_of_values,
    rounding.abs_, rounding.ceil, rounding.floor, rounding.is_finite, rounding.is_inf, rounding.is_nan, rounding.rint,
    rounding.round_, rounding.sign, comparison.logical_not, arithmetic.negative,
)  # fmt: skip
acos, acosh, asin, asinh, atan, atanh, cos, cosh, sin, sinh, tan = _all(_of_values,
    trigonometry.acos, trigonometry.acosh, trigonometry.asin, trigonometry.asinh, trigonometry.atan,
    trigonometry.atanh, trigonometry.cos, trigonometry.cosh, trigonometry.sin, trigonometry.sinh, trigonometry.tan,
)  # fmt: skip
exp, expm1, log, log1p, log_sigmoid, reciprocal, rsqrt, sqrt, square = _all(_of_values,
    exponentials.exp, exponentials.expm1, exponentials.log, exponentials.log1p, activations.log_sigmoid,
    powers.reciprocal, powers.rsqrt, powers.sqrt, powers.square,
)  # fmt: skip
digamma, erf, erfc, lgamma, angle, conj, imag, real = _all(_of_values,
    special.digamma, special.erf, special.erfc, special.lgamma, complex_numbers.angle, conjugates.conj,
    complex_numbers.imag, complex_numbers.real,
)  # fmt: skip
decode_compressed, string_to_number, string_to_hash_bucket, as_string, decode_base64, encode_base64 = _all(_of_values,
    decoding.decode_compressed, string_numbers.string_to_number, strings.string_to_hash_bucket,
    string_numbers.as_string, strings.decode_base64, strings.encode_base64,
)  # fmt: skip
regex_full_match, regex_replace, string_strip, substr, string_length = _all(_of_values,
    string_patterns.regex_full_match, string_patterns.regex_replace, strings.string_strip, strings.substr,
    strings.string_length,
)  # fmt: skip
string_to_hash_bucket_fast, string_to_hash_bucket_strong, unicode_script = _all(_of_values,
    strings.string_to_hash_bucket_fast, strings.string_to_hash_bucket_strong, unicode.unicode_script,
)  # fmt: skip
add_n, string_join = _all(_of_lists, sums.add_n, strings.string_join)

# -- of each pair of values --------------------------------------------------------------------

bitwise_and, bitwise_or, bitwise_xor, left_shift, right_shift = _all(_of_pairs,
    bitwise.bitwise_and, bitwise.bitwise_or, bitwise.bitwise_xor, bitwise.left_shift, bitwise.right_shift,
)  # fmt: skip
add, subtract, multiply, divide, truediv, div, floordiv, floormod, div_no_nan, real_div = _all(_of_pairs,
    arithmetic.add, arithmetic.subtract, arithmetic.multiply, arithmetic.divide, arithmetic.truediv, arithmetic.div,
    arithmetic.floordiv, arithmetic.floormod, arithmetic.div_no_nan, arithmetic.real_div,
)  # fmt: skip
truncatediv, truncatemod, maximum, minimum, squared_difference, atan2, complex_, pow_ = _all(_of_pairs,
    arithmetic.truncatediv, arithmetic.truncatemod, arithmetic.maximum, arithmetic.minimum,
    arithmetic.squared_difference, trigonometry.atan2, complex_numbers.complex_, powers.pow_,
)  # fmt: skip
equal, not_equal, less, less_equal, greater, greater_equal = _all(_of_pairs,
    comparison.equal, comparison.not_equal, comparison.less, comparison.less_equal, comparison.greater,
    comparison.greater_equal,
)  # fmt: skip
logical_and, logical_or, logical_xor = _all(_of_pairs,
    comparison.logical_and, comparison.logical_or, comparison.logical_xor,
)  # fmt: skip

# -- of rows -----------------------------------------------------------------------------------


def _gather(
    params: Any, indices: Any, validate_indices: Any = None, name: Any = None, axis: Any = None, batch_dims: Any = 0
) -> Any:
    return rows.gather(params, indices, validate_indices, 0 if axis is None else axis, batch_dims, name)


def _gather_nd(params: Any, indices: Any, name: Any = None, batch_dims: Any = 0) -> Any:
    return rows.gather_nd(params, indices, batch_dims, name)


def _expand_dims(input: Any, axis: Any = None, name: Any = None, dim: Any = None) -> Any:
    return rows.expand_dims(input, axis if dim is None else dim, name)


def _squeeze(input: Any, axis: Any = None, name: Any = None, squeeze_dims: Any = None) -> Any:
    return rows.squeeze(input, deprecated_argument_lookup("axis", axis, "squeeze_dims", squeeze_dims), name)


def _size(input: Any, name: Any = None, out_type: Any = dtypes.int32) -> Any:
    return rows.size(input, out_type, name)


def _dynamic_partition(data: Any, partitions: Any, num_partitions: Any, name: Any = None) -> Any:
    if not isinstance(num_partitions, int) or num_partitions < 0:
        raise TypeError("num_partitions must be a non-negative integer")
    result = rows.stack_dynamic_partitions(data, partitions, num_partitions, name)
    return [result[i] for i in range(num_partitions)]


def _reduction(reduce: Function) -> Function:
    def otherwise(
        input_tensor: Any, axis: Any = None, keepdims: Any = None, name: Any = None, reduction_indices: Any = None,
        keep_dims: Any = None,
    ) -> Any:  # fmt: skip
        axis = axis if reduction_indices is None else reduction_indices
        if axis is None:
            constants.range_(0, rows.rank(input_tensor))  # TensorFlow's attempt leaves these nodes
        return reduce(input_tensor, axis, keepdims or keep_dims, name)

    return otherwise


def _join(
    inputs: Any, axis: Any = None, keep_dims: Any = None, separator: str = "", name: Any = None,
    reduction_indices: Any = None, keepdims: Any = None,
) -> Any:  # fmt: skip
    axis = axis if reduction_indices is None else reduction_indices
    return reducing.reduce_join(inputs, axis, keepdims or keep_dims, separator, name)


def _of_rows(function: Function, otherwise: Function, *arguments: str) -> Function:
    """``function``, or ``otherwise`` if one of ``arguments`` is ragged and the others are tensors."""
    names = list(inspect.signature(function).parameters)

    @functools.wraps(otherwise)
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | kwargs
        for name in arguments:
            value = given.get(name)
            for item in value if name == "values" and isinstance(value, list | tuple) else [value]:
                if item is not None and not isinstance(item, (*_RAGGED, Tensor, np.ndarray, int, float, str)):
                    as_tensor(item)  # TensorFlow tries, and leaves the node
        return otherwise(*args, **kwargs)

    return _dispatched(function, checked)


batch_gather = _of_rows(indexing.batch_gather, rows.batch_gather, "params", "indices")
concat = _of_rows(joining.concat, rows.concat, "values")
stack = _of_rows(joining.stack, rows.stack, "values")
expand_dims = _of_rows(arrays.expand_dims, _expand_dims, "input")
squeeze = _of_rows(arrays.squeeze, _squeeze, "input")
gather = _of_rows(indexing.gather, _gather, "params", "indices")
gather_nd = _of_rows(indexing.gather_nd, _gather_nd, "params", "indices")
one_hot = _of_rows(indexing.one_hot, rows.ragged_one_hot, "indices")
rank = _of_rows(arrays.rank, rows.rank, "input")
size = _of_rows(arrays.size, _size, "input")
tile = _of_rows(repeating.tile, rows.tile, "input")
where = _of_rows(comparison.where, rows.where, "condition", "x", "y")
dynamic_partition = _of_rows(stitching.dynamic_partition, _dynamic_partition, "data", "partitions")
unsorted_segment_sum = _of_rows(segments.unsorted_segment_sum, reducing.segment_sum, "data", "segment_ids")
unsorted_segment_prod = _of_rows(segments.unsorted_segment_prod, reducing.segment_prod, "data", "segment_ids")
unsorted_segment_min = _of_rows(segments.unsorted_segment_min, reducing.segment_min, "data", "segment_ids")
unsorted_segment_max = _of_rows(segments.unsorted_segment_max, reducing.segment_max, "data", "segment_ids")
unsorted_segment_mean = _of_rows(segments.unsorted_segment_mean, reducing.segment_mean, "data", "segment_ids")
unsorted_segment_sqrt_n = _of_rows(segments.unsorted_segment_sqrt_n, reducing.segment_sqrt_n, "data", "segment_ids")
reduce_sum = _of_rows(reductions.reduce_sum, _reduction(reducing.reduce_sum), "input_tensor")
reduce_prod = _of_rows(reductions.reduce_prod, _reduction(reducing.reduce_prod), "input_tensor")
reduce_min = _of_rows(reductions.reduce_min, _reduction(reducing.reduce_min), "input_tensor")
reduce_max = _of_rows(reductions.reduce_max, _reduction(reducing.reduce_max), "input_tensor")
reduce_mean = _of_rows(reductions.reduce_mean, _reduction(reducing.reduce_mean), "input_tensor")
reduce_any = _of_rows(reductions.reduce_any, _reduction(reducing.reduce_any), "input_tensor")
reduce_all = _of_rows(reductions.reduce_all, _reduction(reducing.reduce_all), "input_tensor")
reduce_join = _of_rows(strings.reduce_join, _join, "inputs")


# -- Python's operators ------------------------------------------------------------------------


def _reversed(operator: Function) -> Function:
    @functools.wraps(operator)
    def method(y: Any, x: Any) -> Any:
        return operator(x, y)

    return method


_TWO_SIDED = {
    "add": add, "sub": subtract, "mul": multiply, "div": div, "truediv": truediv, "floordiv": floordiv,
    "mod": floormod, "pow": pow_, "and": logical_and, "or": logical_or, "xor": logical_xor,
}  # fmt: skip
_ONE_SIDED = {
    "lt": less, "le": less_equal, "gt": greater, "ge": greater_equal, "neg": negative, "abs": abs_,
    "invert": logical_not,
}  # fmt: skip
for _name, _function in _TWO_SIDED.items():
    setattr(RaggedTensor, f"__{_name}__", _function)
    setattr(RaggedTensor, f"__r{_name}__", _reversed(_function))
for _name, _function in _ONE_SIDED.items():
    setattr(RaggedTensor, f"__{_name}__", _function)


def _no_truth(_: RaggedTensor) -> bool:
    raise TypeError("RaggedTensor may not be used as a boolean.")


RaggedTensor.__bool__ = _no_truth  # type: ignore[attr-defined]
