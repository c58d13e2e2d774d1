"""Activation functions: relu and its kin, and their gradients to any order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.dtypes import bfloat16, float16, float32, float64
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    exponentials,
    joining,
    kinds,
    shape_rules,
    single,
)
from retrograd.ops.choosing import chosen

_FLOATS = (float16, bfloat16, float32, float64)


def _activation(
    name: str, kernel: Callable[..., Any], gradient: Callable[..., Any], types: Any = _FLOATS, **attrs: Any
) -> OpDef:
    """The record of a function of each element."""
    return define(
        name, "features: T", "activations: T", attrs=attrs, types={"T": types}, shape=shape_rules.same, kernel=kernel,
        gradient=gradient,
    )  # fmt: skip


def _activation_gradient(
    name: str, known: str, kernel: Callable[..., Any], gradient: Any, types: Any = _FLOATS, **attrs: Any
) -> OpDef:
    """The record of an activation's gradient: of dy and what is ``known``, the input or the output."""

    @wraps(kernel)
    def checked(xp: Any, dy: Any, x: Any, **options: Any) -> Any:
        shape_rules.check_alike(name, dy, x)
        return kernel(xp, dy, x, **options)

    return define(
        name, f"gradients: T, {known}: T", "backprops: T", attrs=attrs, types={"T": types}, shape=shape_rules.merged,
        kernel=checked, gradient=gradient,
    )  # fmt: skip


def _zeros_of(x: Tensor) -> Tensor:
    return constants.zeros(arrays.shape(x), dtype=x.dtype)


def _expm1_floor(xp: Any, x: Any) -> Any:
    """exp(x) - 1 for negative x, where it is wanted; 0 elsewhere, so that nothing overflows."""
    return xp.expm1(xp.minimum(x, x.dtype.type(0)))


# -- relu --------------------------------------------------------------------------------------


def _relu_grad(xp: Any, dy: Any, y: Any) -> Any:
    return dy * (y > 0)


RELU = _activation(
    "Relu", lambda xp, x: xp.maximum(x, x.dtype.type(0)), lambda op, dy: [apply(RELU_GRAD, dy, op.outputs[0])],
    (*kinds.REAL,),
)  # fmt: skip
RELU_GRAD: OpDef = _activation_gradient(
    "ReluGrad", "features", _relu_grad, lambda op, d: [apply(RELU_GRAD, d, op.inputs[1]), _zeros_of(op.inputs[1])],
    kinds.REAL,
)  # fmt: skip


def relu(features: Any, name: str | None = None) -> Tensor:
    """``max(x, 0)``; the derivative at 0 is 0."""
    return apply(RELU, features, name=name)


RELU6 = _activation(
    "Relu6", lambda xp, x: xp.clip(x, x.dtype.type(0), x.dtype.type(6)),
    lambda op, dy: [apply(RELU6_GRAD, dy, op.outputs[0])], kinds.REAL,
)  # fmt: skip
RELU6_GRAD: OpDef = _activation_gradient(
    "Relu6Grad", "features", lambda xp, dy, y: dy * ((y > 0) & (y < 6)),
    lambda op, d: [apply(RELU6_GRAD, d, op.inputs[1]), _zeros_of(op.inputs[1])], kinds.REAL,
)  # fmt: skip


def relu6(features: Any, name: str | None = None) -> Tensor:
    """``min(max(x, 0), 6)``."""
    with name_scope(name, "Relu6", [features]) as name:
        return apply(RELU6, as_tensor(features, name="features"), name=name)


def crelu(features: Any, name: str | None = None, axis: int = -1) -> Tensor:
    """``relu`` of x and of -x, side by side along ``axis``."""
    with name_scope(name, "CRelu", [features]) as name:
        x = as_tensor(features, name="features")
        return relu(joining.concat([x, -x], axis, name=name))


_ALPHA = float(np.float32(0.2))  # an attribute is a float32


def _leaky_relu(xp: Any, x: Any, *, alpha: float) -> Any:
    return chosen(xp, x > 0, x, x * x.dtype.type(alpha))


LEAKY_RELU = _activation(
    "LeakyRelu", _leaky_relu,
    lambda op, dy: [apply(LEAKY_RELU_GRAD, dy, op.inputs[0], alpha=op.attrs["alpha"])], alpha=_ALPHA,
)  # fmt: skip
LEAKY_RELU_GRAD: OpDef = _activation_gradient(
    "LeakyReluGrad", "features", lambda xp, dy, x, *, alpha: chosen(xp, x > 0, dy, dy * x.dtype.type(alpha)),
    lambda op, d: [apply(LEAKY_RELU_GRAD, d, op.inputs[1], alpha=op.attrs["alpha"]), _zeros_of(op.inputs[1])],
    alpha=_ALPHA,
)  # fmt: skip


def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Tensor:
    """``max(x, alpha * x)``; integers become float32, and ``alpha`` may be an array of one number."""
    with name_scope(name, "LeakyRelu", [features, alpha]) as name:
        x = as_tensor(features, name="features")
        if x.dtype.is_integer:
            x = casts.cast(x, float32)
        if isinstance(alpha, np.ndarray):
            alpha = alpha.item()
        return apply(LEAKY_RELU, x, alpha=alpha, name=name)


# -- exponential units -------------------------------------------------------------------------

_SCALE = 1.0507009873554804934193349852946
_SCALE_ALPHA = 1.7580993408473768599402175208123


