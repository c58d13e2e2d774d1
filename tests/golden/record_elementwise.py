"""Record the nodes and values of TensorFlow 1.15.5's elementwise ops and their gradients into elementwise.json.

Run it under that TensorFlow.  Each case is an expression over named inputs; the test builds the same one.
"""
import json
import math
import os
import sys

os.environ.update(CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="3")
import numpy as np
import tensorflow as tf
from tensorflow.python.ops import gen_bitwise_ops, gen_math_ops

tf.logging.set_verbosity(tf.logging.ERROR)

LINE = [-2.5, -1.0, -0.3, 0.0, 0.7, 1.0, 3.25]
OPEN = [-0.9, -0.5, -0.1, 0.0, 0.3, 0.8, 0.99]
POSITIVE = [0.001, 0.2, 0.5, 1.0, 1.75, 4.0, 30.0]
ABOVE_ONE = [1.0, 1.001, 1.5, 2.0, 3.0, 10.0, 500.0]
WIDE = [-120.0, -7.5, -0.4, 0.001, 2.0, 9.0, 200.0]
SPECIAL = [-3.7, -1.5, -0.01, 0.1, 1.0, 2.5, 40.0]
SECOND = [1.5, -0.5, 2.0, -3.0, 0.25, 1.0, -1.0]
SHARES = [0.1, 0.5, 0.9, 0.3, 0.99, 0.01, 0.7]
ORDERS = [0.5, 1.0, 2.5, 3.0, 7.0, 20.0, 1.5]
COUNTS = [1.0, 2.0, 3.0, 1.0, 2.0, 5.0, 4.0]
INTEGERS = [-7, -2, -1, 0, 1, 3, 100]
DIVISORS = [2, -3, 4, -1, 5, 7, -9]
SHIFTS = [0, 1, 2, 3, 4, 5, 6]
COMPLEX = [1 + 2j, -0.5 + 0.25j, 0.3 - 2j, -1.5 - 0.75j, 2.0 + 0.1j, 0.9 + 0.9j, -3 + 1j]
COMPLEX_TOO = [0.5 - 1j, 2 + 0.5j, -1 - 1j, 0.1 + 3j, -2 + 0.3j, 1 - 0.2j, 0.7 + 0.7j]

REALS = ("float32", "float64")
INEXACT = REALS + ("complex64", "complex128")


def unary(names, points, types, second=True):
    return [(name, f"{name}(x)", {"x": points}, types, second) for name in names.split()]


def binary(names, xs, ys, types, second=True):
    return [(name, f"{name}(x, y)", {"x": xs, "y": ys}, types, second) for name in names.split()]


