"""Functions that bring their own gradient: ``tf.custom_gradient``.

``f(*xs)`` returns ``y`` and ``g(*dys)``, which gives the gradient of each x.  An ``IdentityN`` stands behind
``f``: it passes y on, reads the xs and the variables that f uses, and has g for its gradient.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from retrograd.derivatives.tape import GradientTape
from retrograd.eager import tapes
from retrograd.grad.gradients import gradients
from retrograd.grad.registry import RegisterGradient, gradient_of
from retrograd.graph import log, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid
from retrograd.ops import arrays
from retrograd.ops.control import tuple_
from retrograd.state.resource import is_resource_variable
from retrograd.state.scopes import VariableScope, get_variable_scope, variable_scope
from retrograd.state.variables import Variable

_READS = frozenset(("ReadVariableOp", "ResourceGather", "ResourceGatherNd"))


def custom_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate ``f(*xs) -> (ys, g)``: ``tf.gradients`` takes the gradients of the xs from ``g(*dys)``.

    If ``f`` reads trainable variables that are no arguments, ``g`` is called with their list as the keyword
    ``variables`` and returns a pair: the gradients of the xs, and a list of those of the variables.

    Raises:
      ValueError: the decorated function is called with keywords.
      TypeError: ``f`` reads variables and ``g`` does not take ``variables``, or the other way round;
        or ``f`` makes a variable that is no resource variable.

    >>> from retrograd.ops import constants
    >>> @custom_gradient
    ... def halved_backwards(x):
    ...     return x * 1.0, lambda dy: 0.5 * dy
    >>> halved_backwards(constants.constant([1.0, 2.0])).shape
    TensorShape([Dimension(2)])
    """

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        return _at_once(f, args, kwargs) if default_graph().is_eager else in_a_graph(f, *args, **kwargs)

    return decorated