def _curved_grad_gradient(op: Any, d: Any, record: OpDef) -> list[Any]:
    """d(dy * slope(y)): the same op again for dy; where y < 0, the slope itself has slope 1."""
    dy, y = op.inputs
    d_dy = apply(record, d, y)
    return [d_dy, comparison.where(y < 0, d * dy, constants.zeros_like(y))]


ELU = _activation(
    "Elu", lambda xp, x: chosen(xp, x < 0, _expm1_floor(xp, x), x), lambda op, dy: [apply(ELU_GRAD, dy, op.outputs[0])],
)  # fmt: skip
ELU_GRAD: OpDef = _activation_gradient(
    "EluGrad", "outputs", lambda xp, dy, y: chosen(xp, y < 0, dy * (y + y.dtype.type(1)), dy),
    lambda op, d: _curved_grad_gradient(op, d, ELU_GRAD),
)  # fmt: skip


def elu(features: Any, name: str | None = None) -> Tensor:
    """``x`` where positive, else ``exp(x) - 1``."""
    return apply(ELU, features, name=name)


def _selu(xp: Any, x: Any) -> Any:
    kind = x.dtype.type
    return chosen(xp, x < 0, kind(_SCALE_ALPHA) * _expm1_floor(xp, x), kind(_SCALE) * x)


def _selu_grad(xp: Any, dy: Any, y: Any) -> Any:
    kind = y.dtype.type
    return chosen(xp, y < 0, dy * (y + kind(_SCALE_ALPHA)), dy * kind(_SCALE))


SELU = _activation("Selu", _selu, lambda op, dy: [apply(SELU_GRAD, dy, op.outputs[0])])
SELU_GRAD: OpDef = _activation_gradient(
    "SeluGrad", "outputs", _selu_grad, lambda op, d: _curved_grad_gradient(op, d, SELU_GRAD)
)


def selu(features: Any, name: str | None = None) -> Tensor:
    """``s * x`` where positive, else ``s * a * (exp(x) - 1)``, with the s and a that keep mean 0 and variance 1."""
    return apply(SELU, features, name=name)


# -- soft units --------------------------------------------------------------------------------


def _softplus_grad(xp: Any, dy: Any, x: Any) -> Any:
    return dy / (xp.exp(-x) + x.dtype.type(1))


def _softplus_grad_gradient(op: Any, d: Any) -> list[Any]:
    """For dy the same rule; for x: d * dy / (exp(-x) + 2 + exp(x))."""
    dy, x = op.inputs
    with control_dependencies([d]):
        d_dy = apply(SOFTPLUS_GRAD, d, x)
        return [d_dy, d * dy / (exponentials.exp(-x) + 2.0 + exponentials.exp(x))]


_EIGENS_EPSILON = {"bfloat16": 2.0**-7, "float16": 2.0**-13}


def _softplus(xp: Any, x: Any) -> Any:
    """log(exp(x) + 1) with TensorFlow's rounding: x and exp(x) far from 0, where the sum would lose them."""
    far = _far(x.dtype)
    e = xp.exp(x)
    return xp.where(x > far, x, xp.where(x < -far, e, xp.log(e + x.dtype.type(1))))


@cache
def _far(dtype: np.dtype[Any]) -> Any:
    """Where 1 is lost beside exp(x)."""
    eps = _EIGENS_EPSILON.get(dtype.name) or np.finfo(dtype).eps
    return -(dtype.type(np.log(eps)) + dtype.type(2))


SOFTPLUS = _activation("Softplus", _softplus, lambda op, dy: [dy * exponentials.sigmoid(op.inputs[0])])
SOFTPLUS_GRAD = _activation_gradient("SoftplusGrad", "features", _softplus_grad, _softplus_grad_gradient)


def softplus(features: Any, name: str | None = None) -> Tensor:
    """``log(exp(x) + 1)``, computed without overflow."""
    return apply(SOFTPLUS, features, name=name)


def _softsign_grad(xp: Any, dy: Any, x: Any) -> Any:
    return dy / xp.square(xp.abs(x) + x.dtype.type(1))


SOFTSIGN = _activation(
    "Softsign", lambda xp, x: x / (xp.abs(x) + x.dtype.type(1)),
    lambda op, dy: [apply(SOFTSIGN_GRAD, dy, op.inputs[0])],
)  # fmt: skip
SOFTSIGN_GRAD: OpDef = _activation_gradient("SoftsignGrad", "features", _softsign_grad, None)


def softsign(features: Any, name: str | None = None) -> Tensor:
    """``x / (|x| + 1)``."""
    return apply(SOFTSIGN, features, name=name)


def log_sigmoid(x: Any, name: str | None = None) -> Tensor:
    """``log(1 / (1 + exp(-x)))``, as ``-softplus(-x)``."""
    with name_scope(name, "LogSigmoid", [x]) as name:
        return arithmetic.negative(softplus(-as_tensor(x, name="x")), name=name)


# -- a loss of the weights ---------------------------------------------------------------------


def _l2_loss(xp: Any, t: Any) -> Any:
    return xp.asarray(single.sum_of_squares(xp, xp.ravel(t)) / t.dtype.type(2), t.dtype)


L2_LOSS = define(
    "L2Loss", "t: T", "output: T", types={"T": _FLOATS}, shape=shape_rules.scalar, kernel=_l2_loss,
    gradient=lambda op, dy: [op.inputs[0] * dy],
)  # fmt: skip


def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """``sum(t^2) / 2``."""
    return apply(L2_LOSS, t, name=name)
