"""``tf.while_loop``: a body built once and run as often as its condition holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.flow.contexts import LoopVariable, WhileContext
from retrograd.graph import nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import add_to_collection, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import IndexedSlices, SparseTensor
from retrograd.graph.specs import TensorSpec, TypeSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import comparison, constants
from retrograd.ops.conditions import behind_summaries, flow_of, with_flow


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """``loop_vars`` after ``body`` has been applied as long as ``cond`` holds of them.

    Args:
      cond: builds the condition, a boolean scalar, from the loop variables.
      body: builds the next values of the loop variables; called once.
      loop_vars: a list or tuple of tensors, ``TensorArray``s, sparse tensors or structures of them.
      shape_invariants: the static shapes that the variables have in all iterations, in the same structure;
        by default those with which they enter.
      parallel_iterations, swap_memory: written into the graph; iterations run one after the other.
      back_prop: False if no gradient is to go through the loop.
      maximum_iterations: an integer scalar: no more iterations than that.
      return_same_structure: give one loop variable in its list, too; by default it is given bare.

    Returns:
      The last values, in the structure of ``loop_vars``.

    Raises:
      TypeError: ``cond`` or ``body`` is not callable.
      ValueError: there are no loop variables; the body gives others in number, structure or static shape.
    """
    with name_scope(name, "while", nest.flatten(loop_vars, expand_composites=True)):
        if not loop_vars:
            raise ValueError("No loop variables provided")
        if not callable(cond):
            raise TypeError("cond must be callable.")
        if not callable(body):
            raise TypeError("body must be callable.")
        if parallel_iterations < 1:
            raise TypeError("parallel_iterations must be a positive integer.")
        if default_graph().is_eager:
            return _at_once(cond, body, loop_vars, maximum_iterations, return_same_structure)
        packed = len(loop_vars) == 1 and not return_same_structure
        if maximum_iterations is not None:
            maximum_iterations = _checked_maximum(maximum_iterations)
            cond, body, loop_vars, shape_invariants = _counted(
                cond, body, loop_vars, shape_invariants, maximum_iterations, packed
            )
        context = WhileContext(parallel_iterations, back_prop, swap_memory, maximum_iterations=maximum_iterations)
        if context.outer is None:
            add_to_collection(GraphKeys.WHILE_CONTEXT, context)
        result = _built(context, cond, body, loop_vars, shape_invariants, return_same_structure)
        return result if maximum_iterations is None else result[1]


def _at_once(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, most: Any, return_same_structure: bool
) -> Any:
    """The loop where ops run at once: Python's."""
    values, left, is_bare = loop_vars, None if most is None else int(_checked_maximum(most)), False  # type: ignore[call-overload]
    while (left is None or left > 0) and cond(*values):
        result = body(*values)
        is_bare = len(loop_vars) == 1 and not nest.is_sequence(result)
        result = [result] if is_bare else result
        nest.assert_same_structure(list(loop_vars), list(result))
        values, left = result, None if left is None else left - 1
    values = nest.map_structure(lambda x: x if hasattr(x, "dtype") else as_tensor(x), values)
    return values if return_same_structure or len(values) != 1 or not is_bare else values[0]


def _checked_maximum(most: Any) -> Tensor:
    tensor = as_tensor(most, name="maximum_iterations")
    if tensor.dims is not None and len(tensor.dims):
        raise ValueError(f"maximum_iterations must be a scalar, saw shape: {tensor.shape}")
    return tensor


def _counted(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, invariants: Any, most: Tensor, packed: bool
) -> tuple[Callable[..., Any], Callable[..., Any], Any, Any]:
    """The loop with a counter as its first variable, and a condition on it."""
    counter = constants.constant(0, dtype=most.dtype, name="iteration_counter")

    def counted_cond(i: Any, rest: Any) -> Any:
        return comparison.logical_and(i < most, cond(rest) if packed else cond(*rest))

    def counted_body(i: Any, rest: Any) -> Any:
        return i + 1, body(rest) if packed else body(*rest)

    if invariants is not None:
        invariants = (TensorShape([]), invariants[0] if packed else invariants)
    return counted_cond, counted_body, (counter, loop_vars[0] if packed else loop_vars), invariants


def _built(
    context: WhileContext,
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any,
    return_same_structure: bool,
) -> Any:
    given = nest.flatten(loop_vars, expand_composites=True)
    invariants = _flat_invariants(loop_vars, shape_invariants)
    firsts = [_loop_tensor(x) for x in given]
    if invariants is not None:
        _check_first(firsts, invariants)
    variables = context.begin(firsts, invariants)
    with context.entered():
        context.decide(as_tensor(cond(*_packed(loop_vars, given, [v.merge for v in variables]))))
        values = _packed(loop_vars, given, [v.value for v in variables])
        result = behind_summaries(lambda: body(*values))
        if not nest.is_sequence_or_composite(result):
            result = [result]
        nest.assert_same_structure(list(values), list(result), expand_composites=True)
        last = nest.flatten(result, expand_composites=True)
        following = [_loop_tensor(x) for x in last]
        for variable, tensor in zip(variables, following, strict=True):
            _check_following(variable, tensor)
        context.end(variables, following)
    exits = [with_flow(like, context.exit_of(v)) for like, v in zip(last, variables, strict=True)]
    packed = nest.pack_sequence_as(result, exits, expand_composites=True)
    return packed if return_same_structure or len(exits) != 1 else packed[0]


