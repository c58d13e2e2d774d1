"""Rules by which equations are computed for a size that is not known; ``run.bounded`` says how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.run.bounded import Axes, Equation, NotBounded, Rule, Value, Walk, whole

_OF_ZERO_ZERO = """neg sign floor ceil round tanh sin tan asin atan sinh asinh atanh sqrt cbrt abs expm1 log1p square
    erf convert_element_type real imag copy copy_p reduce_precision optimization_barrier stop_gradient
    add sub mul max min add_any or and xor select_n"""
_OTHERS = """div rem pow exp exp2 log cos acos cosh acosh rsqrt logistic erfc erf_inv lgamma digamma eq ne lt le gt ge
    not shift_left shift_right_logical shift_right_arithmetic integer_pow is_finite clamp nextafter atan2 conj complex
    population_count clz"""
_ZEROS_OF_ZEROS = frozenset(_OF_ZERO_ZERO.split())
_ELEMENTWISE = _ZEROS_OF_ZEROS.union(_OTHERS.split())


def _agreed(inputs: Sequence[Value]) -> Axes:
    """The axes of arrays of one shape, but for numbers and axes that are repeated."""
    columns = [
        {axis for axis in column if axis != (1,)} for column in zip(*[v.axes for v in inputs if v.axes], strict=True)
    ]
    if any(len(column) > 1 for column in columns):
        raise NotBounded("axes of several kinds are combined")
    return tuple([column.pop() if column else (1,) for column in columns])


def _elementwise(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same(*eqn.most.params)
    axes = _agreed(eqn.inputs)
    are_zeros = eqn.name in _ZEROS_OF_ZEROS and all(v.ends_in_zeros for v in eqn.inputs[eqn.name == "select_n" :])
    return [Value(x, axes, are_zeros) for x in eqn.run()]


def _each_for_itself(walk: Walk, eqn: Equation) -> list[Value]:
    return [Value(x, v.axes, v.ends_in_zeros) for x, v in zip(eqn.run(), eqn.inputs, strict=True)]


# -- shapes --------------------------------------------------------------------------------


def _broadcast(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("broadcast_dimensions")
    value, places = eqn.inputs[0], eqn.param("broadcast_dimensions")
    axes = list(map(walk.power, eqn.least.params["shape"], eqn.param("shape")))
    found: list[tuple[int | None, ...]] = []
    for i, (k, d) in enumerate(axes):
        own = value.axes[places.index(i)] if i in places else (1,)
        if own == (1,):
            if d and k != 1 and not value.ends_in_zeros:
                raise NotBounded("an axis is a multiple of the size")
            own = (k,) if not d else (None,) if k == 1 else (k, None)
        found.append(own)
    return [Value(x, tuple(found), value.ends_in_zeros) for x in eqn.run()]


def _reshape(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("dimensions")
    value = eqn.inputs[0]
    factors = [n for axis in value.axes for n in axis if n != 1]
    axes = []
    for k, d in map(walk.power, eqn.least.params["new_sizes"], eqn.param("new_sizes")):
        axis: list[int | None] = []
        while k > 1 or d:
            if not factors:
                raise NotBounded("an array is reshaped across its axes")
            factor = factors.pop(0)
            if factor is None:
                d -= 1
            elif k % factor == 0:
                k //= factor
            elif factor % k == 0 and k > 1:
                factors.insert(0, factor // k)
                factor, k = k, 1
            else:
                raise NotBounded("an array is reshaped across its axes")
            if d < 0:
                raise NotBounded("an array is reshaped across its axes")
            axis.append(factor)
        axes.append(_merged(axis))
    if factors:
        raise NotBounded("an array is reshaped across its axes")
    return [Value(x, tuple(axes), value.ends_in_zeros) for x in eqn.run()]


def _merged(axis: Sequence[int | None]) -> tuple[int | None, ...]:
    """An axis of these factors, neighbours that are known taken together."""
    found: list[int | None] = []
    for factor in axis:
        last = found[-1] if found else None
        if factor is not None and last is not None:
            found[-1] = last * factor
        else:
            found.append(factor)
    return tuple(found) or (1,)


def _squeeze(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("dimensions")
    value, gone = eqn.inputs[0], eqn.param("dimensions")
    axes = tuple([axis for i, axis in enumerate(value.axes) if i not in gone])
    return [Value(x, axes, value.ends_in_zeros) for x in eqn.run()]


def _expand_dims(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("dimensions")
    value, new = eqn.inputs[0], eqn.param("dimensions")
    rest = [*value.axes]
    axes = tuple([(1,) if i in new else rest.pop(0) for i in range(len(value.axes) + len(new))])
    return [Value(x, axes, value.ends_in_zeros) for x in eqn.run()]


def _transpose(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("permutation")
    value = eqn.inputs[0]
    return [Value(x, tuple([value.axes[i] for i in eqn.param("permutation")]), value.ends_in_zeros) for x in eqn.run()]


def _iota(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("dimension", "dtype")
    axes = tuple(map(walk.axis, eqn.least.params["shape"], eqn.param("shape")))
    return [Value(x, axes) for x in eqn.run()]


def _tiled(walk: Walk, eqn: Equation) -> list[Value]:
    value = eqn.inputs[0]
    (tiled,) = eqn.run()
    axes = list(value.axes)
    for i, (least, most) in enumerate(zip(eqn.least.params["reps"], eqn.param("reps"), strict=True)):
        if (least, most) != (1, 1):
            axis = walk.axis(least, most)
            if axes[i] != (1,) and None in (*axis, *axes[i]):
                raise NotBounded("an array is repeated along its axes")
            axes[i] = axis if axes[i] == (1,) else (tiled.shape[i],)
    return [Value(tiled, tuple(axes), value.ends_in_zeros)]


def _joined(walk: Walk, eqn: Equation) -> list[Value]:
    """Arrays along an axis that is known."""
    eqn.same("dimension")
    at = eqn.param("dimension")
    rest = {v.axes[:at] + v.axes[at + 1 :] for v in eqn.inputs}
    if len(rest) > 1 or any(None in v.axes[at] for v in eqn.inputs):
        raise NotBounded("arrays are joined along an axis of the size")
    (axes,) = rest
    length = sum(v.array.shape[at] for v in eqn.inputs)
    zeros = all(v.ends_in_zeros for v in eqn.inputs)
    return [Value(x, (*axes[:at], (length,), *axes[at:]), zeros) for x in eqn.run()]


def _stacked(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same(*eqn.most.params)
    axes, at = _agreed(eqn.inputs), eqn.param("axis")
    zeros = all(v.ends_in_zeros for v in eqn.inputs)
    return [Value(x, (*axes[:at], (len(eqn.inputs),), *axes[at:]), zeros) for x in eqn.run()]


def _split(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("axis", "sizes")
    value, at = eqn.inputs[0], eqn.param("axis")
    return [Value(x, _cut(value, at, x.shape[at]), value.ends_in_zeros) for x in eqn.run()]


def _cut(value: Value, at: int, length: int) -> Axes:
    if None in value.axes[at]:
        raise NotBounded("an axis of the size is cut")
    return (*value.axes[:at], (length,), *value.axes[at + 1 :])


def _part(value: Value, shape: Sequence[int]) -> Axes:
    """The axes of a part of an array that has all of what is not known."""
    axes = value.axes
    for i, n in enumerate(shape):
        if n != value.array.shape[i]:
            axes = _cut(Value(value.array, axes), i, n)
    return axes


def _slice(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("start_indices", "strides")
    value = eqn.inputs[0]
    (part,) = eqn.run()
    strides = eqn.param("strides") or [1] * part.ndim
    if any(None in axis and s != 1 for axis, s in zip(value.axes, strides, strict=True)):
        raise NotBounded("an axis of the size is cut")
    ends = [*zip(eqn.least.params["limit_indices"], eqn.param("limit_indices"), strict=True)]
    first = tuple([(n,) if ends[i][0] == ends[i][1] else value.axes[i] for i, n in enumerate(part.shape)])
    return [Value(part, _part(Value(value.array, first), part.shape), value.ends_in_zeros)]


def _dynamic_slice(walk: Walk, eqn: Equation) -> list[Value]:
    value = eqn.inputs[0]
    return [Value(x, _part(value, x.shape), value.ends_in_zeros) for x in eqn.run()]


def _dynamic_update_slice(walk: Walk, eqn: Equation) -> list[Value]:
    value, part = eqn.inputs[:2]
    if _part(value, part.array.shape) != part.axes:
        raise NotBounded("a part has other axes than the whole")
    return [Value(x, value.axes, value.ends_in_zeros and part.ends_in_zeros) for x in eqn.run()]


def _pad(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("padding_config")
    value, filler = eqn.inputs
    (padded,) = eqn.run()
    if any(None in axis and p != (0, 0, 0) for axis, p in zip(value.axes, eqn.param("padding_config"), strict=True)):
        raise NotBounded("an axis of the size is padded")
    axes = tuple([axis if None in axis else (n,) for axis, n in zip(value.axes, padded.shape, strict=True)])
    return [Value(padded, axes, value.ends_in_zeros and filler.ends_in_zeros)]


def _reversed(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("dimensions")
    value = eqn.inputs[0]
    if any(None in value.axes[i] for i in eqn.param("dimensions")):
        raise NotBounded("an axis of the size is turned round")
    return [Value(x, value.axes, value.ends_in_zeros) for x in eqn.run()]


# -- sums, products, extremes --------------------------------------------------------------


def _lowest(dtype: Any) -> Any:
    return (
        -np.inf if np.issubdtype(dtype, np.inexact) else False if np.dtype(dtype).kind == "b" else np.iinfo(dtype).min
    )


def _highest(dtype: Any) -> Any:
    return np.inf if np.issubdtype(dtype, np.inexact) else True if np.dtype(dtype).kind == "b" else np.iinfo(dtype).max


_FILLERS: dict[str, Any] = {
    "reduce_sum": lambda dtype: 0,
    "reduce_prod": lambda dtype: 1,
    "reduce_max": _lowest,
    "reduce_min": _highest,
    "reduce_and": lambda dtype: True if np.dtype(dtype).kind == "b" else -1,
    "reduce_or": lambda dtype: 0,
    "reduce_xor": lambda dtype: 0,
    "argmax": _lowest,
    "argmin": _highest,
}
_RUNNING = {
    "cumsum": _FILLERS["reduce_sum"],
    "cumprod": _FILLERS["reduce_prod"],
    "cummax": _lowest,
    "cummin": _highest,
    "cumlogsumexp": _lowest,
}


def _reduced(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("axes")
    value, gone = eqn.inputs[0], eqn.param("axes")
    if eqn.name.startswith("arg") and value.axes[gone[0]] not in ((None,), whole(value.array.shape)[gone[0]]):
        raise NotBounded("places are counted across axes")
    filled = walk.filled(value, _FILLERS[eqn.name](value.array.dtype), gone)
    axes = tuple([axis for i, axis in enumerate(value.axes) if i not in gone])
    return [Value(x, axes, value.ends_in_zeros and eqn.name == "reduce_sum") for x in eqn.run([filled])]


def _running(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("axis", "reverse")
    value, at = eqn.inputs[0], eqn.param("axis")
    return [Value(x, value.axes) for x in eqn.run([walk.filled(value, _RUNNING[eqn.name](value.array.dtype), [at])])]


def _product(walk: Walk, eqn: Equation) -> list[Value]:
    """Products of matrices: what is summed over ends in zeros on both sides, as what stands there may be infinite."""
    eqn.same(*eqn.most.params)
    (sums, batches) = eqn.param("dimension_numbers")
    filled, free, shared = [], [], []
    for value, summed, batch in zip(eqn.inputs, sums, batches, strict=True):
        filled.append(walk.filled(value, 0, summed))
        free += [axis for i, axis in enumerate(value.axes) if i not in (*summed, *batch)]
        shared.append([[value.axes[i] for i in places] for places in (batch, summed)])
    if shared[0] != shared[1]:
        raise NotBounded("axes of several kinds are combined")
    axes = (*shared[0][0], *free)
    return [Value(x, axes) for x in eqn.run(filled)]


# -- rows ----------------------------------------------------------------------------------


def _gather(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("dimension_numbers", "mode", "fill_value")
    value, places = eqn.inputs
    numbers = eqn.param("dimension_numbers")
    sizes = eqn.param("slice_sizes")
    if numbers.operand_batching_dims or any(None in value.axes[i] for i in numbers.start_index_map):
        raise NotBounded("rows are taken along an axis of the size")
    part = _part(value, sizes)
    kept = [axis for i, axis in enumerate(part) if i not in numbers.collapsed_slice_dims]
    rows = [*places.axes[:-1]]
    (result,) = eqn.run()
    axes = tuple([kept.pop(0) if i in numbers.offset_dims else rows.pop(0) for i in range(result.ndim)])
    return [Value(result, axes)]


def _added_to_rows(walk: Walk, eqn: Equation) -> list[Value]:
    eqn.same("dimension_numbers", "mode")
    value, places, rows = eqn.inputs
    numbers = eqn.param("dimension_numbers")
    if numbers.operand_batching_dims or any(None in value.axes[i] for i in numbers.scatter_dims_to_operand_dims):
        raise NotBounded("rows are written along an axis of the size")
    added = [i for i in range(rows.array.ndim) if i not in numbers.update_window_dims]
    if [rows.axes[i] for i in added] != [*places.axes[:-1]]:
        raise NotBounded("axes of several kinds are combined")
    inserted = [i for i in range(value.array.ndim) if i not in numbers.inserted_window_dims]
    window = [rows.axes[i] for i in numbers.update_window_dims]
    if any((None in a or None in b) and a != b for a, b in zip((value.axes[i] for i in inserted), window, strict=True)):
        raise NotBounded("a part has other axes than the whole")
    arrays = [value.array, places.array, walk.filled(rows, 0, added)]
    return [Value(x, value.axes) for x in eqn.run(arrays)]


# -- functions -----------------------------------------------------------------------------

_NAMES_OF_FUNCTIONS = ("jaxpr", "call_jaxpr", "fun_jaxpr")


def _called(walk: Walk, eqn: Equation) -> list[Value]:
    """A function that is called once."""
    name = next(n for n in _NAMES_OF_FUNCTIONS if n in eqn.most.params)
    return walk.through(eqn.least.params[name], eqn.param(name), eqn.inputs)


def _chosen(walk: Walk, eqn: Equation) -> list[Value]:
    from retrograd.ops.jax_start import lax

    which, *inputs = eqn.inputs
    pairs = [*zip(eqn.least.params["branches"], eqn.param("branches"), strict=True)]
    found: list[list[Value]] = []

    def branch(least: Any, most: Any) -> Any:
        def run(arrays: list[Any]) -> list[Any]:
            results = walk.through(least, most, _with_arrays(inputs, arrays))
            found.append(results)
            return [v.array for v in results]

        return run

    results = lax.switch(which.array, [branch(*pair) for pair in pairs], [v.array for v in inputs])
    return [_in_each(values, x) for values, x in zip(zip(*found, strict=True), results, strict=True)]


def _in_each(values: Sequence[Value], array: Any) -> Value:
    if len({v.axes for v in values}) > 1:
        raise NotBounded("axes of several kinds are combined")
    return Value(array, values[0].axes, all(v.ends_in_zeros for v in values))


def _settled(walk: Walk, firsts: Sequence[Value], step: Any) -> list[Value]:
    """What a loop carries: it ends in zeros if it does so before and behind every iteration."""
    from retrograd.ops.jax_start import jax

    carried = [*firsts]
    while True:
        found: list[Value] = []

        def once(arrays: list[Any], carried: list[Value] = carried, found: list[Value] = found) -> list[Any]:
            results = step(_with_arrays(carried, arrays))
            found[:] = results
            return [v.array for v in results]

        jax.eval_shape(once, [v.array for v in carried])
        if any(v.axes != w.axes for v, w in zip(carried, found, strict=True)):
            raise NotBounded("a loop variable changes its axes")
        kept = [
            v._replace(ends_in_zeros=v.ends_in_zeros and w.ends_in_zeros) for v, w in zip(carried, found, strict=True)
        ]
        if all(v.ends_in_zeros == w.ends_in_zeros for v, w in zip(carried, kept, strict=True)):
            return carried
        carried = kept


def _with_arrays(values: Sequence[Value], arrays: Sequence[Any]) -> list[Value]:
    return [v._replace(array=x) for v, x in zip(values, arrays, strict=True)]


def _while(walk: Walk, eqn: Equation) -> list[Value]:
    from retrograd.ops.jax_start import lax

    eqn.same("cond_nconsts", "body_nconsts")
    n, m = eqn.param("cond_nconsts"), eqn.param("body_nconsts")
    of_test, of_body, firsts = eqn.inputs[:n], eqn.inputs[n : n + m], eqn.inputs[n + m :]

    def body(values: list[Value]) -> list[Value]:
        return walk.through(eqn.least.params["body_jaxpr"], eqn.param("body_jaxpr"), [*of_body, *values])

    carried = _settled(walk, firsts, body)

    def test(arrays: list[Any]) -> Any:
        values = [*of_test, *_with_arrays(carried, arrays)]
        return walk.through(eqn.least.params["cond_jaxpr"], eqn.param("cond_jaxpr"), values)[0].array

    last = lax.while_loop(
        test, lambda arrays: [v.array for v in body(_with_arrays(carried, arrays))], [v.array for v in carried]
    )
    return _with_arrays(carried, last)


def _scan(walk: Walk, eqn: Equation) -> list[Value]:
    from retrograd.ops.jax_start import lax

    eqn.same("length", "reverse", "num_consts", "num_carry")
    n, m = eqn.param("num_consts"), eqn.param("num_carry")
    fixed, firsts, rows = eqn.inputs[:n], eqn.inputs[n : n + m], eqn.inputs[n + m :]
    if any(None in v.axes[0] for v in rows):
        raise NotBounded("the number of iterations depends on the size")
    each = [v._replace(array=v.array[0], axes=v.axes[1:]) for v in rows]
    made: list[Value] = []

    def step(carried: list[Value], row: list[Value]) -> list[Value]:
        results = walk.through(eqn.least.params["jaxpr"], eqn.param("jaxpr"), [*fixed, *carried, *row])
        made[:] = results[m:]
        return results

    carried = _settled(walk, firsts, lambda values: step(values, each)[:m])

    def of_arrays(arrays: list[Any], row: list[Any]) -> Any:
        results = [v.array for v in step(_with_arrays(carried, arrays), _with_arrays(each, row))]
        return results[:m], results[m:]

    last, stacks = lax.scan(
        of_arrays, [v.array for v in carried], [v.array for v in rows], eqn.param("length"), eqn.param("reverse"),
        eqn.param("unroll"),
    )  # fmt: skip
    stacked = [Value(x, ((len(x),), *v.axes), v.ends_in_zeros) for v, x in zip(made, stacks, strict=True)]
    return [*_with_arrays(carried, last), *stacked]


RULES: dict[str, Rule] = {
    **dict.fromkeys(_ELEMENTWISE, _elementwise),
    **dict.fromkeys(_FILLERS, _reduced),
    **dict.fromkeys(_RUNNING, _running),
    **dict.fromkeys(("jit", "pjit", "closed_call", "core_call", "checkpoint", "remat2"), _called),
    **dict.fromkeys(("custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr"), _called),
    "optimization_barrier": _each_for_itself,
    "broadcast_in_dim": _broadcast,
    "reshape": _reshape,
    "squeeze": _squeeze,
    "expand_dims": _expand_dims,
    "transpose": _transpose,
    "iota": _iota,
    "concatenate": _joined,
    "tile": _tiled,
    "stack": _stacked,
    "split": _split,
    "slice": _slice,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "pad": _pad,
    "rev": _reversed,
    "dot_general": _product,
    "gather": _gather,
    "scatter-add": _added_to_rows,
    "cond": _chosen,
    "while": _while,
    "scan": _scan,
}
