"""Recurrent networks: a cell run over the steps of a sequence, unrolled or in a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.flow.contexts import WhileContext
from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.errors import taught
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.shapes import Dimension, TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.layers.engine import Layer
from retrograd.nn.rnn_cells import RNNCell, assert_like_rnncell, joined_sizes, known_sizes
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    casts,
    comparison,
    conditions,
    constants,
    joining,
    permuting,
    reductions,
)
from retrograd.state.scopes import VariableScope, variable_scope

# -- sizes and dtypes --------------------------------------------------------------------------


def transpose_batch_time(x: Tensor) -> Tensor:
    """``x`` with its first two dimensions swapped."""
    if x.rank is not None and x.rank < 2:
        raise ValueError(f"Expected input tensor {x} to have rank at least 2")
    rank = arrays.rank(x)
    swapped = permuting.transpose(x, joining.concat(([1, 0], constants.range_(2, rank)), axis=0))
    if x.dims is not None:
        swapped.set_shape([x.dims[1], x.dims[0], *x.dims[2:]])
    return swapped


def best_effort_input_batch_size(flat_input: Any) -> Any:
    """The size of the second dimension of the first input of which it is known, else that of the first in the graph."""
    for x in flat_input:
        shape = x.shape  # x may be a variable
        if shape.rank is None:
            continue
        if shape.rank < 2:
            raise ValueError(f"Expected input tensor {x} to have rank at least 2")
        if shape[1].value is not None:
            return shape[1].value
    return arrays.shape(flat_input[0])[1]


def _dtype_of_state(given: Any, state: Any) -> Any:
    """``given``, else the one dtype of all parts of the state.

    Raises:
      ValueError: the state has no parts, or parts of different dtypes.
    """
    if given is not None:
        return given
    found = [part.dtype for part in nest.flatten(state)]
    if not found:
        raise ValueError("Unable to infer dtype from empty state.")
    if any(dtype != found[0] for dtype in found):
        raise ValueError(
            "State has tensors of different inferred_dtypes. Unable to infer a single representative dtype."
        )
    return found[0]


def _shape_of(size: Any) -> TensorShape:
    """A size or sizes as a shape; a tensor's value if it is known."""
    if not isinstance(size, Tensor):
        return TensorShape(size)
    known = constant_value(size)
    return TensorShape(None) if known is None else TensorShape(known.tolist())


def read_where_they_are(scope: VariableScope) -> None:
    """Let the scope's variables be read on their own device, outside of the loop that uses them."""
    if default_graph().is_eager:
        return
    context = default_graph()._get_control_flow_context()
    while context is not None and not isinstance(context, WhileContext):
        context = context.outer
    if context is None and scope.caching_device is None:
        scope.set_caching_device(lambda op: op.device)


def _step_of(cell: Any) -> Callable[[Any, Any], Any]:
    """How a cell is called: one of Keras takes its state in a list and gives it in one, a single tensor too."""
    if isinstance(cell, RNNCell) or not isinstance(cell, Layer) or getattr(cell, "zero_state", None) is not None:
        return cell  # type: ignore[no-any-return]

    def step(x: Any, state: Any) -> Any:
        output, new = cell(x, state if nest.is_nested(state) else [state])
        return output, new[0] if len(new) == 1 else new

    return step


def _first_state(cell: Any, batch_size: Any, dtype: Any) -> Any:
    if getattr(cell, "get_initial_state", None) is not None:
        return cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
    return cell.zero_state(batch_size, dtype)


# -- one step ----------------------------------------------------------------------------------


