"""Elementwise ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from case_table import Row, between, distinct, normal

from retrograd.graph.apply import apply
from retrograd.ops import (
    arithmetic,
    bitwise,
    casts,
    comparison,
    complex_numbers,
    exponentials,
    powers,
    rounding,
    special,
    sums,
    trigonometry,
)

TWO = (normal(2, 3), normal(2, 3, seed=1))
SPREAD = (normal(2, 3), normal(3, seed=1))
APART = (distinct(2, 3), distinct(2, 3, seed=1) + 0.05)
POSITIVE = (between(0.3, 3, 2, 3), between(0.5, 2, 3))
FACTORS = (between(0.2, 0.9, 2, 3), between(0.5, 2, 2, 3))
INTEGERS = (np.array([-7, 2, 100, 5], np.int32), np.array([2, -3, 7, 1], np.int32))
TRUTHS = (np.array([True, True, False]), np.array([True, False, False]))


def backward(name: str, definition: Any) -> Row:
    return Row(name, lambda y, dy: apply(definition, y, dy), FACTORS)


def through_complex(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: function(complex_numbers.complex_(x, y))


def both_parts(z: Any) -> list[Any]:
    return [complex_numbers.real(z), complex_numbers.imag(z)]


ROWS = [
    # sums, products, quotients
    Row("Add", arithmetic.add, SPREAD),
    Row("AddV2", arithmetic.add_v2, SPREAD),
    Row("Sub", arithmetic.subtract, SPREAD),
    Row("Neg", arithmetic.negative, (normal(3),)),
    Row("Mul", arithmetic.multiply, SPREAD),
    Row("Mul", arithmetic.multiply, TWO, label="of one shape"),
    Row("MulNoNan", arithmetic.multiply_no_nan, SPREAD),
    Row("SquaredDifference", arithmetic.squared_difference, SPREAD),
    Row("RealDiv", arithmetic.real_div, POSITIVE),
    Row("Div", lambda x, y: apply(arithmetic.DIV, x, y), POSITIVE),
    Row("DivNoNan", arithmetic.div_no_nan, POSITIVE),
    Row("FloorDiv", arithmetic.floor_div, POSITIVE),
    Row("FloorDiv", arithmetic.floor_div, INTEGERS, orders=0, label="of integers"),
    Row("TruncateDiv", arithmetic.truncatediv, POSITIVE, orders=0),
    Row("TruncateDiv", arithmetic.truncatediv, INTEGERS, orders=0, label="of integers"),
    Row("FloorMod", arithmetic.floormod, POSITIVE),
    Row("FloorMod", arithmetic.floormod, INTEGERS, orders=0, label="of integers"),
    Row("TruncateMod", arithmetic.truncatemod, POSITIVE),
    Row("TruncateMod", arithmetic.truncatemod, INTEGERS, orders=0, label="of integers"),
    Row("Mod", lambda x, y: apply(arithmetic.MOD, x, y), POSITIVE),
    Row("Mod", lambda x, y: apply(arithmetic.MOD, x, y), INTEGERS, orders=0, label="of integers"),
    Row("Maximum", arithmetic.maximum, APART),
    Row("Minimum", arithmetic.minimum, APART),
    Row("AccumulateNV2", lambda x, y: sums.accumulate_n([x, y, x]), TWO),
    Row("Conj", through_complex(lambda z: both_parts(arithmetic.conj(z))), TWO),
    # powers
    Row("Square", powers.square, (normal(3),)),
    Row("Sqrt", powers.sqrt, POSITIVE[:1]),
    Row("Rsqrt", powers.rsqrt, POSITIVE[:1]),
    Row("Reciprocal", powers.reciprocal, POSITIVE[:1]),
    Row("Inv", lambda x: apply(powers.INV, x), POSITIVE[:1]),
    Row("Pow", powers.pow_, POSITIVE),
    backward("SqrtGrad", powers.SQRT_GRAD),
    backward("RsqrtGrad", powers.RSQRT_GRAD),
    backward("ReciprocalGrad", powers.RECIPROCAL_GRAD),
    backward("InvGrad", powers.INV_GRAD),
    # exponentials
    Row("Exp", exponentials.exp, (normal(3),)),
    Row("Expm1", exponentials.expm1, (normal(3),)),
    Row("Log", exponentials.log, POSITIVE[:1]),
    Row("Log1p", exponentials.log1p, POSITIVE[:1]),
    Row("Sigmoid", exponentials.sigmoid, (normal(3),)),
    backward("SigmoidGrad", exponentials.SIGMOID_GRAD),
    Row("Xlogy", exponentials.xlogy, POSITIVE),
    Row("Xdivy", exponentials.xdivy, POSITIVE),
    # circular and hyperbolic
    Row("Sin", trigonometry.sin, (normal(3),)),
    Row("Cos", trigonometry.cos, (normal(3),)),
    Row("Tan", trigonometry.tan, (between(-1, 1, 3),)),
    Row("Asin", trigonometry.asin, (between(-0.8, 0.8, 3),)),
    Row("Acos", trigonometry.acos, (between(-0.8, 0.8, 3),)),
    Row("Atan", trigonometry.atan, (normal(3),)),
    Row("Atan2", trigonometry.atan2, SPREAD),
    Row("Sinh", trigonometry.sinh, (normal(3),)),
    Row("Cosh", trigonometry.cosh, (normal(3),)),
    Row("Tanh", trigonometry.tanh, (normal(3),)),
    backward("TanhGrad", trigonometry.TANH_GRAD),
    Row("Asinh", trigonometry.asinh, (normal(3),)),
    Row("Acosh", trigonometry.acosh, (between(1.2, 3, 3),)),
    Row("Atanh", trigonometry.atanh, (between(-0.8, 0.8, 3),)),
    # signs and rounding
    Row("Abs", rounding.abs_, (distinct(2, 3),)),
    Row("Sign", rounding.sign, (distinct(2, 3),)),
    Row("Floor", rounding.floor, (distinct(2, 3),)),
    Row("Ceil", rounding.ceil, (distinct(2, 3),)),
    Row("Rint", rounding.rint, (distinct(2, 3),)),
    Row("Round", rounding.round_, (distinct(2, 3),)),
    Row("NextAfter", rounding.nextafter, TWO),
    Row("IsNan", rounding.is_nan, (np.array([1, np.nan, np.inf]),), orders=0),
    Row("IsInf", rounding.is_inf, (np.array([1, np.nan, np.inf]),), orders=0),
    Row("IsFinite", rounding.is_finite, (np.array([1, np.nan, np.inf]),), orders=0),
    # special functions
    Row("Erf", special.erf, (normal(3),)),
    Row("Erfc", special.erfc, (normal(3),)),
    Row("Lgamma", special.lgamma, POSITIVE[:1]),
    Row("Digamma", special.digamma, POSITIVE[:1]),
    Row("Polygamma", lambda x: special.polygamma(np.array([1.0, 2.0, 3.0]), x), (between(0.5, 3, 2, 3),)),
    Row("Polygamma", lambda x: special.polygamma(np.array([[1.0], [2.0]]), x), (between(0.5, 3, 3),), label="repeated"),
    Row("Zeta", lambda q: special.zeta(np.array([[1.5], [4.0]]), q), (between(0.5, 3, 3),), label="repeated"),
    Row("Zeta", lambda q: special.zeta(np.array([1.5, 2.0, 4.0]), q), (between(0.5, 3, 2, 3),)),
    Row("Igamma", special.igamma, (between(0.5, 3, 2, 3), between(0.5, 4, 3))),
    Row("Igammac", special.igammac, (between(0.5, 3, 2, 3), between(0.5, 4, 3))),
    Row("IgammaGradA", lambda a, x: apply(special.IGAMMA_GRAD_A, a, x), POSITIVE, orders=1),
    Row("Betainc", lambda x: special.betainc(np.float64(0.7), np.float64(1.6), x), (between(0.1, 0.9, 2, 3),)),
    Row("BesselI0e", special.bessel_i0e, (between(0.1, 40, 5),)),
    Row("BesselI1e", special.bessel_i1e, (between(0.1, 40, 5),)),
    # complex numbers
    Row("Complex", through_complex(both_parts), SPREAD, also=("Real", "Imag")),
    Row("Real", through_complex(complex_numbers.real), TWO),
    Row("Imag", through_complex(complex_numbers.imag), TWO),
    Row("Angle", through_complex(complex_numbers.angle), POSITIVE),
    Row("ComplexAbs", through_complex(rounding.abs_), POSITIVE),
    Row("Mul", through_complex(lambda z: both_parts(z * z * arithmetic.conj(z))), TWO, label="complex"),
    Row("Exp", through_complex(lambda z: both_parts(exponentials.exp(z))), TWO, label="complex"),
    # casts, choices, bits
    Row("Cast", lambda x: casts.cast(casts.cast(x, "complex128"), "float64"), (normal(3),)),
    Row("Cast", lambda x: casts.cast(x, "int32"), (distinct(3, gap=1.0),), orders=0, label="to integers"),
    Row("Select", lambda x, y: comparison.where(x > y, x, y), APART),
    Row("Select", lambda x, y: comparison.where(np.array([True, False]), x, y), TWO, label="of rows"),
    Row("SelectV2", lambda x, y: comparison.where_v2(np.array([[True], [False]]), y, x), SPREAD, label="swapped"),
    Row("SelectV2", lambda x, y: comparison.where_v2(np.array([[True], [False]]), x, y), SPREAD),
    Row("Where", lambda x: comparison.where(x > 0), (normal(2, 3),), orders=0, traced=False),
    Row("Bucketize", lambda x: comparison.bucketize(x, [-1, 0, 2]), (normal(2, 3),), orders=0),
    Row("ApproximateEqual", lambda x, y: comparison.approximate_equal(x, y, 0.5), TWO, orders=0),
    Row("Less", comparison.less, INTEGERS, orders=0),
    Row("LessEqual", comparison.less_equal, INTEGERS, orders=0),
    Row("Greater", comparison.greater, INTEGERS, orders=0),
    Row("GreaterEqual", comparison.greater_equal, INTEGERS, orders=0),
    Row("Equal", comparison.equal, TRUTHS, orders=0),
    Row("NotEqual", comparison.not_equal, INTEGERS, orders=0),
    Row("LogicalAnd", comparison.logical_and, TRUTHS, orders=0),
    Row("LogicalOr", comparison.logical_or, TRUTHS, orders=0),
    Row("LogicalNot", comparison.logical_not, TRUTHS[:1], orders=0),
    Row("BitwiseAnd", bitwise.bitwise_and, INTEGERS, orders=0),
    Row("BitwiseOr", bitwise.bitwise_or, INTEGERS, orders=0),
    Row("BitwiseXor", bitwise.bitwise_xor, INTEGERS, orders=0),
    Row("LeftShift", bitwise.left_shift, INTEGERS, orders=0),
    Row("RightShift", bitwise.right_shift, INTEGERS, orders=0),
    Row("Invert", bitwise.invert, INTEGERS[:1], orders=0),
    Row("PopulationCount", bitwise.population_count, INTEGERS[:1], orders=0),
]
