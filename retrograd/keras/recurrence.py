"""``K.rnn``: a step over time, unrolled or as a loop, with masks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, nest
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, comparison, constants, joining, permuting, repeating

Step = Callable[[Any, Any], tuple[Any, Any]]


def rnn(
    step_function: Step,
    inputs: Any,
    initial_states: Any,
    go_backwards: bool = False,
    mask: Any = None,
    constants: Any = None,
    unroll: bool = False,
    input_length: Any = None,
    time_major: bool = False,
    zero_output_for_mask: bool = False,
) -> tuple[Any, Any, Any]:
    """``outputs[t], states = step(inputs[t], states)``: the last output, all outputs, the last states.

    Args:
      mask: steps that are masked repeat the output and the states of the step before.
      constants: more tensors for each step, behind the states.
      time_major: the first dimension is time, not the batch.
    """
    if not time_major:
        inputs = nest.map_structure(_with_time_first, inputs)
    flat = nest.flatten(inputs)
    steps = flat[0].shape[0].value
    batch = flat[0].shape[1].value
    count = arrays.shape(flat[0])[0]
    if mask is not None:
        if mask.dtype != dtypes.bool:
            mask = casts.cast(mask, dtypes.bool)
        if mask.rank == 2:
            mask = arrays.expand_dims(mask, -1)
        if not time_major:
            mask = _with_time_first(mask)
    more = list(constants or [])
    run = _unrolled if unroll else _looped
    if unroll and not steps:
        raise ValueError("Unrolling requires a fixed number of timesteps.")
    last, outputs, states = run(
        step_function, inputs, list(initial_states), more, mask, go_backwards, steps, count, zero_output_for_mask,
        input_length,
    )  # fmt: skip

    def shaped(output: Tensor) -> Tensor:
        output.set_shape([steps, batch, *output.shape.as_list()[2:]])
        return output if time_major else _with_time_first(output)

    return last, nest.map_structure(shaped, outputs), states


def _with_time_first(x: Tensor) -> Tensor:
    """Batch and time exchanged."""
    return permuting.transpose(x, [1, 0, *range(2, len(x.shape))])


def _spread(mask: Tensor, x: Tensor, fixed: int = 1) -> Tensor:
    """The mask of examples, for each element of ``x``."""
    for _ in range(len(x.shape) - len(mask.shape)):
        mask = arrays.expand_dims(mask, -1)
    multiples = [1] * fixed + x.shape.as_list()[fixed:]
    return repeating.tile(mask, multiples)


def _kept_where(mask: Tensor, new: list[Any], old: Any) -> list[Any]:
    """The new values of the examples that are not masked."""
    masks = [_spread(mask, x) for x in new]
    return [comparison.where(m, x, before) for m, x, before in zip(masks, new, old, strict=True)]


def _unrolled(
    step: Step, inputs: Any, states: list[Any], more: list[Any], mask: Any, backwards: bool, steps: Any, count: Any,
    zeros: bool, limit: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    def slices(x: Tensor) -> list[Tensor]:
        rows = joining.unstack(x)
        return rows[::-1] if backwards else rows

    columns = [slices(x) for x in nest.flatten(inputs)]
    masks: list[Any] = slices(mask) if mask is not None else [None] * steps
    outputs: list[list[Any]] = []
    for t in range(steps):
        x = nest.pack_sequence_as(inputs, [column[t] for column in columns])
        output, new_states = step(x, [*states, *more])
        made = nest.flatten(output)
        if masks[t] is not None:
            spread = [_spread(masks[t], y) for y in made]
            before = outputs[-1] if outputs and not zeros else [constants.zeros_like(y) for y in made]
            made = [comparison.where(m, y, old) for m, y, old in zip(spread, made, before, strict=True)]
            pairs = zip(nest.flatten(new_states), nest.flatten(states), strict=True)
            new_states = nest.pack_sequence_as(
                new_states, [comparison.where(_spread(masks[t], new), new, old) for new, old in pairs]
            )
        states = list(new_states)
        outputs.append(made)
    stacked = [joining.stack(column) for column in zip(*outputs, strict=True)]
    return nest.pack_sequence_as(output, outputs[-1]), nest.pack_sequence_as(output, stacked), states


def _looped(
    step: Step, inputs: Any, states: list[Any], more: list[Any], mask: Any, backwards: bool, steps: Any, count: Any,
    zeros: bool, limit: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    flat = nest.flatten(inputs)
    arrays_in = []
    for i, x in enumerate(flat):
        made = TensorArray(dtype=x.dtype, size=count, tensor_array_name=f"input_ta_{i}")
        arrays_in.append(made.unstack(x if not backwards else permuting.reverse(x, [0])))
    first = nest.pack_sequence_as(inputs, [x[0] for x in flat])
    sample, _ = step(first, [*states, *more])
    samples = nest.flatten(sample)
    arrays_out = [
        TensorArray(dtype=y.dtype, size=count, element_shape=y.shape, tensor_array_name=f"output_ta_{i}")
        for i, y in enumerate(samples)
    ]
    time = constants.constant(0, dtype="int32", name="time")
    masks = None
    if mask is not None:
        mask = mask if not backwards else permuting.reverse(mask, [0])
        masks = TensorArray(dtype=dtypes.bool, size=count, tensor_array_name="mask_ta").unstack(mask)
    blank = [constants.zeros_like(y) for y in samples] if masks is not None else []

    def body(t: Any, made: Any, *rest: Any) -> Any:
        before = rest[0] if masks is not None else ()
        now = rest[1:] if masks is not None else rest
        x = nest.pack_sequence_as(inputs, [a.read(t) for a in arrays_in])
        m = masks.read(t) if masks is not None else None
        output, new_states = step(x, [*now, *more])
        flat_outputs, flat_new = nest.flatten(output), nest.flatten(new_states)
        if m is not None:
            olds = blank if zeros else before
            flat_outputs = _kept_where(m, flat_outputs, olds)
            flat_new = _kept_where(m, flat_new, nest.flatten(now))
        else:
            for new, old in zip(flat_new, nest.flatten(now), strict=True):
                if isinstance(new, Tensor):
                    new.set_shape(old.shape)
        made = tuple(a.write(t, y) for a, y in zip(made, flat_outputs, strict=True))
        kept = (tuple(flat_outputs),) if masks is not None else ()
        return (t + 1, made, *kept, *nest.pack_sequence_as(list(now), flat_new))

    start = (time, tuple(arrays_out), *((tuple(blank),) if masks is not None else ()), *states)
    final = while_loop(
        lambda t, *_: t < count, body, start, parallel_iterations=32, swap_memory=True, maximum_iterations=limit
    )
    stacked = [a.stack() for a in final[1]]
    last = [y[-1] for y in stacked]
    new_states = list(final[3:] if masks is not None else final[2:])
    return nest.pack_sequence_as(sample, last), nest.pack_sequence_as(sample, stacked), new_states