class _Lengths:
    """Sequences that end at different steps: from there on, outputs are zero and states stay as they are."""

    def __init__(self, lengths: Tensor, zero_output: Any) -> None:
        self.lengths = lengths
        self.zero_output = zero_output
        self.shortest = reductions.reduce_min(lengths)
        self.longest = reductions.reduce_max(lengths)

    def step(self, time: Any, state: Any, call: Callable[[], Any], always: bool) -> Any:
        """Output and next state; unless ``always``, the cell is not run once all sequences have ended."""
        zeros, before = nest.flatten(self.zero_output), nest.flatten(state)
        over = time >= self.lengths

        def checked() -> list[Any]:
            output, new = call()
            nest.assert_same_structure(self.zero_output, output)
            nest.assert_same_structure(state, new)
            return [*nest.flatten(output), *nest.flatten(new)]

        def chosen(new: list[Any]) -> list[Any]:
            return [_unless(over, old, value) for old, value in zip([*zeros, *before], new, strict=True)]

        def while_some_run() -> Any:
            new = checked()
            return conditions.cond(time < self.shortest, lambda: new, lambda: chosen(new))

        if always:
            result = chosen(checked())
        else:
            result = conditions.cond(time >= self.longest, lambda: [*zeros, *before], while_some_run)
        for value, like in zip(result, [*zeros, *before], strict=True):
            if not isinstance(value, TensorArray):
                value.set_shape(like.shape)
        output = nest.pack_sequence_as(self.zero_output, result[: len(zeros)])
        return output, nest.pack_sequence_as(state, result[len(zeros) :])


def _unless(over: Tensor, old: Any, new: Any) -> Any:
    """``old`` in the rows that are over, else ``new``; what has no rows is always new."""
    if isinstance(old, TensorArray) or old.rank == 0:
        return new
    with colocate_with(new):
        return comparison.where(over, old, new)


# -- unrolled ----------------------------------------------------------------------------------