CASES = [
    *unary("abs negative square sign cosh sinh tanh sigmoid exp expm1 sin cos asinh", LINE, REALS),
    *unary("erf erfc", LINE, REALS),
    *unary("atan tan bessel_i0e bessel_i1e log_sigmoid", WIDE, REALS),
    *unary("ceil floor round rint", [-2.5, -1.5, -0.5, 0.0, 0.5, 2.5, 1e10], REALS, False),
    *unary("is_nan is_inf is_finite", [1.0, float("nan"), float("inf"), -float("inf"), 0.0], REALS, None),
    *unary("acos asin atanh", OPEN, REALS),
    *unary("acosh", ABOVE_ONE, REALS),
    *unary("log log1p sqrt rsqrt reciprocal inv", POSITIVE, REALS),
    *unary("lgamma digamma", SPECIAL, REALS),
    *unary("negative square sign cosh sinh tanh sigmoid exp expm1 sin cos asinh atan tan acos asin atanh acosh log "
           "log1p sqrt rsqrt reciprocal inv", COMPLEX, ("complex64", "complex128")),
    *unary("abs real imag conj angle", COMPLEX, ("complex64", "complex128")),
    *unary("real imag conj angle", LINE, REALS),
    *unary("abs negative square sign round", INTEGERS, ("int32", "int64"), False),
    *unary("reciprocal_no_nan", LINE, INEXACT),
    *unary("bessel_i0 bessel_i1", LINE, REALS),
    *binary("complex", LINE, SECOND, REALS),
    *binary("add subtract multiply divide truediv realdiv div", SECOND, SPECIAL, INEXACT),
    *binary("raw_div raw_mod", SECOND, SPECIAL, REALS),
    *binary("raw_div raw_mod", INTEGERS, DIVISORS, ("int32", "int64"), False),
    *binary("div_no_nan multiply_no_nan maximum minimum squared_difference atan2", SECOND, LINE, REALS),
    *binary("floordiv floor_div truncatediv floormod truncatemod mod", WIDE, SPECIAL, REALS),
    *binary("add subtract multiply div floordiv floor_div truncatediv realdiv", INTEGERS, DIVISORS,
            ("int32", "int64", "int8", "int16"), False),
    *binary("floormod truncatemod squared_difference maximum minimum truediv divide", INTEGERS, DIVISORS,
            ("int32", "int64"), False),
    *binary("pow", POSITIVE, SECOND, REALS),
    *binary("pow", COMPLEX, COMPLEX_TOO, ("complex64", "complex128")),
    *binary("pow", INTEGERS, SHIFTS, ("int32", "int64"), False),
    *binary("squared_difference div_no_nan multiply_no_nan xlogy xdivy", COMPLEX, COMPLEX_TOO, ("complex64", "complex128")),
    *binary("xlogy xdivy", [0.0, 1.0, 0.5, -2.0, 3.0, 0.0, 7.0], [0.0, 2.0, 0.5, 1.0, 8.0, 3.0, 1.5], REALS),
    *binary("igamma igammac", ORDERS, POSITIVE, REALS),
    *binary("zeta", ABOVE_ONE[1:-1], POSITIVE[1:-1], REALS),
    *binary("polygamma", COUNTS, POSITIVE, REALS),
    *binary("tanh_grad sigmoid_grad sqrt_grad rsqrt_grad reciprocal_grad inv_grad", SECOND, ABOVE_ONE, INEXACT),
    *binary("nextafter", SECOND, SPECIAL, REALS),
    ("betainc", "betainc(a, b, x)", {"a": ORDERS, "b": POSITIVE, "x": SHARES}, REALS, True),
    *binary("less less_equal greater greater_equal equal not_equal", SECOND, LINE, REALS + ("int32", "int64"), None),
    *binary("equal not_equal", COMPLEX, COMPLEX_TOO, ("complex64",), None),
    *binary("bitwise_and bitwise_or bitwise_xor left_shift right_shift", INTEGERS, SHIFTS,
            ("int8", "int16", "int32", "int64"), False),
    *binary("bitwise_and bitwise_or bitwise_xor left_shift right_shift", [7, 1, 0, 255, 128, 5, 9], SHIFTS,
            ("uint8", "uint16", "uint32", "uint64"), False),
    *unary("invert population_count", INTEGERS, ("int8", "int16", "int32", "int64"), False),
    *unary("invert population_count", [7, 1, 0, 255, 128, 5, 9], ("uint8", "uint16", "uint32", "uint64"), False),
    *binary("logical_and logical_or logical_xor", [0, 0, 1, 1], [0, 1, 0, 1], ("bool",), False),
    *unary("logical_not", [0, 1], ("bool",), False),
    ("approximate_equal", "approximate_equal(x, y, tolerance=0.5)", {"x": SECOND, "y": LINE}, REALS, None),
    ("bucketize", "bucketize(x, boundaries=[-1.0, 0.0, 2.0])", {"x": LINE}, REALS + ("int32", "int64"), None),
    ("polyval", "polyval([1.0, x, 3.0], y)", {"x": LINE, "y": SECOND}, REALS, True),
    ("lbeta", "lbeta([x, y])", {"x": POSITIVE, "y": ORDERS}, REALS, True),
    ("add_n", "add_n([x, y, x])", {"x": LINE, "y": SECOND}, INEXACT, True),
    ("accumulate_n", "accumulate_n([x, y, x])", {"x": LINE, "y": SECOND}, REALS, True),
    ("scalar_mul", "scalar_mul(2.5, x)", {"x": LINE}, REALS, True),
    ("where", "where(x > y, x, y)", {"x": LINE, "y": SECOND}, REALS, True),
    ("where_v2", "where_v2(x > y, x, y)", {"x": LINE, "y": SECOND}, REALS, True),
    ("where_v2 of a scalar", "where_v2(x > 0, x, 1.0)", {"x": LINE}, ("float32",), True),
    ("where_v2 named", "where_v2(x > 0, x, 1.0, name='w')", {"x": LINE}, ("float32",), True),
    ("where's indices", "where(x > y)", {"x": LINE, "y": SECOND}, REALS, None),
    ("where's nonzeros", "where(x)", {"x": LINE}, REALS + ("int32",), None),
    *[(f"cast to {to}", f"cast(x, '{to}')", {"x": LINE}, REALS + ("int32", "int64", "uint8", "float16"), True)
      for to in "float16 float32 float64 bfloat16 int32 int64 uint8 int16 bool complex64 complex128".split()],
    *[(f"saturate_cast to {to}", f"saturate_cast(x, '{to}')", {"x": WIDE}, REALS + ("int32",), False)
      for to in "uint8 int8 int32 float32".split()],
    ("cast of a complex", "cast(x, 'float32')", {"x": COMPLEX}, ("complex64", "complex128"), True),
    ("cast of a truth", "cast(x, 'float32')", {"x": [0, 1, 1, 0]}, ("bool",), False),
    *[(f"to_{to}", f"to_{to}(x)", {"x": LINE}, ("float32", "int32"), False)
      for to in "float double int32 int64 bfloat16 complex64 complex128".split()],
    *[(f"x {sign} y", f"x {sign} y", {"x": SECOND, "y": SPECIAL}, REALS, True)
      for sign in "+ - * / // % **".split()],
    *[(f"x {sign} y", f"x {sign} y", {"x": SECOND, "y": SPECIAL}, REALS, None) for sign in "< <= > >=".split()],
    *[(f"x {sign} y", f"x {sign} y", {"x": INTEGERS, "y": DIVISORS}, ("int32", "int64"), False)
      for sign in "+ - * / // % < <= > >=".split()],
    *[(f"x {sign} y", f"x {sign} y", {"x": [0, 0, 1, 1], "y": [0, 1, 0, 1]}, ("bool",), False) for sign in "&|^"],
    ("~x", "~x", {"x": [0, 1]}, ("bool",), False),
    ("-x", "-x", {"x": LINE}, REALS, True),
    ("abs of x", "x.__abs__()", {"x": LINE}, REALS, True),
    *[(f"x {sign} 2", f"x {sign} 2", {"x": LINE}, REALS, True) for sign in "+ - * / % **".split()],
    *[(f"2 {sign} x", f"2 {sign} x", {"x": ABOVE_ONE}, REALS, True) for sign in "+ - * / % **".split()],
    *[(f"2 {sign} x", f"2 {sign} x", {"x": ABOVE_ONE}, REALS, None) for sign in "< <= > >=".split()],
    ("True & x", "True & x", {"x": [0, 1]}, ("bool",), False),
    ("True | x", "True | x", {"x": [0, 1]}, ("bool",), False),
    ("True ^ x", "True ^ x", {"x": [0, 1]}, ("bool",), False),
    *[(f"{name} of Python's numbers", f"{name}(x, 2.0, name='n')", {"x": ABOVE_ONE}, ("float32",), True)
      for name in "add subtract multiply divide truediv realdiv div floordiv floormod pow maximum squared_difference "
                  "xlogy xdivy div_no_nan multiply_no_nan atan2".split()],
    *[(f"{name} of a Python number and x", f"{name}(2.0, x)", {"x": ABOVE_ONE}, ("float32",), True)
      for name in "add subtract multiply divide truediv realdiv div floordiv floormod pow maximum squared_difference "
                  "xlogy xdivy div_no_nan multiply_no_nan atan2".split()],
]

