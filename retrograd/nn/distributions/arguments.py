"""What distributions check of their arguments, and how logits and probabilities follow from each other."""

from __future__ import annotations

import hashlib
import inspect
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arrays,
    casts,
    checks,
    comparison,
    constants,
    control,
    exponentials,
    permuting,
    reductions,
    rounding,
    shape_checks,
    softmax,
    special,
)
from retrograd.ops.control import with_dependencies


def gen_new_seed(seed: int | None, salt: str) -> int | None:
    """Another seed for another use, None for None."""
    if seed is None:
        return None
    return int(hashlib.md5((str(seed) + salt).encode()).hexdigest()[:8], 16) & 0x7FFFFFFF


def assert_integer_form(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    int_dtype: Any = None,
    name: str = "assert_integer_form",
) -> Any:
    """An op that fails unless the elements of ``x`` are whole.

    Raises:
      TypeError: ``x`` is of a dtype without an integer one of its size.
    """
    with name_scope(name, values=[x, data]):
        x = as_tensor(x, name="x")
        if x.dtype.is_integer:
            return control.no_op()
        message = message or f"{x} has non-integer components"
        if int_dtype is None:
            same_size = {dtypes.float16: dtypes.int16, dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64}
            if x.dtype.base_dtype not in same_size:
                raise TypeError(f"Unrecognized type {x.dtype.name}")
            int_dtype = same_size[x.dtype.base_dtype]
        whole = casts.cast(casts.cast(x, int_dtype), x.dtype)
        return checks.assert_equal(x, whole, data=data, summarize=summarize, message=message, name=name)


def assert_symmetric(matrix: Tensor) -> Tensor:
    """The matrix, which fails unless it equals its transpose."""
    return with_dependencies([checks.assert_equal(matrix, permuting.matrix_transpose(matrix))], matrix)


def embed_check_nonnegative_integer_form(x: Any, name: str = "embed_check_nonnegative_integer_form") -> Tensor:
    """``x``, which fails unless its elements are 0, 1, 2, ..."""
    with name_scope(name, values=[x]):
        x = as_tensor(x, name="x")
        conditions = [checks.assert_non_negative(x, message=f"'{x}' must be non-negative.")]
        if not x.dtype.is_integer:
            conditions.append(assert_integer_form(x, message=f"'{x}' cannot contain fractional components."))
        return with_dependencies(conditions, x)


def get_logits_and_probs(
    logits: Any = None,
    probs: Any = None,
    multidimensional: bool = False,
    validate_args: bool = False,
    name: str = "get_logits_and_probs",
    dtype: Any = None,
) -> tuple[Tensor, Tensor]:
    """Both of logits and probabilities, of which one is given; of several classes if ``multidimensional``.

    Raises:
      ValueError: both are given, or none.
      TypeError: they are no floating-point numbers.
    """
    with name_scope(name, values=[probs, logits]):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        if probs is None:
            logits = as_tensor(logits, name="logits", dtype=dtype)
            if not logits.dtype.is_floating:
                raise TypeError("logits must having floating type.")
            if not multidimensional:
                return logits, exponentials.sigmoid(logits, name="probs")
            if validate_args:
                logits = embed_check_categorical_event_shape(logits)
            return logits, softmax.softmax(logits, name="probs")
        probs = as_tensor(probs, name="probs", dtype=dtype)
        if not probs.dtype.is_floating:
            raise TypeError("probs must having floating type.")
        if validate_args:
            probs = _checked_probabilities(probs, multidimensional)
        with name_scope("logits"):
            if multidimensional:
                return exponentials.log(probs), probs
            return exponentials.log(probs) - exponentials.log1p(-1.0 * probs), probs


def _checked_probabilities(probs: Tensor, multidimensional: bool) -> Tensor:
    with name_scope("validate_probs"):
        one = constants.constant(1.0, probs.dtype)
        conditions = [checks.assert_non_negative(probs)]
        if multidimensional:
            probs = embed_check_categorical_event_shape(probs)
            conditions.append(
                checks.assert_near(reductions.reduce_sum(probs, -1), one, message="probs does not sum to 1.")
            )
        else:
            conditions.append(checks.assert_less_equal(probs, one, message="probs has components greater than 1."))
        return with_dependencies(conditions, probs)


