"""What converted code calls: Python's statements and operators, as ops of the graph where a tensor decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrograd.autograph.builtins import len_, staged
from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.functions import FunctionGraph
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor, is_tensor
from retrograd.ops import asserts, comparison
from retrograd.ops.conditions import cond as branch
from retrograd.ops.constants import constant

Part = Callable[[], Any]
Values = tuple[Any, ...]
Setter = Callable[[Values], None]


class Undefined:
    """Stands for a variable that has no value yet."""

    def __init__(self, symbol_name: str) -> None:
        """``symbol_name`` is what the program calls it."""
        self.symbol_name = symbol_name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise UnboundLocalError(f"local variable '{self.symbol_name}' referenced before assignment")


class UndefinedReturnValue:
    """Stands for what a function gives that has not returned yet."""


def retval(value: Any) -> Any:
    """What a function gives."""
    return None if isinstance(value, UndefinedReturnValue) else value


def part(read: Part, text: str) -> Any:
    """An attribute or element, as ``read`` finds it."""
    try:
        return read()
    except (AttributeError, KeyError, IndexError, UnboundLocalError):
        return Undefined(text)


# -- if ------------------------------------------------------------------------------------------


def if_stmt(
    test: Any, then: Part, otherwise: Part, get: Callable[[], Values], put: Setter, names: tuple[str, ...], basic: int
) -> None:
    """``if test: then() else: otherwise()``; ``get`` and ``put`` read and set the variables called ``names``.

    ``get`` gives more: what the branches change besides, and nobody reads behind them.

    Raises:
      ValueError: ``test`` is a tensor, and a branch leaves a variable without value.
      TypeError: the branches give a variable other types or structures.
    """
    if not staged(test):
        (then if test else otherwise)()
        return
    results: list[Values] = []
    before = get()

    def built(run: Part, word: str) -> Any:
        run()
        after = get()[: len(names)]
        put(before)
        _all_defined(after, names, word)
        results.append(after)
        if len(results) == 2:
            for first, second, name in zip(*results, names, strict=True):
                _same_in_branches(first, second, name)
        variables = after[:basic]
        if not variables:
            return constant(1), after[basic:]
        return variables[0] if basic == 1 else variables, after[basic:]

    variables, parts = branch(test, lambda: built(then, "if"), lambda: built(otherwise, "else"))
    put((*((variables,) if basic == 1 else variables if basic else ()), *parts, *before[len(names) :]))


def if_exp(test: Any, body: Part, orelse: Part) -> Any:
    """``body() if test else orelse()``."""
    if not staged(test):
        return body() if test else orelse()
    return branch(test, lambda: (body(), ()), lambda: (orelse(), ()))[0]


def _all_defined(values: Values, names: Iterable[str], word: str) -> None:
    missing = tuple(name for value, name in zip(values, names, strict=True) if isinstance(value, Undefined))
    if missing:
        raise ValueError(
            f"The following symbols must also be initialized in the {word} branch: {missing}. "
            "Alternatively, you may initialize them before the if statement."
        )
    if any(isinstance(value, UndefinedReturnValue) for value in values):
        raise ValueError(
            f"A value must also be returned from the {word} branch. If a value is returned from one branch of a "
            "conditional a value must be returned from all branches."
        )


def _same_in_branches(true: Any, false: Any, name: str) -> None:
    try:
        nest.assert_same_structure(true, false, expand_composites=True)
    except (ValueError, TypeError) as error:
        raise TypeError(
            f'"{name}" does not have the same nested structure in the TRUE and FALSE branches.\n\n{error}'
        ) from None
    for x, y in _pairs(true, false):
        if x.dtype != y.dtype:
            raise TypeError(
                f'"{name}" has dtype {x.dtype.name} in the TRUE branch, but dtype={y.dtype.name} in the FALSE branch. '
                "TensorFlow control flow requires that they are the same."
            )


def _pairs(first: Any, second: Any) -> list[tuple[Any, Any]]:
    """The tensors that stand in the same places; numbers of Python become constants, as in TensorFlow."""
    found = []
    for x, y in zip(nest.flatten(first), nest.flatten(second), strict=True):
        x = as_tensor(x) if isinstance(x, bool | int | float | str) else x
        y = as_tensor(y) if isinstance(y, bool | int | float | str) else y
        if all(is_tensor(each) and hasattr(each, "dtype") for each in (x, y)):
            found.append((x, y))
    return found


# -- while ---------------------------------------------------------------------------------------


def while_stmt(
    test: Part, body: Part, get: Callable[[], Values], put: Setter, names: tuple[str, ...], basic: int
) -> None:
    """``while test(): body()``."""
    if default_graph().is_eager:
        first = test()
    else:
        with FunctionGraph("tmp").as_default():  # what decides is built once more where it belongs
            first = test()
    if staged(first):
        _staged_loop(test, body, get, put, names)
        return
    if not first:
        return
    body()
    while test():
        body()


def _staged_loop(
    test: Part,
    body: Part,
    get: Callable[[], Values],
    put: Setter,
    names: tuple[str | None, ...],
) -> None:
    """The loop as a ``while_loop`` that carries the state.

    Raises:
      ValueError: a variable has no value before the loop; its shape becomes more general.
      TypeError: its type or structure changes.
    """
    initial = get()
    check_defined(initial)

    def tested(*state: Any) -> Any:
        put(state)
        return test()

    def repeated(*state: Any) -> Any:
        put(state)
        body()
        after = get()
        for before, now, name in zip(state, after, names, strict=True):
            _same_after_iteration(before, now, name)
        return after

    put(tuple(while_loop(tested, repeated, initial, return_same_structure=True)))


def check_defined(state: Values) -> None:
    """A loop of the graph needs a value of everything that it changes.

    Raises:
      ValueError: a variable has none.
    """
    missing = tuple(value.symbol_name for value in state if isinstance(value, Undefined))
    if missing:
        raise ValueError(f"TensorFlow requires that the following symbols must be defined before the loop: {missing}")
    if any(isinstance(value, UndefinedReturnValue) for value in state):
        raise ValueError("return statements are not supported within a TensorFlow loop.")


def _same_after_iteration(before: Any, now: Any, name: str | None) -> None:
    if name is None:
        return
    try:
        nest.assert_same_structure(before, now, expand_composites=True)
    except (ValueError, TypeError) as error:
        raise TypeError(f'"{name}" does not have the same nested structure after one iteration.\n\n{error}') from None
    for x, y in _pairs(before, now):
        if x.dtype != y.dtype:
            raise TypeError(
                f'"{name}" has dtype {x.dtype.name} before the loop, but dtype {y.dtype.name} after one iteration. '
                "TensorFlow control flow requires it stays the same."
            )
        if hasattr(x, "shape") and hasattr(y, "shape") and not _includes(x.shape, y.shape):
            raise ValueError(
                f'"{name}" has shape {x.shape} before the loop, but shape {y.shape} after one iteration. '
                "TensorFlow control flow requires it stays the same or be more specific."
            )


def _includes(general: Any, special: Any) -> bool:
    if general.ndims is None:
        return True
    if general.ndims != special.ndims:
        return False
    pairs = zip(general.as_list(), special.as_list(), strict=True)
    return all(a is None or a == b for a, b in pairs)


# -- for -----------------------------------------------------------------------------------------


def for_stmt(
    iterated: Any,
    body: Callable[[Any], Any],
    extra_test: Part | None,
    get: Callable[[], Values],
    put: Setter,
    names: tuple[str, ...],
    basic: int,
) -> None:
    """``for element in iterated: body(element)``, as long as ``extra_test()`` holds."""
    own = getattr(type(iterated), "_looped", None)
    if own is not None and not default_graph().is_eager:
        check_defined(get())
        own(iterated, body, extra_test, get, put)
    elif not staged(iterated):
        for element in iterated:
            body(element)
            if extra_test is not None and not extra_test():
                break
    elif isinstance(iterated, Tensor) and iterated.op.type == "Range":
        _over_range(iterated, body, extra_test, get, put, names)
    else:
        _over_rows(iterated, body, extra_test, get, put, names)


def _over_range(
    numbers: Tensor, body: Callable[[Any], Any], extra_test: Part | None, get: Any, put: Any, names: tuple[str, ...]
) -> None:
    """A loop over ``tf.range``, which is not computed."""
    start, limit, delta = numbers.op.inputs
    now = start

    def more() -> Any:
        step = constant_value(delta)
        if step is not None:
            return now < limit if step >= 0 else now > limit
        up = comparison.logical_and(delta >= 0, now < limit)
        return comparison.logical_or(up, comparison.logical_and(delta < 0, now > limit))

    def step() -> None:
        nonlocal now
        element = now
        body(element)
        now = element + delta

    def put_all(state: Values) -> None:
        nonlocal now
        now = state[0]
        put(state[1:])

    _staged_loop(_also(more, extra_test), step, lambda: (now, *get()), put_all, (None, *names))


def _over_rows(
    rows: Any, body: Callable[[Any], Any], extra_test: Part | None, get: Any, put: Any, names: tuple[str, ...]
) -> None:
    """A loop over the first dimension of a tensor."""
    check_defined(get())
    n = len_(rows)
    array = TensorArray(rows.dtype, size=n).unstack(rows)
    index: Any = 0

    def step() -> None:
        nonlocal index
        here = index
        before = get()
        body(array.read(here))
        for x, y, name in zip(before, get(), names, strict=True):
            _same_after_iteration(x, y, name)
        index = here + 1

    def put_all(state: Values) -> None:
        nonlocal index
        index = state[0]
        put(state[1:])

    _staged_loop(
        _also(lambda: index < n, extra_test), step, lambda: (index, *get()), put_all, (None,) * (len(names) + 1)
    )


def _also(test: Part, extra: Part | None) -> Part:
    if extra is None:
        return test
    return lambda: branch(test(), extra, lambda: False)


# -- logic ---------------------------------------------------------------------------------------


def not_(a: Any) -> Any:
    """``not a``."""
    return comparison.logical_not(a) if staged(a) else not a


def and_(a: Part, b: Part) -> Any:
    """``a() and b()``."""
    first = a()
    return branch(first, b, lambda: first) if staged(first) else first and b()


def or_(a: Part, b: Part) -> Any:
    """``a() or b()``."""
    first = a()
    return branch(first, lambda: first, b) if staged(first) else first or b()


def eq(a: Any, b: Any) -> Any:
    """``a == b``, element by element if one of them is a tensor."""
    return comparison.equal(a, b) if is_tensor(a) or is_tensor(b) else a == b


def not_eq(a: Any, b: Any) -> Any:
    """``a != b``, element by element if one of them is a tensor."""
    return not_(eq(a, b))


def assert_stmt(test: Any, message: Part) -> Any:
    """``assert test, message()``."""
    if is_tensor(test):
        data = message()
        return asserts.Assert(test, data if isinstance(data, list) else [data])
    if not test:
        raise AssertionError(message())
    return None
