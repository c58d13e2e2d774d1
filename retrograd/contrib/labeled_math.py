"""Arithmetic of labeled tensors: the ops of one and of two, and what Python's operators mean."""

from __future__ import annotations

from typing import Any

from retrograd.contrib.labels import LabeledTensor, define_binary_op, define_unary_op
from retrograd.nn.contrib import functions
from retrograd.ops import (
    activations,
    arithmetic,
    comparison,
    exponentials,
    powers,
    rounding,
    special,
    trigonometry,
)
from retrograd.ops import (
    softmax as softmaxes,
)

abs_ = define_unary_op("abs", rounding.abs_)
neg = define_unary_op("neg", arithmetic.negative)
sign = define_unary_op("sign", rounding.sign)
reciprocal = define_unary_op("reciprocal", powers.reciprocal)
square = define_unary_op("square", powers.square)
round_ = define_unary_op("round", rounding.round_)
sqrt = define_unary_op("sqrt", powers.sqrt)
rsqrt = define_unary_op("rsqrt", powers.rsqrt)
exp = define_unary_op("exp", exponentials.exp)
log = define_unary_op("log", exponentials.log)
ceil = define_unary_op("ceil", rounding.ceil)
floor = define_unary_op("floor", rounding.floor)
cos = define_unary_op("cos", trigonometry.cos)
sin = define_unary_op("sin", trigonometry.sin)
tan = define_unary_op("tan", trigonometry.tan)
acos = define_unary_op("acos", trigonometry.acos)
asin = define_unary_op("asin", trigonometry.asin)
atan = define_unary_op("atan", trigonometry.atan)
lgamma = define_unary_op("lgamma", special.lgamma)
digamma = define_unary_op("digamma", special.digamma)
erf = define_unary_op("erf", special.erf)
erfc = define_unary_op("erfc", special.erfc)
logical_not = define_unary_op("logical_not", comparison.logical_not)
tanh = define_unary_op("tanh", trigonometry.tanh)
sigmoid = define_unary_op("sigmoid", exponentials.sigmoid)

add = define_binary_op("add", arithmetic.add)
sub = define_binary_op("sub", arithmetic.subtract)
mul = define_binary_op("mul", arithmetic.multiply)
div = define_binary_op("div", arithmetic.div)
mod = define_binary_op("mod", arithmetic.floormod)
pow_ = define_binary_op("pow", powers.pow_)
equal = define_binary_op("equal", comparison.equal)
greater = define_binary_op("greater", comparison.greater)
greater_equal = define_binary_op("greater_equal", comparison.greater_equal)
not_equal = define_binary_op("not_equal", comparison.not_equal)
less = define_binary_op("less", comparison.less)
less_equal = define_binary_op("less_equal", comparison.less_equal)
logical_and = define_binary_op("logical_and", comparison.logical_and)
logical_or = define_binary_op("logical_or", comparison.logical_or)
logical_xor = define_binary_op("logical_xor", comparison.logical_xor)
maximum = define_binary_op("maximum", arithmetic.maximum)
minimum = define_binary_op("minimum", arithmetic.minimum)
squared_difference = define_binary_op("squared_difference", arithmetic.squared_difference)
igamma = define_binary_op("igamma", special.igamma)
igammac = define_binary_op("igammac", special.igammac)
zeta = define_binary_op("zeta", special.zeta)
polygamma = define_binary_op("polygamma", special.polygamma)

relu = define_unary_op("relu", activations.relu)
relu6 = define_unary_op("relu6", activations.relu6)
crelu = define_unary_op("crelu", activations.crelu)
elu = define_unary_op("elu", activations.elu)
softplus = define_unary_op("softplus", activations.softplus)
l2_loss = define_unary_op("l2_loss", activations.l2_loss)
softmax = define_unary_op("softmax", softmaxes.softmax)
log_softmax = define_unary_op("log_softmax", softmaxes.log_softmax)
sigmoid_cross_entropy_with_logits = define_binary_op(
    "sigmoid_cross_entropy_with_logits", functions.deprecated_flipped_sigmoid_cross_entropy_with_logits
)
softmax_cross_entropy_with_logits = define_binary_op(
    "softmax_cross_entropy_with_logits", functions.deprecated_flipped_softmax_cross_entropy_with_logits
)
sparse_softmax_cross_entropy_with_logits = define_binary_op(
    "sparse_softmax_cross_entropy_with_logits", functions.deprecated_flipped_sparse_softmax_cross_entropy_with_logits
)

_FROM_BOTH_SIDES = {"add": add, "sub": sub, "mul": mul, "truediv": div, "div": div, "mod": mod, "pow": pow_}
_FROM_LEFT = {
    "and": logical_and, "or": logical_or, "xor": logical_xor,
    "lt": less, "le": less_equal, "gt": greater, "ge": greater_equal,
}  # fmt: skip


def _operators() -> None:
    """Python's operators on labeled tensors."""
    for word, op in {"abs": abs_, "neg": neg, "invert": logical_not}.items():
        setattr(LabeledTensor, f"__{word}__", lambda x, op=op: op(x))
    for word, op in {**_FROM_BOTH_SIDES, **_FROM_LEFT}.items():
        setattr(LabeledTensor, f"__{word}__", lambda x, y, op=op: op(x, y))

    def turned(op: Any) -> Any:
        return lambda x, y: op(y, x)

    for word, op in _FROM_BOTH_SIDES.items():
        setattr(LabeledTensor, f"__r{word}__", turned(op))


_operators()