def _is_known(dtype: Any) -> bool:
    unsigned, signed = (
        (dtypes.bool, dtypes.uint8, dtypes.uint16),
        (dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64),
    )
    return dtype.base_dtype in (*unsigned, *signed, dtypes.float16, dtypes.float32, dtypes.float64)


def _largest_integer(dtype: Any) -> int:
    """The largest number up to which a dtype holds every integer."""
    if not _is_known(dtype):
        raise TypeError(f"Unrecognized dtype: {dtype.name}")
    if dtype.is_floating:
        return int(2 ** (np.finfo(dtype.as_numpy_dtype).nmant + 1))
    return int(np.iinfo(dtype.as_numpy_dtype).max) if dtype.is_integer else 1


def _smallest_integer(dtype: Any) -> int:
    return 0 if dtype.base_dtype in (dtypes.bool, dtypes.uint8, dtypes.uint16) else -_largest_integer(dtype)


def _is_integer_like(dtype: Any) -> bool:
    if not _is_known(dtype):
        raise TypeError(f"Unrecognized dtype: {dtype.name}")
    return bool(dtype.is_integer or dtype.base_dtype == dtypes.bool)


def embed_check_categorical_event_shape(
    categorical_param: Any, name: str = "embed_check_categorical_event_shape"
) -> Tensor:
    """The parameter, which fails unless it has at least two classes, and no more than its dtype can count.

    Raises:
      ValueError: its known shape says so.
      TypeError: the dtype is no floating-point one.
    """
    with name_scope(name, values=[categorical_param]):
        x = as_tensor(categorical_param, name="categorical_param")
        dtype = x.dtype.base_dtype
        most = _largest_integer(dtype) if dtype.is_floating else 0
        if most == 0:
            raise TypeError(f"Unable to validate size of unrecognized dtype ({dtype.name}).")
        try:
            static = x.shape.with_rank_at_least(1)
        except ValueError:
            raise ValueError("A categorical-distribution parameter must have at least 1 dimension.") from None
        size = static[-1].value
        if size is not None:
            if size < 2:
                raise ValueError("A categorical-distribution parameter must have at least 2 events.")
            if size > most:
                raise ValueError(
                    f"Number of classes exceeds `dtype` precision, i.e., {dtype.name} implies shape ({size}) "
                    f"cannot exceed {most}."
                )
            return x
        size = arrays.shape(x, name="x_shape")[-1]
        conditions = [
            shape_checks.assert_rank_at_least(
                x, 1, message="A categorical-distribution parameter must have at least 1 dimension."
            ),
            checks.assert_greater_equal(
                arrays.shape(x)[-1], 2, message="A categorical-distribution parameter must have at least 2 events."
            ),
            checks.assert_less_equal(
                size, most,
                message=f"Number of classes exceeds `dtype` precision, i.e., {dtype.name} dtype cannot exceed "
                f"{most} shape.",
            ),
        ]  # fmt: skip
        return with_dependencies(conditions, x)