def in_a_graph(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What ``custom_gradient(f)(*args)`` builds into a graph.

    Raises:
      ValueError: there are keywords.
    """
    if kwargs:
        error = ValueError(
            "The custom_gradient decorator currently supports keywords arguments only when eager execution is enabled."
        )
        error.add_note(f"  Fix:   {f.__name__}({', '.join(['...'] * (len(args) + len(kwargs)))})  # by position")
        raise error
    return _with_own_gradient(f, [as_tensor(x) for x in args])


def _at_once(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """y = f(*args, **kwargs) where ops run at once: the tapes see one op, whose gradient ``f`` has returned."""
    tape = tapes.Tape()
    with tape.recording():
        ys, gradient = f(*args, **kwargs)
    inputs = [*args, *kwargs.values()]
    variables = [v for v in tape.variables.values() if not any(v is x for x in inputs)]
    _check_signature(gradient, variables)
    with tapes.nothing_recorded():
        flat = [arrays.identity(y) for y in nest.flatten(ys)]

    def padded(*dys: Any) -> list[Any]:
        """The gradients of the arguments, then those of the variables."""
        dxs, dvs = gradient(*dys, variables=variables) if variables else (gradient(*dys), [])
        if len(dvs) != len(variables):
            raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
        dxs = nest.flatten(dxs)
        if len(dxs) != len(args):
            raise ValueError(
                "custom_gradient function expected to return", len(args), "gradients but returned", len(dxs), "instead."
            )
        return [*dxs, *dvs]

    sources = [getattr(x, "handle", x) if hasattr(x, "handle") else as_tensor(x) for x in (*args, *variables)]
    tapes.record_as("CustomGradient", flat, sources, padded)
    return nest.pack_sequence_as(ys, flat)


def _with_own_gradient(f: Callable[..., Any], xs: list[Tensor]) -> Any:
    """y = f(xs), behind an ``IdentityN`` whose gradient is the one that ``f`` returned."""
    graph, name = default_graph(), f"CustomGradient-{uid()}"
    scope = get_variable_scope()
    before, first = _variables_of(scope), graph.version
    ys, gradient = f(*xs)
    _check_new(_variables_of(scope)[len(before) :])
    variables = _variables_read(graph, first, xs, ys)
    _check_signature(gradient, variables)
    flat = nest.flatten(ys)

    @RegisterGradient(name)
    def padded(op: Operation, *dys: Any) -> list[Any]:
        """None for each y, which is an input as well, then the gradients of the xs and of the variables."""
        if not variables:
            return [None] * len(flat) + nest.flatten(gradient(*dys[: len(flat)]))
        dxs, dvs = gradient(*dys[: len(flat)], variables=variables)
        if len(dvs) != len(variables):
            raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
        return [None] * len(flat) + nest.flatten(dxs) + list(dvs)

    with graph.gradient_override_map({"IdentityN": name}):
        outputs = arrays.identity_n([*flat, *xs, *variables])
    for variable in variables:  # TensorFlow reads them once more, for a tape that graphs have no use for
        as_tensor(variable)
    return nest.pack_sequence_as(ys, outputs[: len(flat)])


def _variables_of(scope: VariableScope) -> list[Any]:
    return scope.global_variables() + scope.local_variables()


def _check_new(variables: Iterable[Any]) -> None:
    if not all(is_resource_variable(v) for v in variables):
        error = TypeError(
            "All variables used by a function wrapped with @custom_gradient must be `ResourceVariable`s. Ensure that "
            "no `variable_scope` is created with `use_resource=False`."
        )
        error.add_note('  Fix:   with tf.variable_scope("...", use_resource=True):  # around the call')
        raise error


def _check_signature(gradient: Callable[..., Any], variables: list[Any]) -> None:
    spec = inspect.getfullargspec(gradient)
    expects_variables = "variables" in spec.args or spec.varkw is not None
    if variables and not expects_variables and "variables" not in spec.kwonlyargs:
        error = TypeError(
            "If using @custom_gradient with a function that uses variables, then grad_fn must accept a keyword "
            "argument 'variables'."
        )
        error.add_note(
            f"  Why:   the function reads {', '.join(v.name for v in variables)}\n"
            "  Fix:   def grad(dy, variables=None): ...; return dx, [gradient of each of the variables]"
        )
        raise error
    if expects_variables and not variables:
        if not get_variable_scope().use_resource:
            error = TypeError(
                "If using @custom_gradient with a function that uses variables, the enclosing variable scope must "
                "have use_resource=True."
            )
            error.add_note('  Fix:   with tf.variable_scope("...", use_resource=True):  # around the call')
            raise error
        log.warn(
            "@custom_gradient grad_fn has 'variables' in signature, but no ResourceVariables were used on the "
            "forward pass."
        )


# -- which variables ---------------------------------------------------------------------------


def _variables_read(graph: Graph, first: int, xs: list[Tensor], ys: Any) -> list[Any]:
    """The trainable variables that the ops since ``first`` read, or that ys depend on other than through xs."""
    dependent = get_dependent_variables(xs, ys)
    found = _read_since(graph, first) | {v.op: v for v in dependent}
    return [found[op] for op in sorted(found, key=lambda op: op.index)]


def _read_since(graph: Graph, first: int) -> dict[Operation, Any]:
    """The trainable variables that the ops since ``first`` read, by their ops."""
    handles = dict.fromkeys(op.inputs[0].op for op in graph.get_operations()[first:] if op.type in _READS)
    trainable = {v.op: v for v in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)}
    return {op: trainable[op] for op in handles if op in trainable}


def get_dependent_variables(input_ops: Any, output_ops: Any) -> list[Any]:
    """The trainable variables that the outputs depend on by differentiable ops, other than through the inputs."""
    ends = [arrays.identity(y) for y in nest.flatten(output_ops)]
    behind = _behind(ends, set(nest.flatten(input_ops)))
    places = sorted((op for op in behind if op.type in ("VariableV2", "VarHandleOp")), key=lambda op: op.index)
    found = [get_variable_by_name(op.name) for op in places]
    return [v for v in found if v is not None]


def _behind(ends: list[Tensor], stops: set[Tensor]) -> set[Operation]:
    """The ops that ``ends`` are made of by way of differentiable ops, no further than ``stops``."""
    reached: set[Operation] = set()
    stack = [end.op for end in ends]
    while stack:
        op = stack.pop()
        for x in op.inputs if _is_differentiable(op) else ():
            if x not in stops and x.op not in reached:
                reached.add(x.op)
                stack.append(x.op)
    return reached


def _is_differentiable(op: Operation) -> bool:
    try:
        return gradient_of(op) is not None
    except LookupError:
        return False


def get_variable_by_name(var_name: str) -> Any:
    """The variable whose op has that name; None if it is not trainable.

    Raises:
      ValueError: there is none, or several.
    """
    found = default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, scope=f"{var_name}:0")
    if not found:
        raise ValueError(f"Unsuccessful at finding variable {var_name}.")
    found = [v for v in found if v.trainable]
    if len(found) > 1:
        raise ValueError(
            f"Unsuccessful at finding trainable variable {var_name}. Number of candidates: {len(found)}. "
            f"Candidates: {found}"
        )
    return found[0] if found else None


# -- made with it ------------------------------------------------------------------------------


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """``f`` forwards, the identity backwards: each x gets the gradient of the y at its place.

    >>> from retrograd.ops import constants, rounding
    >>> grad_pass_through(rounding.round_)(constants.constant([0.4, 0.6])).shape
    TensorShape([Dimension(2)])
    """

    @custom_gradient
    def passed(*xs: Any) -> Any:
        def gradient(*dys: Any, variables: Any = None) -> Any:
            return dys if variables is None else (dys, [None] * len(variables))

        return f(*xs), gradient

    return functools.wraps(f)(passed)


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """``f``, which the gradient computes a second time instead of keeping what it computed.

    Variables that ``f`` gets by name are the same ones the second time.
    """
    return functools.wraps(f)(_recomputed(f, f, False))


def recomputed_layer(*args: Any, **kwargs: Any) -> Any:
    """``tf.contrib.layers.recompute_grad``: ``recompute_grad`` that tells the function whether it is called again.

    Decorate a function with it, or with ``recompute_grad(use_data_dep=..., tupleize_grads=...)``.  The function may
    take the keyword ``is_recomputing``.  With ``tupleize_grads`` all gradients become available at once.  The
    second computation always waits for the gradients of the outputs; ``use_data_dep`` changes nothing.

    Raises:
      ValueError: the function uses a tensor or a variable of the scope that it was defined in.
    """
    if len(args) == 1 and callable(args[0]) and not kwargs:
        return _recomputed_layer(args[0])
    return lambda fn: _recomputed_layer(fn, *args, **kwargs)


def _recomputed_layer(fn: Callable[..., Any], use_data_dep: Any = None, tupleize_grads: bool = False) -> Any:
    for name, value in inspect.getclosurevars(fn).nonlocals.items():
        if isinstance(value, Tensor | Variable):
            raise ValueError(
                f"fn decorated with @recompute_grad closes over Tensor {value.name} (local variable name: {name}). "
                "The decorated fn must not close over Tensors or Variables because gradients will NOT be computed for "
                "them through fn. To ensure correct gradients, make the Tensor an input to fn."
            )
    if "is_recomputing" not in inspect.getfullargspec(fn).args:
        return functools.wraps(fn)(_recomputed(fn, fn, tupleize_grads))
    first, again = (functools.partial(fn, is_recomputing=flag) for flag in (False, True))
    return functools.wraps(fn)(_recomputed(first, again, tupleize_grads))


def _taped(f: Callable[[], list[Any]], sources: list[Any], dys: list[Any]) -> list[Any]:
    """The derivatives of what ``f`` gives where ops run at once."""
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch([x for x in sources if x.dtype.is_floating or x.dtype.is_complex])
        ys = f()
    found: list[Any] = tape.gradient(ys, sources, dys)
    return found


def _check_same(used: Iterable[Any], variables: Iterable[Any]) -> None:
    """A second computation uses no variable that the first one did not."""
    others = [v.name for v in used if not any(v is w for w in variables)]
    if others:
        error = ValueError(_OTHER_VARIABLES)
        error.add_note(
            f"  Why:   the second computation reads {', '.join(others)}, the first did not\n"
            '  Fix:   with tf.variable_scope(None, default_name="layer"):  # around each call'
        )
        raise error


_OTHER_VARIABLES = (
    "The variables used on recompute were different than the variables originally\n"
    "used. The function wrapped with @recompute_grad likley creates its own variable\n"
    "scope with a default name and has been called twice in the same enclosing scope.\n"
    "To fix, ensure each call to the function happens in its own unique variable\n"
    "scope.\n"
)


def _recomputed(f: Callable[..., Any], again: Callable[..., Any], at_once: bool) -> Callable[..., Any]:
    @custom_gradient
    def recomputed(*xs: Any) -> Any:
        scope = get_variable_scope()

        def gradient(*dys: Any, variables: Any = None) -> Any:
            inputs = [arrays.identity(x) for x in xs]
            sources = [*inputs, *(variables or ())]
            if default_graph().is_eager:
                dxs = _taped(lambda: nest.flatten(again(*inputs)), sources, list(dys))
            else:
                graph, first = default_graph(), default_graph().version
                with control_dependencies(dys), variable_scope(scope, reuse=True):
                    ys = nest.flatten(again(*inputs))
                _check_same(_read_since(graph, first).values(), variables or ())
                dxs = gradients(ys, sources, list(dys))
            if at_once:
                dxs = tuple_(dxs)
            return (dxs[: len(xs)], dxs[len(xs) :]) if variables else dxs

        return f(*xs), gradient

    return recomputed