# Values at the edges of domains, and what is refused: A(values, dtype) is a tensor of unknown length.
EDGES = [
    "maximum(A([nan, 1, nan, 0.0, 2]), A([1, nan, nan, -0.0, 3]))",
    "minimum(A([nan, 1, nan, 0.0, 2]), A([1, nan, nan, -0.0, 3]))",
    "digamma(A([0, -1, inf, nan, -1.5, 1e10]))",
    "lgamma(A([0, -1, inf, -inf, nan, -1.5]))",
    "polygamma(A([0, 1.5, -1, 0, 1, 1, 1]), A([2, 2, 2, -1.5, -1.5, 0, -1]))",
    "zeta(A([1, 0.5, 2, 2, 2, 3, 2.5, nan]), A([1, 1, 0, -1, -1.5, -1.5, -1.5, 1]))",
    "igamma(A([0, -1, 1, 1, 1, nan]), A([1, 1, 0, -1, inf, 1]))",
    "igammac(A([-1, 1, 1, 1, nan]), A([1, 0, -1, inf, 1]))",
    "igamma_grad_a(A([-1, 1, 1, 1, nan, 2, 9]), A([1, 0, -1, inf, 1, 3, 4]))",
    "betainc(A([1, 1, 1, 1, 0, -1, 1, 2]), A([1, 1, 1, 1, 1, 1, 0, 3]), A([0, 1, -0.1, 1.1, 0.5, 0.5, 0.5, 0.5]))",
    "betainc(1.0, A([1, 2, 3]), 0.5)",
    "bessel_i0e(A([0, inf, -inf, nan, 1e30]))",
    "bessel_i1e(A([0, inf, -inf, nan, 1e30]))",
    "pow(A([2, 3], 'int32'), A([2, -1], 'int32'))",
    "pow(A([3, -7], 'int32'), A([40, 33], 'int32'))",
    "floordiv(A([2, 3], 'int32'), A([2, 0], 'int32'))",
    "floormod(A([2, 3], 'int32'), A([2, 0], 'int32'))",
    "div(A([2, 3], 'int32'), A([2, 0], 'int32'))",
    "truncatediv(A([-7, 7, -8], 'int32'), A([2, -2, 3], 'int32'))",
    "floordiv(A([1, -1, 0, nan, inf, 1]), A([0, 0, 0, 1, 1, 0.1]))",
    "cast(A([nan, inf, -inf, 3e9, -1.5, 256.7]), 'int32')",
    "cast(A([nan, 3e9, -1.5, 256.7]), 'uint8')",
    "cast(A([nan, 0, -0.5]), 'bool')",
    "cast(A([1.00390625, 1.01171875, 1.005859375]), 'bfloat16')",
    "cast(A([300, -1], 'int32'), 'uint8')",
    "cast(A([2 ** 40 + 5], 'int64'), 'int32')",
    "cast(A(['a'], 'string'), 'int32')",
    "abs(A([-128], 'int8'))",
    "sign(A([nan, 0.0, inf]))",
    "abs(A([True], 'bool'))",
    "negative(A([1], 'uint8'))",
    "rsqrt(A([0, -1, inf]))",
    "sigmoid(A([-200, -18, 18, 200, nan]))",
    "round(A([0.5, 1.5, 2.5, -0.5, -1.5]))",
    "left_shift(A([1, 1, 1, -1], 'int8'), A([7, 8, -1, 3], 'int8'))",
    "right_shift(A([-128, -128, 64, 64], 'int8'), A([7, 100, -1, 3], 'int8'))",
    "bucketize(A([1, 2]), [3.0, 1.0])",
    "equal(A(['a', 'b'], 'string'), 'a')",
    "add(A(['a'], 'string'), A(['b', 'c'], 'string'))",
    "add(A(['a'], 'string'), 1)",
    "add(A([1, 2]), A([1, 2, 3]))",
    "add([1, 2], [1, 2, 3])",
    "add_n([A([1, 2]), A([1, 2, 3])])",
    "accumulate_n([A([1, 2]), A([1, 2, 3])])",
    "accumulate_n([A([1, 2])], shape=[2], tensor_dtype='int32')",
    "accumulate_n([])",
    "accumulate_n(A([1]))",
    "accumulate_n([A([1]), A([1], 'int32')])",
    "add_n([])",
    "where(A([True, False], 'bool'), A([1, 2, 3]), A([1, 2, 3]))",
    "where(A([True, False], 'bool'), A([1, 2]), A([1, 2, 3]))",
    "where([True, False], [1, 2, 3], [1, 2, 3])",
    "where(True, 1)",
    "where_v2(A([True, False], 'bool'), A([1, 2, 3]), A([1, 2, 3]))",
    "where_v2(True, 1)",
    "approximate_equal(A([1, 2]), A([1, 2, 3]))",
    "betainc(A([1, 2]), A([1, 2, 3]), A([1, 2]))",
    "betainc(0.5, [0.5], [[0.5]])",
    "logical_and(A([1], 'int32'), True)",
    "A([1], 'int32') & True",
    "~A([1], 'int32')",
    "complex(A([1]), A([1], 'float64'))",
    "complex(A([1], 'int32'), A([1], 'int32'))",
    "conj(A(['s'], 'string'))",
    "scalar_mul(A([1, 2]), A([1, 2]))",
    "divide(6, 3)",
    "divide(A([1]), A([1], 'float64'))",
    "polyval([], A([1, 2]))",
    "saturate_cast(A([3e9, -3e9, 1.5]), 'int16')",
    "truediv(A([7, 8], 'int8'), A([2, 3], 'int8'))",
    "A([7, 8], 'int32') / 2",
    "2 / A([7, 8], 'int32')",
    "A([7, 8], 'int32') + 1.5",
    "A([7, 8]) + 'a'",
    "A([7, 8]) + None",
    "1.5 * A([7, 8], 'int32')",
    "A([1, 2]) * A([1, 2], 'float64')",
]

