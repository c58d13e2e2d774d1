"""``tf.case``: the first of several branches whose predicate holds."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from retrograd.graph import dtypes, log
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.ops import asserts, casts, comparison, constants, joining, reductions
from retrograd.ops.conditions import cond, smart_cond

Branch = Callable[[], Any]


def case(
    pred_fn_pairs: Any,
    default: Branch | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """The function of the first pair whose predicate holds, else ``default()``.

    Without a ``default`` a run in which no predicate holds fails.

    Args:
      pred_fn_pairs: a list of pairs of a boolean scalar tensor and a function without arguments, or a dict.
      exclusive: fail a run in which more than one predicate holds.
      strict: keep a structure of one element; by default it is given bare.

    Raises:
      TypeError: the pairs are not of that form, or a function is not callable.
    """
    return case_by(cond, pred_fn_pairs, default, exclusive, name, strict=strict)


def smart_case(
    pred_fn_pairs: Any, default: Branch | None = None, exclusive: bool = False, name: str = "smart_case"
) -> Any:
    """``case`` whose predicates may be Python's booleans; a branch that is known while building is called at once."""
    return case_by(smart_cond, pred_fn_pairs, default, exclusive, name, allow_python_preds=True)


def case_by(
    cond_fn: Callable[..., Any],
    pred_fn_pairs: Any,
    default: Branch | None,
    exclusive: bool,
    name: str | None,
    allow_python_preds: bool = False,
    **cond_kwargs: Any,
) -> Any:
    """``cond_fn(p1, f1, cond_fn(p2, f2, ... default))``."""
    pairs = _checked_pairs(pred_fn_pairs, exclusive, allow_python_preds)
    predicates = [p for p, _ in pairs]
    with name_scope(name, "case", [predicates]):
        if default is None:
            default, pairs = _without_default(pairs)
            predicates = predicates[:-1] or predicates
        if not exclusive:
            return _chain(cond_fn, pairs, default, **cond_kwargs)
        with control_dependencies([_few_true(predicates, 1, "Input error: exclusive=True")]):
            return _chain(cond_fn, pairs, default, **cond_kwargs)


def _chain(cond_fn: Callable[..., Any], pairs: list[tuple[Tensor, Branch]], default: Branch, **kwargs: Any) -> Any:
    function = default
    for pred, branch in reversed(pairs):
        function = functools.partial(cond_fn, pred, true_fn=branch, false_fn=function, **kwargs)
    return function()


def _checked_pairs(pairs: Any, exclusive: bool, allow_python: bool = False) -> list[tuple[Tensor, Branch]]:
    if not isinstance(pairs, list | tuple | Mapping):
        raise TypeError("fns must be a list, tuple, or dict")
    if isinstance(pairs, OrderedDict):
        pairs = list(pairs.items())
    elif isinstance(pairs, Mapping):
        if not exclusive:
            log.warning(
                "%s: An unordered dictionary of predicate/fn pairs was provided, but exclusive=False. The order of "
                "conditional tests is deterministic but not guaranteed.",
                "case",
            )
        pairs = sorted(pairs.items(), key=lambda pair: pair[0].name)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple")
        pred, function = pair
        if allow_python and not isinstance(pred, Tensor):
            if not isinstance(pred, bool):
                raise TypeError(f"pred must be Tensor of type bool: {pred}")
        elif not isinstance(pred, Tensor) or pred.dtype != dtypes.bool:
            raise TypeError(f"pred must be Tensor of type bool: {getattr(pred, 'name', pred)}")
        if not callable(function):
            raise TypeError(f"fn for pred {getattr(pred, 'name', pred)} must be callable.")
    return list(pairs)


def _without_default(pairs: list[tuple[Tensor, Branch]]) -> tuple[Branch, list[tuple[Tensor, Branch]]]:
    """The last function as the default, behind assertions that its predicate and no other holds."""
    predicates = [p for p, _ in pairs]
    pred, function = pairs[-1]

    def otherwise() -> Any:
        values = joining.stack(predicates, name="preds_c")
        text = (
            f"Implementation error: selected default action #{len(pairs) - 1} was called, but some of other "
            "predicates are True: "
        )
        alone = _few_true(predicates[:-1], 0, text)
        true = asserts.Assert(pred, ["Input error: None of conditions evaluated as True:", values])
        with control_dependencies([alone, true]):
            return function()

    return otherwise, pairs[:-1]


def _few_true(predicates: list[Tensor], most: int, text: str) -> Operation:
    """An assertion that at most ``most`` of ``predicates`` hold."""
    values = joining.stack(predicates, name="preds_c")
    count = reductions.reduce_sum(casts.cast(values, dtypes.int32), name="num_true_conds")
    holds = comparison.less_equal(count, constants.constant(most, name="n_true_conds"))
    names = ", ".join(getattr(p, "name", "?") for p in predicates)
    text = f"{text}: more than {most} conditions ({names}) evaluated as True:"
    return asserts.Assert(holds, [text, values], summarize=len(predicates))


def switch_case(branch_index: Any, branch_fns: Any, default: Branch | None = None, name: str = "switch_case") -> Any:
    """``branch_fns[branch_index]()``; of an index that is not among them, ``default()`` or else the last function.

    Args:
      branch_index: an int32 scalar tensor.
      branch_fns: a list of functions without arguments, or pairs or a dict of their indices and them.

    Raises:
      TypeError: the functions are not of that form, or not callable.
      ValueError: the indices have gaps.
    """
    functions = _indexed(branch_fns)
    otherwise = functions[-1] if default is None else default
    if not callable(otherwise):
        raise TypeError("default must be callable.")
    if not isinstance(branch_index, TensorLike):
        raise TypeError(f"branch_index must a Tensor, got {type(branch_index)}")
    with name_scope(name, "switch_case", [branch_index]):
        index = as_tensor(branch_index, dtypes.int32, name="branch_index")
        pairs = [(comparison.equal(index, i), function) for i, function in enumerate(functions)]
        return _chain(cond, pairs, otherwise, strict=False)


def _indexed(branch_fns: Any) -> list[Branch]:
    """The functions in the order of their indices."""
    if not isinstance(branch_fns, list | tuple | Mapping):
        raise TypeError("branch_fns must be a list, tuple, or dict")
    items: list[Any] = list(branch_fns.items()) if isinstance(branch_fns, Mapping) else list(branch_fns)
    if all(callable(item) for item in items):
        return items
    for item in items:
        if not isinstance(item, tuple) or len(item) != 2:
            raise TypeError("Each entry in branch_fns must be a 2-tuple")
        if not isinstance(item[0], int):
            raise TypeError("key must be a Python `int`")
        if not callable(item[1]):
            raise TypeError(f"fn for key {item[0]} must be callable.")
    items.sort(key=lambda item: item[0])
    if [i for i, _ in items] != list(range(len(items))):
        raise ValueError(f"branch indices must form contiguous range of [0 to {len(items)}) but found {{...}}")
    return [function for _, function in items]