def embed_check_integer_casting_closed(
    x: Any, target_dtype: Any, assert_nonnegative: bool = True, name: str = "embed_check_casting_closed"
) -> Tensor:
    """``x``, which fails unless its elements are integers that ``target_dtype`` holds.

    Raises:
      TypeError: one of the dtypes is no number, or neither holds integers.
    """
    with name_scope(name, values=[x]):
        x = as_tensor(x, name="x")
        if not _is_integer_like(x.dtype) and not x.dtype.is_floating:
            raise TypeError(f"{x.dtype.name}.dtype must be floating- or integer-type.")
        if not _is_integer_like(target_dtype) and not target_dtype.is_floating:
            raise TypeError(f"target_dtype ({target_dtype.name}) must be floating- or integer-type.")
        if not _is_integer_like(x.dtype) and not _is_integer_like(target_dtype):
            raise TypeError(
                f"At least one of {x}.dtype ({x.dtype.name}) and target_dtype ({target_dtype.name}) must be "
                "integer-type."
            )
        conditions = []
        if assert_nonnegative:
            conditions.append(checks.assert_non_negative(x, message="Elements must be non-negative."))
        if x.dtype.is_floating:
            message = f"Elements must be {target_dtype.name}-equivalent."
            conditions.append(assert_integer_form(x, int_dtype=target_dtype, message=message))
        else:
            most, least = _largest_integer(target_dtype), _smallest_integer(target_dtype)
            if _largest_integer(x.dtype) > most:
                conditions.append(checks.assert_less_equal(x, most, message=f"Elements cannot exceed {most}."))
            if not assert_nonnegative and _smallest_integer(x.dtype) < least:
                message = f"Elements cannot be smaller than {least}."
                conditions.append(checks.assert_greater_equal(x, least, message=message))
        return with_dependencies(conditions, x) if conditions else x


def log_combinations(n: Any, counts: Any, name: str = "log_combinations") -> Tensor:
    """``log(n! / prod(counts!))``: how many orders there are of ``n`` things, ``counts`` of each kind."""
    with name_scope(name, values=[n, counts]):
        n, counts = as_tensor(n, name="n"), as_tensor(counts, name="counts")
        orders, same = special.lgamma(n + 1), special.lgamma(counts + 1)
        return orders - reductions.reduce_sum(same, axis=[-1])


def reduce_weighted_logsumexp(
    logx: Any,
    w: Any = None,
    axis: Any = None,
    keep_dims: bool = False,
    return_sign: bool = False,
    name: str | None = None,
) -> Any:
    """``log(abs(sum(w * exp(logx))))`` over ``axis``, and with ``return_sign`` the sign of the sum."""
    with name_scope(name, "reduce_weighted_logsumexp", [logx, w]):
        logx = as_tensor(logx, name="logx")
        if w is None:
            total = reductions.reduce_logsumexp(logx, axis=axis, keepdims=keep_dims)
            return (total, constants.ones_like(total)) if return_sign else total
        w = as_tensor(w, dtype=logx.dtype, name="w")
        terms = logx + exponentials.log(rounding.abs_(w))
        largest = reductions.reduce_max(terms, axis=axis, keepdims=True)
        largest = comparison.where_v2(rounding.is_inf(largest), constants.zeros_like(largest), largest)
        scaled = rounding.sign(w) * exponentials.exp(terms - largest)
        total = reductions.reduce_sum(scaled, axis=axis, keepdims=keep_dims)
        if not keep_dims:
            largest = arrays.squeeze(largest, axis)
        sign = rounding.sign(total)
        result = largest + exponentials.log(sign * total)
        return (result, sign) if return_sign else result


def softplus_inverse(x: Any, name: str | None = None) -> Tensor:
    """``log(exp(x) - 1)``, which is ``log(x)`` for the smallest ``x`` and ``x`` for the largest."""
    with name_scope(name, "softplus_inverse", values=[x]):
        x = as_tensor(x, name="x")
        threshold = np.log(np.finfo(x.dtype.as_numpy_dtype).eps) + 2.0
        small, large = comparison.less(x, np.exp(threshold)), comparison.greater(x, -threshold)
        where_small, where_large = exponentials.log(x), x
        x = comparison.where_v2(comparison.logical_or(small, large), constants.ones_like(x), x)
        y = x + exponentials.log(-exponentials.expm1(-x))
        return comparison.where_v2(small, where_small, comparison.where_v2(large, where_large, y))


def parent_frame_arguments() -> dict[str, Any]:
    """The arguments with which the caller was called."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    names, _, rest, values = inspect.getargvalues(frame.f_back)
    return {name: values[name] for name in names} | (values[rest] if rest else {})