def static_rnn(
    cell: Any, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:  # fmt: skip
    """The outputs of ``cell`` for a list of inputs, one for each step, and the last state.

    Args:
      inputs: tensors ``[batch, size]``, or structures of them.
      initial_state: by default zeros, for which ``dtype`` is needed.
      sequence_length: the number of steps of each sequence; later outputs are zero, and its state stays.

    Raises:
      TypeError: ``cell`` is none, or ``inputs`` is no list.
      ValueError: there are no inputs, or a size is not known.
    """
    assert_like_rnncell("cell", cell)
    if not nest.is_nested(inputs):
        fix = "tf.unstack(inputs, axis=1): a list of the steps, or tf.nn.dynamic_rnn"
        raise taught(TypeError("inputs must be a sequence"), fix=fix)
    if not inputs:
        raise ValueError("inputs must not be empty")
    outputs: list[Any] = []
    with variable_scope(scope or "rnn") as opened:
        read_where_they_are(opened)
        known_batch, batch = _sizes_of_steps(inputs)
        state = initial_state
        if state is None:
            if not dtype:
                error = ValueError("If no initial_state is provided, dtype must be specified")
                raise taught(error, fix="tf.nn.static_rnn(cell, inputs, dtype=tf.float32)")
            state = _first_state(cell, batch, dtype)
        lengths = None
        if sequence_length is not None:
            lengths = _static_lengths(cell, sequence_length, known_batch, batch, _dtype_of_state(dtype, state))
        call = _step_of(cell)
        for time, x in enumerate(inputs):
            if time > 0:
                opened.reuse_variables()
            if lengths is None:
                output, state = call(x, state)
            else:
                output, state = lengths.step(time, state, lambda x=x, state=state: call(x, state), always=False)  # type: ignore[misc]
            outputs.append(output)
        return outputs, state


def _sizes_of_steps(inputs: Any) -> tuple[int | None, Any]:
    """The size of the batch: what is known of it, and that or a tensor."""
    flat = nest.flatten(inputs)
    first = flat[0]
    if first.shape.ndims == 1:
        known = first.shape[0]
    else:
        known = first.shape.with_rank_at_least(2)[0]
        for x in flat:
            shape = x.shape.with_rank_at_least(2)
            known.assert_is_compatible_with(shape[0] if shape.ndims is not None else Dimension(None))
            for i, size in enumerate(shape[1:].dims or ()):
                if size.value is None:
                    raise ValueError(
                        f"Input size (dimension {i} of inputs) must be accessible via shape inference, but saw value "
                        "None."
                    )
    return known.value, known.value or arrays.shape(first)[0]


def _static_lengths(cell: Any, sequence_length: Any, known_batch: int | None, batch: Any, dtype: Any) -> _Lengths:
    lengths = as_tensor(sequence_length, name="sequence_length")
    if lengths.rank not in (None, 1):
        raise ValueError("sequence_length must be a vector of length batch_size")

    def zeros(size: Any) -> Tensor:
        output = constants.zeros(joining.stack(joined_sizes(batch, size)), dtype)
        output.set_shape(known_sizes(known_batch, size))
        return output

    zero_output = nest.map_structure(zeros, cell.output_size)
    return _Lengths(casts.cast(lengths, dtypes.int32), zero_output)


def static_state_saving_rnn(
    cell: Any, inputs: Any, state_saver: Any, state_name: Any, sequence_length: Any = None, scope: Any = None
) -> tuple[list[Any], Any]:
    """``static_rnn`` that takes its first state from ``state_saver`` and gives it the last.

    Raises:
      ValueError: the names are not as many as the parts of the state.
    """
    state_size = cell.state_size
    if nest.is_nested(state_size) != nest.is_nested(state_name):
        raise ValueError(
            "state_name should be the same type as cell.state_size.  "
            f"state_name: {state_name}, cell.state_size: {state_size}"
        )
    names, sizes = nest.flatten(state_name), nest.flatten(state_size)
    if len(names) != len(sizes):
        raise ValueError(f"#elems(state_name) != #elems(state_size): {len(names)} vs. {len(sizes)}")
    initial = (
        nest.map_structure(state_saver.state, state_name)
        if nest.is_nested(state_name)
        else state_saver.state(state_name)
    )
    outputs, state = static_rnn(cell, inputs, initial_state=initial, sequence_length=sequence_length, scope=scope)
    saves = [state_saver.save_state(n, s) for n, s in zip(names, nest.flatten(state), strict=True)]
    with control_dependencies(saves):
        outputs[-1] = nest.map_structure(arrays.identity, outputs[-1])
        state = nest.map_structure(arrays.identity, state)
    return outputs, state


def static_bidirectional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None, initial_state_bw: Any = None,
    dtype: Any = None, sequence_length: Any = None, scope: Any = None,
) -> tuple[list[Any], Any, Any]:  # fmt: skip
    """``static_rnn`` forwards and backwards: the outputs of both joined, and the last state of each.

    Raises:
      TypeError: a cell is none, or ``inputs`` is no list.
      ValueError: there are no inputs.
    """
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    if not nest.is_nested(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw_scope:
            outputs_fw, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, scope=fw_scope)
        with variable_scope("bw") as bw_scope:
            backwards = _reversed_steps(inputs, sequence_length)
            outputs_bw, state_bw = static_rnn(
                cell_bw, backwards, initial_state_bw, dtype, sequence_length, scope=bw_scope
            )
    outputs_bw = _reversed_steps(outputs_bw, sequence_length)
    pairs = zip(nest.flatten(outputs_fw), nest.flatten(outputs_bw), strict=True)
    outputs = [joining.concat([fw, bw], 1) for fw, bw in pairs]
    return nest.pack_sequence_as(outputs_fw, outputs), state_fw, state_bw


def _reversed_steps(steps: Any, lengths: Any) -> list[Any]:
    """The steps from the last to the first, each sequence from its own end."""
    if lengths is None:
        return list(reversed(steps))
    flat = [nest.flatten(step) for step in steps]
    results: list[list[Any]] = [[] for _ in flat]
    for sequence in zip(*flat, strict=True):
        shape = TensorShape(None)
        for x in sequence:
            shape.merge_with(x.shape)
            x.set_shape(shape)
        for result, x in zip(
            results, joining.unstack(permuting.reverse_sequence(joining.stack(sequence), lengths, 0, 1)), strict=True
        ):
            x.set_shape(shape)
            result.append(x)
    return [nest.pack_sequence_as(step, result) for step, result in zip(steps, results, strict=True)]