def _loop_tensor(value: Any) -> Tensor:
    """The tensor that carries a loop variable; a reference stays one."""
    return value if isinstance(value, Tensor) else as_tensor(flow_of(value))


def _packed(loop_vars: Any, given: Sequence[Any], tensors: Sequence[Tensor]) -> Any:
    """Tensors in the structure of the loop variables."""
    arrays_again = [with_flow(like, t) for like, t in zip(given, tensors, strict=True)]
    return nest.pack_sequence_as(loop_vars, arrays_again, expand_composites=True)


# -- shapes ------------------------------------------------------------------------------------


def _flat_invariants(loop_vars: Any, invariants: Any) -> list[TensorShape] | None:
    """The static shape of each tensor in all iterations; None if all keep the one that they enter with."""
    given = nest.flatten(loop_vars)
    if invariants is None:
        if not any(isinstance(x, CompositeTensor) for x in given):
            return None
        invariants = [None] * len(given)
    else:
        nest.assert_same_structure(loop_vars, invariants, expand_composites=False)
        invariants = nest.flatten(invariants)
    return [part for variable, shape in zip(given, invariants, strict=True) for part in _parts(variable, shape)]


def _parts(variable: Any, invariant: Any) -> list[TensorShape]:
    """The shapes of the tensors that a loop variable is made of."""
    if isinstance(invariant, TypeSpec):
        if isinstance(invariant, TensorSpec) and not isinstance(variable, CompositeTensor | IndexedSlices):
            variable = as_tensor(flow_of(variable))
            if not invariant.dtype.is_compatible_with(variable.dtype):
                raise TypeError(f"TensorSpec {invariant} is not compatible with {variable!r}")
        elif not invariant.is_compatible_with(variable):
            raise TypeError(f"TypeSpec {invariant} is not compatible with {variable!r}")
        if isinstance(invariant, TensorSpec):
            return [invariant.shape]
        specs: list[Any] = nest.flatten(invariant._component_specs, expand_composites=True)
        return [spec.shape for spec in specs]
    if invariant is not None and not isinstance(invariant, TensorShape):
        name = getattr(variable, "name", repr(variable))
        raise TypeError(
            "`shape_invariants` must be a list or tuple of `tf.TensorShape`s or `tf.TypeSpec`s: "
            f"{invariant!r} for {name}"
        )
    if isinstance(variable, SparseTensor):
        ranks = variable.dense_shape.shape if invariant is None else invariant  # the shape of the dense shape
        rank = ranks[0].value if ranks.ndims == 1 else None
        return [TensorShape([None, rank]), TensorShape([None]), TensorShape([rank])]
    if isinstance(variable, IndexedSlices):
        rows = variable.values.shape if invariant is None else invariant
        parts = [rows, variable.indices.shape if invariant is None else rows[:1]]
        return parts if variable.dense_shape is None else [*parts, variable.dense_shape.shape]
    if isinstance(variable, CompositeTensor):
        whole: Any = variable
        spec = whole._shape_invariant_to_type_spec(whole.shape if invariant is None else invariant)
        return [part.shape for part in nest.flatten(spec._component_specs, expand_composites=True)]
    return [as_tensor(flow_of(variable)).shape if invariant is None else invariant]


def _is_within(shape: TensorShape, bound: TensorShape) -> bool:
    """Whether all that is known in ``bound`` is known, and the same, in ``shape``."""
    if bound.ndims is None:
        return True
    if shape.ndims != bound.ndims:
        return False
    return all(b is None or a == b for a, b in zip(shape._raw or (), bound._raw or (), strict=True))


def _check_first(firsts: Sequence[Tensor], invariants: Sequence[TensorShape]) -> None:
    for tensor, shape in zip(firsts, invariants, strict=True):
        if not _is_within(tensor.shape, shape):
            raise ValueError(
                f"The shape invariant specified for {tensor.name} is not compatible with the initial shape of the "
                f"loop variable. It enters the loop with shape {tensor.shape}, but the specified shape invariant is "
                f"{shape}."
            )


def _check_following(variable: LoopVariable, tensor: Tensor) -> None:
    merge = variable.merge
    first = variable.enter.op.inputs[0]
    if tensor.dtype.base_dtype != merge.dtype.base_dtype:
        raise InvalidArgumentError(
            None,
            None,
            f"Input 1 of node {merge.op.name} was passed {tensor.dtype.base_dtype.name} from {tensor.name} "
            f"incompatible with expected {merge.dtype.base_dtype.name}.",
        )
    if not _is_within(tensor.shape, merge.shape):
        error = ValueError(
            f"Input tensor '{first.name}' enters the loop with shape {merge.shape}, but has shape {tensor.shape} "
            "after one iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument "
            "of tf.while_loop to specify a less-specific shape."
        )
        error.add_note(f"  Fix:   tf.while_loop(..., shape_invariants=[..., tf.TensorShape({_looser(merge, tensor)})])")
        raise error


def _looser(merge: Tensor, tensor: Tensor) -> Any:
    """The shape that says what two shapes have in common."""
    a, b = merge.dims, tensor.dims
    if a is None or b is None or len(a) != len(b):
        return None
    return [n if n == m else None for n, m in zip(a, b, strict=True)]