SHAPES = {  # how the inputs are declared: each of one known shape, of unknown shapes, or to be broadcast
    "known": lambda i, n: [n],
    "unknown": lambda i, n: None,
    "broadcast": lambda i, n: [[3, 1, 2], [2, 1], [3, 2, 2]][i],
}


class Names(dict):
    """What the expressions may call."""

    def __missing__(self, name):
        if name.startswith("raw_"):
            return getattr(gen_math_ops, name[4:])
        for place in (tf.math, tf, tf.bitwise):
            if hasattr(place, name):
                return getattr(place, name)
        return getattr(gen_bitwise_ops if hasattr(gen_bitwise_ops, name) else gen_math_ops, name)


def shape_text(shape):
    return "?" if shape.ndims is None else "x".join("?" if n is None else str(n) for n in shape.as_list()) or "."


def node_line(op):
    inputs = [t.name if t.name[-2:] != ":0" else t.name[:-2] for t in op.inputs]
    waits = sorted("^" + c.name for c in op.control_inputs)
    outputs = [t.dtype.name + " " + shape_text(t.shape) for t in op.outputs]
    value = ""
    if op.type == "Const":
        value = " = " + json.dumps(written(tf.make_ndarray(op.get_attr("value"))))
    return f"{op.name} {op.type}({', '.join(inputs + waits)}) -> {', '.join(outputs)}{value}"


