"""Ops that call the functions which they name: ``If``, ``Case``, ``While``, ``For``, ``RemoteCall``.

The node is TensorFlow's.  What it runs is a body in which ``tf.cond`` and ``tf.while_loop`` choose and repeat
calls of its functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.flow.loops import while_loop
from retrograd.grad.functions import gradient_of_call, symbolic_gradient, type_of_gradient
from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define
from retrograd.graph.functions import Body, FunctionGraph, as_attribute, get_extra_args, named_function
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, comparison, constants, rounding
from retrograd.ops.casts import cast
from retrograd.ops.conditions import cond as chosen
from retrograd.state.defun import Defun

# -- what such an op runs ----------------------------------------------------------------------


class _Calls:
    """The graph of the body of ``op``, with what calls the functions of ``library`` in it."""

    def __init__(self, op: Operation, library: Graph) -> None:
        self.op = op
        self.graph = FunctionGraph(op.name)
        self.graph._functions.update({**op.graph._functions, **library._functions})

    def function(self, named: Any) -> Any:
        return function_named(named.name, self.graph)

    def __call__(self, named: Any, inputs: Sequence[Tensor]) -> list[Tensor]:
        """The outputs of a call, and a number that is there when the call is done."""
        function = self.function(named)
        check_arguments(function, inputs)
        op = self.graph.create_op(function.op_definition.name, list(inputs))
        with control_dependencies([op]):
            return [*op.outputs, constants.constant(0)]

    def truth(self, value: Tensor, like: Tensor) -> Tensor:
        """What ``value``, of the static shape of ``like``, stands for: not zero, or not empty."""
        if like.dims:
            return arrays.size(value) > 0
        if value.dtype.base_dtype is dtypes.bool:
            return value
        return comparison.not_equal(value, "" if value.dtype.base_dtype is dtypes.string else cast(0, value.dtype))


def function_named(name: str, *libraries: Graph) -> Any:
    """The function of that name, of the first of ``libraries`` that knows it.

    Raises:
      NotFoundError: none does.
    """
    function = next((f for f in (library._get_function(name) for library in libraries) if f is not None), None)
    if function is None:
        error = errors.NotFoundError(None, None, f"Function {name} is not defined.")
        error.add_note("  Fix:   function.add_to_graph(graph) lets the ops of a graph call it")
        raise error
    return function


def check_arguments(function: Any, inputs: Sequence[Tensor]) -> None:
    """Let ``inputs`` be as many as the function takes, of its dtypes.

    Raises:
      InvalidArgumentError: they are not.
    """
    wanted = [x.dtype.base_dtype for x in function.body.inputs]
    if len(inputs) != len(wanted):
        verb = "is" if len(inputs) == 1 else "are"
        raise errors.invalid(f"Expects {len(wanted)} arguments, but {len(inputs)} {verb} provided")
    for i, (x, dtype) in enumerate(zip(inputs, wanted, strict=True)):
        if x.dtype.base_dtype is not dtype:
            raise errors.invalid(f"Expects arg[{i}] to be {dtype._c_name} but {x.dtype._c_name} is provided")


def body_of_call(
    build: Callable[[_Calls, list[Tensor]], list[Tensor]], keeps_shapes: bool = True
) -> Callable[[Operation, Graph], Body]:
    """The body that ``build`` builds of the op's inputs: one for each op, so that what it keeps between runs stays.

    Args:
      keeps_shapes: whether the body gets inputs of the shapes that the op has.
    """

    def body(op: Operation, library: Graph) -> Body:
        bodies: dict[Operation, Body] = op.graph.notes.setdefault("bodies of calls", {})
        if op not in bodies:
            calls = _Calls(op, library)
            graph = calls.graph
            with graph.as_default():
                shapes = [x.shape if keeps_shapes else None for x in op.inputs]
                graph.inputs += [
                    constants.placeholder(x.dtype.base_dtype, shape) for x, shape in zip(op.inputs, shapes, strict=True)
                ]
                graph.outputs = build(calls, graph.inputs)
            bodies[op] = graph.body()
        return bodies[op]

    return body


def _without_end(xp: Any, call: Callable[[Sequence[Any]], list[Any]], *inputs: Any) -> list[Any]:
    """The kernel of a call whose body has one more output, the number that is there when all is done."""
    return call(_flat(inputs))[:-1]


def _flat(inputs: Sequence[Any]) -> list[Any]:
    return [x for value in inputs for x in (value if isinstance(value, list | tuple) else [value])]


def _unknown(*inputs: Any, Tout: Any) -> list[Any]:
    return [None] * len(Tout)


def _given_shapes(*inputs: Any, Tout: Any, output_shapes: Any) -> list[Any]:
    return [TensorShape(s)._raw for s in output_shapes] or [None] * len(Tout)


def _gradient_of_choice(op: Operation, *dys: Any) -> list[Any]:
    """The derivative of what the op runs, which becomes a function with a name for it."""
    name = f"{op.name.replace('/', '_')}_{op.type}"
    if op.graph._get_function(name) is None:
        assert op.definition.body is not None
        body = op.definition.body(op, op.graph)
        whole = Body(body.graph, body.inputs, body.outputs[:-1], body.ops)
        named_function(whole, name, "", gradient_of_call).add_to_graph(op.graph)
    return symbolic_gradient([*op.inputs, *dys], [type_of_gradient(x) for x in op.inputs], name)


# -- If, Case ----------------------------------------------------------------------------------


def _either(calls: _Calls, inputs: list[Tensor]) -> list[Tensor]:
    pred, *rest = inputs
    then, other = calls.op.attrs["then_branch"], calls.op.attrs["else_branch"]
    return _branch(calls, calls.truth(pred, pred), then, lambda: calls(other, rest), rest)


def _branch(
    calls: _Calls, pred: Tensor, named: Any, otherwise: Callable[[], list[Tensor]], inputs: list[Tensor]
) -> list[Tensor]:
    result: list[Tensor] = chosen(pred, lambda: calls(named, inputs), otherwise, strict=True)
    return result


_CHOICE: dict[str, Any] = {
    "shape": _given_shapes,
    "kernel": _without_end,
    "gradient": _gradient_of_choice,
}

IF, STATELESS_IF = (
    define(
        name, "cond: Tcond, input: *Tin", "output: *Tout",
        attrs={**dict.fromkeys(("Tin", "Tout", "then_branch", "else_branch"), REQUIRED), "output_shapes": []},
        body=body_of_call(_either), effect=effect, **_CHOICE,
    )
    for name, effect in (("If", Effect.WRITE), ("StatelessIf", None))
)  # fmt: skip


def If(cond: Any, inputs: Any, then_branch: Any, else_branch: Any, name: str | None = None) -> list[Tensor]:
    """``then_branch(*inputs)`` if ``cond`` holds, else ``else_branch(*inputs)``; both are functions of the graph.

    ``cond`` is a scalar that is not zero or not empty, or a tensor that has elements.
    """
    outputs: list[Tensor] = apply(
        IF, cond, list(inputs), Tout=output_types(then_branch), then_branch=as_attribute(then_branch),
        else_branch=as_attribute(else_branch), name=name,
    )  # fmt: skip
    return outputs


def output_types(function: Any) -> list[Any]:
    """The dtypes of what a function declares to give."""
    return [dtypes.as_dtype(a.type) for a in function.definition.signature.output_arg]


def _one_of(calls: _Calls, inputs: list[Tensor]) -> list[Tensor]:
    index, *rest = inputs
    *branches, last = calls.op.attrs["branches"]

    def otherwise() -> list[Tensor]:
        return calls(last, rest)

    for i, named in reversed(list(enumerate(branches))):
        otherwise = _choice(calls, comparison.equal(index, i), named, otherwise, rest)
    return otherwise()


def _choice(
    calls: _Calls, pred: Tensor, named: Any, otherwise: Callable[[], list[Tensor]], inputs: list[Tensor]
) -> Callable[[], list[Tensor]]:
    return lambda: _branch(calls, pred, named, otherwise, inputs)


CASE = define(
    "Case", "branch_index: int32, input: *Tin", "output: *Tout",
    attrs={"Tin": REQUIRED, "Tout": REQUIRED, "branches": REQUIRED, "output_shapes": []}, lengths={"branches": 1},
    body=body_of_call(_one_of), effect=Effect.WRITE, **_CHOICE,
)  # fmt: skip


# -- While, For --------------------------------------------------------------------------------


def _repeated(calls: _Calls, inputs: list[Tensor]) -> list[Tensor]:
    condition, step = calls.op.attrs["cond"], calls.op.attrs["body"]
    like = calls.function(condition).body.outputs
    if len(like) != 1:
        raise errors.InvalidArgumentError(
            None, None, f"Expected a single scalar return value from the condition; got {len(like)} tensors."
        )
    _check_body("While", calls.function(step), len(inputs))
    return _loop(lambda *xs: calls.truth(calls(condition, xs)[0], like[0]), lambda *xs: calls(step, xs)[:-1], inputs)


def _loop(
    condition: Callable[..., Tensor], step: Callable[..., list[Tensor]], firsts: Sequence[Tensor]
) -> list[Tensor]:
    """The last values of a loop in whose iterations the shapes may change."""
    invariants = [TensorShape(None)] * len(firsts)
    result: list[Tensor] = while_loop(condition, step, list(firsts), invariants, return_same_structure=True)
    return result


def _check_body(kind: str, function: Any, count: int) -> None:
    returned = len(function.body.outputs)
    if returned != count:
        raise errors.InvalidArgumentError(
            None, None, f"{kind} loop body returned {returned} arguments. Expected: {count}"
        )


WHILE, STATELESS_WHILE = (
    define(
        name, "input: *T", "output: *T",
        attrs={"T": REQUIRED, "cond": REQUIRED, "body": REQUIRED, "output_shapes": [], "parallel_iterations": 10},
        shape=lambda inputs, *, output_shapes: [TensorShape(s)._raw for s in output_shapes] or [x.dims for x in inputs],
        kernel=lambda xp, call, inputs: call(inputs), gradient=None, effect=effect, body=body_of_call(_repeated),
    )
    for name, effect in (("While", Effect.WRITE), ("StatelessWhile", None))
)  # fmt: skip


def While(input_: Any, cond: Any, body: Any, name: str | None = None, hostmem: Any = None) -> list[Tensor]:
    """``input_`` after ``body`` has been applied as long as ``cond`` holds of it; both are functions of the graph.

    Args:
      hostmem: the places of inputs that stay in the memory of the host; written into the graph.

    Raises:
      ValueError: ``cond`` reads tensors from outside, or its arguments are not those of ``body``.
    """
    if cond.captured_inputs:
        raise ValueError("While op 'cond' argument must be a function without implicitly captured inputs.")
    types = body.declared_input_types
    if cond.declared_input_types != types:
        raise ValueError(
            f"While op 'cond' and 'body' signatures do not match. {cond.declared_input_types!r} vs {types!r}"
        )
    outside = body.captured_inputs
    if outside:
        narrow = cond
        all_types = [*types, *[t.dtype for t in outside]]
        cond = Defun(*all_types, func_name=f"{narrow.name}_Wrapper")(lambda *args: narrow(*args[: len(types)]))
        body = _passing_on(body)
    outputs: list[Tensor] = apply(
        WHILE, [*input_, *outside], cond=as_attribute(cond), body=as_attribute(body), name=name
    )  # fmt: skip
    results = outputs[: len(outputs) - len(outside)]
    _note_memory(results, hostmem, hostmem)
    return results


def _passing_on(function: Any) -> Any:
    """``function``, which gives the tensors that it reads from outside too: a loop carries them."""

    def passing_on(*args: Tensor) -> tuple[Tensor, ...]:
        result = function(*args)
        if isinstance(result, Operation):
            return tuple(get_extra_args())
        return (*(result if isinstance(result, tuple) else (result,)), *get_extra_args())

    return Defun(*function.declared_input_types, func_name=f"{function.name}_Wrapper")(passing_on)


def _note_memory(results: list[Tensor], inputs: Any, outputs: Any) -> None:
    if inputs:
        results[0].op._set_attr("_input_hostmem", list(inputs))
        results[0].op._set_attr("_output_hostmem", list(outputs))


def _counted(calls: _Calls, inputs: list[Tensor]) -> list[Tensor]:
    start, limit, delta, *firsts = inputs
    step = calls.op.attrs["body"]
    _check_body("For", calls.function(step), len(firsts))

    def following(i: Tensor, *xs: Tensor) -> list[Tensor]:
        *values, done = calls(step, [i, *xs])
        with control_dependencies([done]):
            return [i + delta, *values]

    last, *values = _loop(lambda i, *xs: (limit - i) * rounding.sign(delta) > 0, following, [start, *firsts])
    return [*values, last]


def _for(xp: Any, call: Callable[[Sequence[Any]], list[Any]], start: Any, limit: Any, delta: Any, inputs: Any) -> Any:
    for name, value in (("start", start), ("limit", limit), ("delta", delta)):
        if np.ndim(value):
            raise errors.InvalidArgumentError(None, None, f"{name} must be a scalar, but has shape {np.shape(value)}")
    span = int(limit) - int(start)
    if span * int(delta) < 0 or (not delta and span):
        raise errors.InvalidArgumentError(None, None, f"Invalid start/limit/delta: {start} {limit} {delta}")
    return call([start, limit, delta, *inputs])[:-1]


FOR = define(
    "For", "start: int32, limit: int32, delta: int32, input: *T", "output: *T", attrs={"T": REQUIRED, "body": REQUIRED},
    shape=lambda start, limit, delta, inputs: [None] * len(inputs), kernel=_for, effect=Effect.WRITE,
    body=body_of_call(_counted),
)  # fmt: skip


def For(
    start: Any, limit: Any, delta: Any, inputs: Any, body: Any, name: str | None = None, hostmem: Any = None,
    rewrite_with_while: bool | None = None,
) -> list[Tensor]:  # fmt: skip
    """``inputs`` after ``inputs = body(i, *inputs)`` for each ``i`` of ``range(start, limit, delta)``.

    Args:
      body: a function of the graph, of an int32 and the inputs.
      hostmem: the places of inputs that stay in the memory of the host; written into the graph.
      rewrite_with_while: build a ``While``.
    """
    if rewrite_with_while:
        return _for_as_while(start, limit, delta, list(inputs), body, name, hostmem)
    outside = body.captured_inputs
    outputs: list[Tensor] = apply(
        FOR, start, limit, delta, [*inputs, *outside], body=as_attribute(_passing_on(body) if outside else body),
        name=name,
    )  # fmt: skip
    results = outputs[: len(outputs) - len(outside)]
    _note_memory(results, [3 + i for i in hostmem or ()], hostmem)
    return results


def _for_as_while(
    start: Any, limit: Any, delta: Any, inputs: list[Any], body: Any, name: str | None, hostmem: Any
) -> list[Tensor]:
    """The loop over k < n = ceil(|limit - start| / |delta|), with i = start + k * delta."""
    d = rounding.abs_(delta)
    span = cast(rounding.abs_(limit - start) + d - 1, dtypes.float32)
    n = cast(span / cast(d, dtypes.float32), dtypes.int32)
    types = [dtypes.int32] * 4 + list(body.declared_input_types)[1:]

    @Defun(*types, func_name=f"{body.name}_Cond")
    def condition(i: Tensor, n: Tensor, *rest: Tensor) -> Tensor:
        return i < n

    @Defun(*types, func_name=f"{body.name}_Body")
    def step(i: Tensor, n: Tensor, start: Tensor, delta: Tensor, *rest: Tensor) -> tuple[Any, ...]:
        result = body(start + i * delta, *rest)
        if isinstance(result, Operation):
            result = ()
        return (i + 1, n, start, delta, *(result if isinstance(result, tuple) else (result,)))

    memory = [0, 1, 2, 3, *[4 + i for i in hostmem or ()]]
    return While([0, n, start, delta, *inputs], condition, step, name, memory)[4:]


# -- RemoteCall --------------------------------------------------------------------------------


def called(calls: _Calls, inputs: list[Tensor]) -> list[Tensor]:
    """What the function gives that the attribute ``f`` names, and a number that is there when it is done."""
    return calls(calls.op.attrs["f"], inputs)


REMOTE_CALL = define(
    "RemoteCall", "target: string, args: *Tin", "output: *Tout",
    attrs={"Tin": REQUIRED, "Tout": REQUIRED, "f": REQUIRED},
    lengths={"Tin": 1, "Tout": 1}, shape=_unknown, kernel=_without_end, effect=Effect.WRITE,
    body=body_of_call(lambda calls, inputs: called(calls, inputs[1:])),
)  # fmt: skip


def remote_call(target: Any, args: Any, Tout: Any, f: Any, name: str | None = None) -> list[Tensor]:
    """``f(*args)``, a function of the graph; ``target`` is the device that TensorFlow would run it on."""
    outputs: list[Tensor] = apply(
        REMOTE_CALL, target, list(args), Tout=list(Tout), f=as_attribute(f), name=name
    )  # fmt: skip
    return outputs
