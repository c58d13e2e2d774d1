"""Reversible residual blocks (Gomez et al., 2017): inputs are worked out from outputs, so nothing of them is kept.

A layer maps ``y1 = x1 + f(x2)`` and ``y2 = x2 + g(y1)``; backwards ``x2 = y2 - g(y1)`` and ``x1 = y1 - f(x2)``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.grad.gradients import gradients
from retrograd.graph import log, nest
from retrograd.nn.layers.base import Layer
from retrograd.ops import arrays, control, sums
from retrograd.state.custom_gradient import custom_gradient
from retrograd.state.scopes import get_variable_scope, variable_scope

_OF_LAYER = re.compile(r".*revlayer_([0-9]*)/([fg])/.*")


def _called(function: Callable[..., Any], x: Any, side: Sequence[Any]) -> Any:
    return function(x, side) if side else function(x)


def _totals(*lists: Sequence[Any]) -> list[Any]:
    """For each place the sum of what the lists have there; None where none has anything."""
    each = [[g for g in grads if g is not None] for grads in zip(*lists, strict=True)]
    return [sums.add_n(grads) if grads else None for grads in each]


def _layer_backward(
    ys: Any, grad_ys: Any, f: Any, g: Any, f_vars: list[Any], f_side: Any, g_vars: list[Any], g_side: Any
) -> Any:
    """The inputs of one layer, their gradients, and those of what f and g read."""
    (y1, y2), (grad_y1, grad_y2) = ys, grad_ys
    y1_alone = arrays.stop_gradient(y1)
    g_side = [arrays.stop_gradient(t) for t in g_side]
    gy1 = _called(g, y1_alone, g_side)
    x2 = y2 - gy1
    x2_alone = arrays.stop_gradient(x2)
    f_side = [arrays.stop_gradient(t) for t in f_side]
    fx2 = _called(f, x2_alone, f_side)
    x1 = y1 - fx2
    through_g = gradients(gy1, y1_alone, grad_y2)[0]
    grad_x1 = grad_y1 + through_g
    grad_x2 = gradients(fx2, x2_alone, grad_y1)[0] + grad_y2 + gradients(fx2, x2_alone, through_g)[0]
    of_g = gradients(gy1, g_vars + g_side, grad_y2)
    direct = gradients(fx2, f_vars + f_side, grad_y1)
    indirect = gradients(fx2, f_vars + f_side, through_g)
    n = len(f_vars)
    of_f = (_totals(direct[:n], indirect[:n]), _totals(direct[n:], indirect[n:]))
    outputs = ((x1, x2), (grad_x1, grad_x2), of_f, (of_g[: len(g_vars)], of_g[len(g_vars) :]))
    return nest.pack_sequence_as(outputs, control.tuple_(nest.flatten(outputs)))


def _scoped(function: Callable[..., Any], scope: str) -> Callable[..., Any]:
    """``function`` with its variables, which are resources, in a scope."""

    def within(*args: Any, **kwargs: Any) -> Any:
        with variable_scope(scope, use_resource=True):
            return function(*args, **kwargs)

    return within if isinstance(function, functools.partial) else functools.wraps(function)(within)


class RevBlock(Layer):
    """``num_layers`` reversible layers of the functions ``f`` and ``g``, one for all or a list of one for each.

    ``f_side_input`` and ``g_side_input`` are lists of tensors that the functions get as their second argument.
    Without ``use_efficient_backprop`` the gradient is the ordinary one.
    """

    def __init__(
        self, f: Any, g: Any, num_layers: int = 1, f_side_input: Any = None, g_side_input: Any = None,
        use_efficient_backprop: bool = True, name: str = "revblock", **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, **kwargs)
        each = [list(h) if isinstance(h, list) else [h] * num_layers for h in (f, g)]
        if any(len(h) != num_layers for h in each):
            raise AssertionError(f"f and g must have {num_layers} functions, one for each layer")
        self.f, self.g = (
            [_scoped(h, f"revlayer_{i}/{w}") for i, h in enumerate(hs)] for w, hs in zip("fg", each, strict=True)
        )
        self.num_layers = num_layers
        self.f_side_input, self.g_side_input = f_side_input or [], g_side_input or []
        self._use_efficient_backprop = use_efficient_backprop

    def call(self, inputs: Any, forward: bool = True) -> Any:
        """The outputs of the block; its inputs, given these, with ``forward=False``."""
        scope = get_variable_scope()
        before = len(scope.global_variables())
        out = self._forward(*inputs) if forward else self._backward(*inputs)
        trained = scope.trainable_variables()
        for variable in scope.global_variables()[before:]:
            kept = self._trainable_weights if any(variable is v for v in trained) else self._non_trainable_weights
            kept.append(variable)
        return out

    def forward(self, x1: Any, x2: Any) -> Any:
        """The outputs of the block."""
        return self.apply([x1, x2])

    def backward(self, y1: Any, y2: Any) -> Any:
        """The inputs that have these outputs."""
        return self.apply([y1, y2], forward=False)

    def build(self, input_shape: Any) -> None:
        """Nothing: the first call makes the variables."""
        log.warn("RevBlock constructs its variables on first call, not on build.")
        self.built = True

    def _through(self, x1: Any, x2: Any, f_side: Any, g_side: Any) -> tuple[Any, Any]:
        for f, g in zip(self.f, self.g, strict=True):
            y1 = x1 + _called(f, x2, f_side)
            y2 = x2 + _called(g, y1, g_side)
            x1, x2 = control.tuple_([y1, y2]) if self._use_efficient_backprop else (y1, y2)
        return x1, x2

    def _forward(self, x1: Any, x2: Any) -> Any:
        sides = [self.f_side_input, self.g_side_input]
        flat = nest.flatten(sides)
        if not self._use_efficient_backprop:
            return self._through(x1, x2, *sides)

        @custom_gradient
        def with_own_gradient(*args: Any) -> Any:
            out = self._through(*args[:2], *nest.pack_sequence_as(sides, args[2:]))
            return out, self._gradient_of(args, out)

        return with_own_gradient(x1, x2, *flat)

    def _gradient_of(self, inputs: Any, outputs: Any) -> Callable[..., Any]:
        def gradient(*grad_ys: Any, variables: Any = None) -> Any:
            variables = variables or []
            read: dict[tuple[int, str], list[int]] = {}
            for i, variable in enumerate(variables):
                found = _OF_LAYER.match(variable.name)
                assert found, variable.name
                read.setdefault((int(found[1]), found[2]), []).append(i)
            ys, of_variables = outputs, [None] * len(variables)
            f_sides, g_sides = [], []
            with variable_scope(self.scope_name, reuse=True):
                for i in reversed(range(self.num_layers)):
                    f_places, g_places = read.get((i, "f"), []), read.get((i, "g"), [])
                    ys, grad_ys, (of_f, f_side), (of_g, g_side) = _layer_backward(
                        ys, grad_ys, self.f[i], self.g[i], [variables[k] for k in f_places], self.f_side_input,
                        [variables[k] for k in g_places], self.g_side_input,
                    )  # fmt: skip
                    f_sides.append(f_side)
                    g_sides.append(g_side)
                    for k, grad in zip((*f_places, *g_places), (*of_f, *of_g), strict=True):
                        of_variables[k] = grad
            return [*grad_ys, *_totals(*f_sides), *_totals(*g_sides)], of_variables

        return gradient

    def _backward(self, y1: Any, y2: Any) -> Any:
        for f, g in zip(reversed(self.f), reversed(self.g), strict=True):
            x2 = y2 - _called(g, y1, self.g_side_input)
            x1 = y1 - _called(f, x2, self.f_side_input)
            y1, y2 = x1, x2
        return y1, y2


def rev_block(
    x1: Any, x2: Any, f: Any, g: Any, num_layers: int = 1, f_side_input: Any = None, g_side_input: Any = None,
    is_training: bool = True,
) -> Any:  # fmt: skip
    """The outputs of a ``RevBlock``, whose gradient keeps nothing when ``is_training``."""
    block = RevBlock(
        f=f, g=g, num_layers=num_layers, f_side_input=f_side_input, g_side_input=g_side_input,
        use_efficient_backprop=is_training, _reuse=get_variable_scope().reuse,
    )  # fmt: skip
    return block.forward(x1, x2)