def written(value):
    value = np.asarray(value)
    if value.dtype.name == "bfloat16" or value.dtype.kind == "V":
        value = value.astype(np.float32)
    return [plain(v) for v in value.ravel().tolist()] if value.ndim else plain(value.item())


def plain(v):
    if isinstance(v, complex):
        return [plain(v.real), plain(v.imag)]
    if isinstance(v, bytes):
        return v.decode()
    return repr(v) if isinstance(v, float) and not math.isfinite(v) else v


def first_cause(message):
    """The first line; that of the first root where a run failed in several places."""
    lines = message.split("\n")
    return lines[1].split(": ", 1)[1] if lines[0].endswith("root error(s) found.") else lines[0]


def array(points, dtype):
    if dtype == "float16" or dtype.startswith(("int", "uint")):
        points = [max(p, 0) if dtype[0] == "u" else p for p in points]
    return np.array(points).astype(dtype)


def seeds(ys):
    """The grad_ys that complex results need."""
    return [tf.ones_like(y) * (1 + 0.5j) if y.dtype.is_complex else None for y in ys]


def built(expression, inputs, dtype, form, second):
    graph = tf.Graph()
    with graph.as_default():
        tensors = {
            k: tf.placeholder(dtype, SHAPES[form](i, len(v)), name=k) for i, (k, v) in enumerate(inputs.items())
        }
        result = {}
        try:
            y = eval(expression, {}, Scope(tensors))
            result["y"] = y
            if second is not None and y.dtype != tf.bool:
                result["dx"] = tf.gradients(y, list(tensors.values()), seeds([y]))
                dx = [d for d in result["dx"] if d is not None]
                if second and dx:
                    result["ddx"] = tf.gradients(dx, list(tensors.values()), seeds(dx))
        except (LookupError, TypeError, ValueError) as error:
            result["error"] = type(error).__name__ + ": " + str(error).split("\n")[0]
    return graph, tensors, result