# -- in a loop ---------------------------------------------------------------------------------


def dynamic_rnn(
    cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None, dtype: Any = None,
    parallel_iterations: int | None = None, swap_memory: bool = False, time_major: bool = False, scope: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """The outputs of ``cell`` for all steps of ``inputs``, and the last state, computed in a loop.

    Args:
      inputs: a tensor ``[batch, time, ...]``, or ``[time, batch, ...]`` if ``time_major``, or a structure of them.
      sequence_length: the number of steps of each sequence; later outputs are zero, and its state stays.
      initial_state: by default zeros, for which ``dtype`` is needed.
      parallel_iterations, swap_memory: written into the graph.

    Raises:
      TypeError: ``cell`` is none.
      ValueError: there is neither a state nor a dtype, or the inputs do not fit together.
      InvalidArgumentError: at run time, the lengths are not as many as the sequences.
    """
    assert_like_rnncell("cell", cell)
    with variable_scope(scope or "rnn") as opened:
        read_where_they_are(opened)
        flat = nest.flatten(inputs)
        if not time_major:
            flat = [transpose_batch_time(x) for x in [as_tensor(x) for x in flat]]
        lengths = None if sequence_length is None else _as_lengths(sequence_length)
        batch = best_effort_input_batch_size(flat)
        state = initial_state
        if state is None:
            if not dtype:
                error = ValueError("If there is no initial_state, you must give a dtype.")
                raise taught(error, fix="tf.nn.dynamic_rnn(cell, inputs, dtype=tf.float32)")
            state = _first_state(cell, batch, dtype)
        if lengths is not None:
            with control_dependencies([_has_shape(lengths, [batch])]):
                lengths = arrays.identity(lengths, name="CheckSeqLen")
        inputs = nest.pack_sequence_as(inputs, flat)
        outputs, state = _looped(cell, inputs, state, parallel_iterations or 32, swap_memory, lengths, dtype)
        if not time_major:
            outputs = nest.map_structure(transpose_batch_time, outputs)
        return outputs, state


def _as_lengths(sequence_length: Any) -> Tensor:
    lengths = casts.cast(sequence_length, dtypes.int32)
    if lengths.rank not in (None, 1):
        raise ValueError(f"sequence_length must be a vector of length batch_size, but saw shape: {lengths.shape}")
    return arrays.identity(lengths, name="sequence_length")


def _has_shape(x: Tensor, shape: Any) -> Any:
    found, wanted = arrays.shape(x), joining.stack(shape)
    words = [f"Expected shape for Tensor {x.name} is ", wanted, " but saw shape: ", found]
    return asserts.Assert(reductions.reduce_all(comparison.equal(found, wanted)), words)


def _check_steps(shapes: list[TensorShape]) -> tuple[int | None, int | None]:
    """The numbers of steps and sequences, which all inputs have in common."""
    steps, batch = shapes[0].as_list()[:2]
    for shape in shapes:
        if not shape[2:].is_fully_defined():
            error = ValueError(
                "Input size (depth of inputs) must be accessible via shape inference, but saw value None."
            )
            raise taught(error, fix="inputs.set_shape([None, None, n]) with the size n of one step")
        if shape.as_list()[0] != steps:
            raise ValueError("Time steps is not the same for all the elements in the input in a batch.")
        if shape.as_list()[1] != batch:
            raise ValueError("Batch_size is not the same for all the elements in the input.")
    return steps, batch


def _of_steps(x: Tensor) -> TensorShape:
    """The shape of inputs of all steps."""
    try:
        return x.shape.with_rank_at_least(3)
    except ValueError as error:
        taught(
            error,
            why="inputs are (batch, time, features), or (time, batch, features) with time_major=True",
            where=x.op.place,
            fix="x[:, :, None] for one feature a step, x[None] for one sequence",
        )
        raise


def _looped(
    cell: Any, inputs: Any, state: Any, parallel_iterations: int, swap_memory: bool, lengths: Tensor | None, dtype: Any
) -> tuple[Any, Any]:
    """The loop over the steps: each reads its inputs from arrays and writes its outputs to arrays."""
    flat, output_sizes = nest.flatten(inputs), nest.flatten(cell.output_size)
    steps = arrays.shape(flat[0])[0]
    batch = best_effort_input_batch_size(flat)
    shapes = [_of_steps(x) for x in flat]
    known_steps, known_batch = _check_steps(shapes)
    output_dtype = _dtype_of_state(dtype, state)
    zeros = [constants.zeros(joining.stack(joined_sizes(batch, size)), output_dtype) for size in output_sizes]
    ends = None
    if lengths is not None:
        ends = _Lengths(lengths, nest.pack_sequence_as(cell.output_size, zeros))
    time = constants.constant(0, dtype=dtypes.int32, name="time")
    with name_scope("dynamic_rnn") as base:
        pass
    results = [
        TensorArray(
            output_dtype, steps, element_shape=TensorShape([known_batch]).concatenate(_shape_of(size)),
            tensor_array_name=f"{base}output_{i}",
        )
        for i, size in enumerate(output_sizes)
    ]  # fmt: skip
    sources = [
        TensorArray(x.dtype, steps, element_shape=x.shape[1:], tensor_array_name=f"{base}input_{i}")
        for i, x in enumerate(flat)
    ]
    sources = [array.unstack(x) for array, x in zip(sources, flat, strict=True)]

    call = _step_of(cell)

    def step(time: Tensor, results: Any, state: Any) -> Any:
        now = [array.read(time) for array in sources]
        for x, shape in zip(now, shapes, strict=True):
            x.set_shape(shape[1:])
        packed = nest.pack_sequence_as(inputs, now)
        if ends is None:
            output, new = call(packed, state)
        else:
            output, new = ends.step(time, state, lambda: call(packed, state), always=True)
        written = tuple(array.write(time, y) for array, y in zip(results, nest.flatten(output), strict=True))
        return time + 1, written, new

    longest = steps if ends is None else ends.longest
    bound = arithmetic.minimum(steps, arithmetic.maximum(1, longest))  # one step at least settles the shapes
    _, arrays_of_outputs, state = while_loop(
        lambda time, *_: time < bound, step, (time, tuple(results), state), parallel_iterations=parallel_iterations,
        maximum_iterations=steps, swap_memory=swap_memory,
    )  # fmt: skip
    outputs = [array.stack() for array in arrays_of_outputs]
    for output, size in zip(outputs, output_sizes, strict=True):
        output.set_shape(known_sizes([known_steps, known_batch], size))
    return nest.pack_sequence_as(cell.output_size, outputs), state


def bidirectional_dynamic_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, sequence_length: Any = None, initial_state_fw: Any = None,
    initial_state_bw: Any = None, dtype: Any = None, parallel_iterations: int | None = None,
    swap_memory: bool = False, time_major: bool = False, scope: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """``dynamic_rnn`` forwards and backwards: the pair of outputs, and the pair of last states.

    Raises:
      TypeError: a cell is none.
    """
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    time, batch = (0, 1) if time_major else (1, 0)

    def backwards(x: Any) -> Tensor:
        if sequence_length is None:
            return permuting.reverse(x, axis=[time])
        return permuting.reverse_sequence(x, sequence_length, seq_axis=time, batch_axis=batch)

    rest = (parallel_iterations, swap_memory, time_major)
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw_scope:
            output_fw, state_fw = dynamic_rnn(
                cell_fw, inputs, sequence_length, initial_state_fw, dtype, *rest, scope=fw_scope
            )
        with variable_scope("bw") as bw_scope:
            reversed_inputs = nest.map_structure(backwards, inputs)
            output_bw, state_bw = dynamic_rnn(
                cell_bw, reversed_inputs, sequence_length, initial_state_bw, dtype, *rest, scope=bw_scope
            )
    output_bw = nest.map_structure(backwards, output_bw)
    return (output_fw, output_bw), (state_fw, state_bw)


def _emitted(cell: Any, emitted: Any, state_dtype: Any) -> tuple[Any, list[Any], list[Any]]:
    """The structure of what each step emits, with sizes and dtypes: as described, or the outputs of the cell."""
    if emitted is None:
        sizes = nest.flatten(cell.output_size)
        return cell.output_size, sizes, [state_dtype] * len(sizes)
    flat = nest.flatten(emitted)
    sizes = [e.shape if e.shape.is_fully_defined() else arrays.shape(e) for e in flat]
    return emitted, sizes, [e.dtype for e in flat]


def raw_rnn(
    cell: Any, loop_fn: Callable[..., Any], parallel_iterations: int | None = None, swap_memory: bool = False,
    scope: Any = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """A loop over ``cell`` in which ``loop_fn`` decides on inputs, states, outputs and the end.

    ``loop_fn(time, output, state, loop_state)`` gives ``(finished, next_input, next_state, emitted,
    next_loop_state)``; at the start, all but ``time`` are None, and ``emitted`` says what will be.

    Returns:
      The ``TensorArray``s of what was emitted, the last state, and the last loop state.

    Raises:
      TypeError: ``cell`` is none, or ``loop_fn`` is not callable.
    """
    assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with variable_scope(scope or "rnn") as opened:
        read_where_they_are(opened)
        time = constants.constant(0, dtype=dtypes.int32)
        finished, next_input, state, emitted, first_loop_state = loop_fn(time, None, None, None)
        loop_state = constants.constant(0, dtype=dtypes.int32) if first_loop_state is None else first_loop_state
        flat_input = nest.flatten(next_input)
        known_batch = Dimension(None)
        for x in flat_input:
            known_batch = known_batch.merge_with(x.shape[0] if x.rank else Dimension(None))
        batch: Any = known_batch.value
        if batch is None:
            batch = arrays.shape(flat_input[0])[0]
        nest.assert_same_structure(state, cell.state_size)
        flat_state = [as_tensor(s) for s in nest.flatten(state)]
        state = nest.pack_sequence_as(state, flat_state)
        emitted, sizes, emit_dtypes = _emitted(cell, emitted, flat_state[0].dtype)
        results = nest.pack_sequence_as(
            emitted,
            [
                TensorArray(
                    t, dynamic_size=True, element_shape=TensorShape([known_batch]).concatenate(_shape_of(size)), size=0,
                    name=f"rnn_output_{i}",
                )
                for i, (size, t) in enumerate(zip(sizes, emit_dtypes, strict=True))
            ],
        )  # fmt: skip
        zeros = [constants.zeros(joined_sizes(batch, n), t) for n, t in zip(sizes, emit_dtypes, strict=True)]
        zero_emit = nest.pack_sequence_as(emitted, zeros)

        def step(time: Tensor, finished: Tensor, x: Any, results: Any, state: Any, loop_state: Any) -> Any:
            output, cell_state = cell(x, state)
            nest.assert_same_structure(state, cell_state)
            nest.assert_same_structure(cell.output_size, output)
            following = time + 1
            ends, x, new, emit, new_loop_state = loop_fn(following, output, cell_state, loop_state)
            nest.assert_same_structure(state, new)
            nest.assert_same_structure(results, emit)
            emit = nest.map_structure(lambda old, value: _unless(finished, old, value), zero_emit, emit)
            new = nest.map_structure(lambda old, value: _unless(finished, old, value), state, new)
            results = nest.map_structure(lambda array, value: array.write(time, value), results, emit)
            finished = comparison.logical_or(finished, ends)
            return following, finished, x, results, new, loop_state if new_loop_state is None else new_loop_state

        returned = while_loop(
            lambda _, finished, *rest: comparison.logical_not(reductions.reduce_all(finished)), step,
            [time, finished, next_input, results, state, loop_state],
            parallel_iterations=parallel_iterations or 32, swap_memory=swap_memory,
        )  # fmt: skip
        results, state, loop_state = returned[-3:]
        return results, state, None if first_loop_state is None else loop_state