class Scope(Names):
    def __init__(self, tensors):
        self.update(tensors)


def record():
    rows = []
    for name, expression, inputs, types, second in CASES:
        row = {"name": name, "expression": expression, "inputs": {k: written(v) for k, v in inputs.items()},
               "second": second, "nodes": {}, "values": {}}
        differentiable = types[0] in INEXACT
        for form in SHAPES:
            if form == "broadcast" and len(inputs) == 1:
                continue
            depth = (second and form == "known") if differentiable and second is not None else None
            graph, _, result = built(expression, inputs, types[0], form, depth)
            row["nodes"][form] = {"dtype": types[0], "depth": depth, "lines": [node_line(op) for op in graph.get_operations()]}
            if "error" in result:
                row["nodes"][form]["error"] = result["error"]
        for dtype in types:
            graph, tensors, result = built(expression, inputs, dtype, "known", second if dtype in INEXACT else None)
            with tf.Session(graph=graph) as sess:
                feeds = {tensors[k]: array(v, dtype) for k, v in inputs.items()}
                found = {}
                for key in ("y", "dx", "ddx"):
                    if key not in result:
                        continue
                    fetches = result[key] if isinstance(result[key], list) else [result[key]]
                    try:
                        found[key] = [None if t is None else written(sess.run(t, feeds)) for t in fetches]
                    except tf.errors.OpError as error:
                        found[key] = f"error: {type(error).__name__}: {first_cause(error.message)}"
                if "error" in result:
                    found["error"] = result["error"]
                row["values"][dtype] = found
        rows.append(row)
    return rows


def edge(expression):
    """The value of an expression, or the class and first line of its error."""
    with tf.Graph().as_default():
        scope = Scope({"A": lambda v, d="float32": tf.placeholder_with_default(tf.constant(v, d), [None])})
        scope.update(nan=float("nan"), inf=float("inf"))
        try:
            y = eval(expression, {}, scope)
            if not isinstance(y, tf.Tensor):
                return {"value": y}
            with tf.Session() as sess:
                return {"dtype": y.dtype.name, "value": written(sess.run(y))}
        except tf.errors.OpError as error:
            return {"error": f"{type(error).__name__}: {first_cause(error.message)}"}
        except (TypeError, ValueError) as error:
            return {"error": f"{type(error).__name__}: " + str(error).split("\n")[0]}


if __name__ == "__main__":
    rows = {"cases": record(), "edges": {expression: edge(expression) for expression in EDGES}}
    with open(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "elementwise.json"), "w") as f:
        f.write('{"cases": [\n' + ",\n".join(json.dumps(row) for row in rows["cases"]) + '\n],\n"edges": {\n')
        f.write(",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in rows["edges"].items()) + "\n}}\n")
