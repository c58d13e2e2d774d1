"""Shapes against what TensorFlow 1.15.5 answered and said."""

# Operators are what is tested, on either side and in any order.
# ruff: noqa: B015, E711, RUF005, SIM201, SIM202, SIM300

from __future__ import annotations

import copy
import operator
import pickle
import re
from types import SimpleNamespace

import numpy as np
import pytest

from retrograd.graph import dtypes, shapes
from retrograd.graph.shapes import Dimension, TensorShape, broadcast, merge, raw, shape_text

UNKNOWN = TensorShape(None)
SOME = TensorShape([2, None, 3])
KNOWN = TensorShape([2, 3])
AMBIGUOUS = "A string has ambiguous TensorShape, please wrap in a list or convert to an int"
PROTO = SimpleNamespace(unknown_rank=False, dim=[SimpleNamespace(size=2), SimpleNamespace(size=-1)])


def exactly(message):
    """A pattern for this message and no other."""
    return f"^{re.escape(message)}$"


# Raw shapes


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("shape", "sizes", "text"),
    [
        (None, None, "<unknown>"),
        ([], (), "()"),
        (3, (3,), "(3,)"),
        (np.int64(3), (3,), "(3,)"),
        (np.array(3), (3,), "(3,)"),
        ([None, 2], (None, 2), "(?, 2)"),
        ([Dimension(3), None], (3, None), "(3, ?)"),
        (Dimension(None), (None,), "(?,)"),
        (TensorShape([1, 2]), (1, 2), "(1, 2)"),
        (UNKNOWN, None, "<unknown>"),
        (PROTO, (2, None), "(2, ?)"),
        (SimpleNamespace(unknown_rank=True, dim=[]), None, "<unknown>"),
        (np.array([2, 3]), (2, 3), "(2, 3)"),
        (np.array([2.0]), (2,), "(2,)"),
        (["3"], (3,), "(3,)"),
        ([b"3"], (3,), "(3,)"),
        ([2.0, True], (2, 1), "(2, 1)"),
        (range(3), (0, 1, 2), "(0, 1, 2)"),
        ({3: 1}, (3,), "(3,)"),
        (iter([1, 2]), (1, 2), "(1, 2)"),
    ],
)
def test_what_is_a_shape(shape, sizes, text):
    result = TensorShape(shape)
    assert raw(result) == sizes
    assert str(result) == text
    assert all(type(size) is int for size in sizes or () if size is not None)


@pytest.mark.parametrize(
    ("shape", "error", "message"),
    [
        ("12", TypeError, f"{AMBIGUOUS}: 12"),
        (b"1", TypeError, f"{AMBIGUOUS}: b'1'"),
        ([2, -1], ValueError, "Dimension -1 must be >= 0"),
        (-1, ValueError, "Dimension -1 must be >= 0"),
        ([2.5], ValueError, "Ambiguous dimension: 2.5"),
        (2.5, ValueError, "Ambiguous dimension: 2.5"),
        (["x"], ValueError, "invalid literal for int() with base 10: 'x'"),
        (dtypes.float32, TypeError, "Cannot convert <dtype: 'float32'> to Dimension"),
        ([dtypes.float32], TypeError, "Cannot convert <dtype: 'float32'> to Dimension"),
    ],
)
def test_what_is_no_shape(shape, error, message):
    with pytest.raises(error, match=exactly(message)):
        TensorShape(shape)


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        (None, None, None),
        (None, (2, 3), None),
        ((), (), ()),
        ((), (None,), (None,)),
        ((), (2, None), (2, None)),
        ((None,), (None,), (None,)),
        ((None,), (0,), (None,)),
        ((None,), (1,), (None,)),
        ((None,), (2,), (2,)),
        ((None,), (1, 1), (1, None)),
        ((None,), (None, 3), (None, 3)),
        ((0,), (1,), (0,)),
        ((0,), (1, 1), (1, 0)),
        ((0,), (2, None), (2, None)),
        ((2,), (2, None), (2, 2)),
        ((2, 3), (2, None), (2, 3)),
        ((2, 3), (2, 1, 3), (2, 2, 3)),
        ((None, 3), (1, 1), (None, 3)),
        ((None, 3), (2, None), (2, 3)),
        ((None, 3), (2, 1, 3), (2, None, 3)),
        ((2, None), (2, 1, 3), (2, 2, 3)),
        ((2, 2), (1, 1), (2, 2)),
    ],
)
def test_broadcast(a, b, result):
    assert broadcast(a, b) == result
    assert broadcast(b, a) == result


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ((0,), (2,), "Dimensions must be equal, but are 0 and 2"),
        ((0,), (None, 3), "Dimensions must be equal, but are 0 and 3"),
        ((2, 2), (2, 1, 3), "Dimensions must be equal, but are 2 and 3"),
        ((2, 3), (4, 5), "Dimensions must be equal, but are 2 and 4"),
    ],
)
def test_broadcast_of_sizes_that_differ(a, b, message):
    with pytest.raises(ValueError, match=exactly(message)):
        broadcast(a, b)


def test_broadcast_of_known_shapes_is_numpys():
    options = [(), (1,), (2,), (0,), (1, 2), (2, 1), (3, 1, 2), (3, 2, 2), (1, 1, 1)]
    for a in options:
        for b in options:
            try:
                expected = np.broadcast_shapes(a, b)
            except ValueError:
                with pytest.raises(ValueError, match="Dimensions must be equal"):
                    broadcast(a, b)
            else:
                assert broadcast(a, b) == expected


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        (None, None, None),
        (None, (2, None), (2, None)),
        ((), (), ()),
        ((None,), (0,), (0,)),
        ((None, 3), (2, None), (2, 3)),
        ((2, None), (None, None), (2, None)),
    ],
)
def test_merge(a, b, result):
    assert merge(a, b) == result
    assert merge(b, a) == result
    assert shapes.compatible(a, b)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ((), (None,), "Shapes must be equal rank, but are 0 and 1"),
        ((2, 3), (None,), "Shapes must be equal rank, but are 2 and 1"),
        ((1,), (2,), "Dimension 0 in both shapes must be equal, but are 1 and 2. Shapes are [1] and [2]."),
        (
            (None, 3),
            (2, 4),
            "Dimension 1 in both shapes must be equal, but are 3 and 4. Shapes are [?,3] and [2,4].",
        ),
    ],
)
def test_merge_of_shapes_that_contradict(a, b, message):
    with pytest.raises(ValueError, match=exactly(message)):
        merge(a, b)
    assert not shapes.compatible(a, b)


def test_merge_dim():
    assert shapes.merge_dim(None, None) is None
    assert shapes.merge_dim(None, 0) == shapes.merge_dim(0, None) == shapes.merge_dim(0, 0) == 0
    with pytest.raises(ValueError, match=exactly("Dimensions must be equal, but are 3 and 2")):
        shapes.merge_dim(3, 2)


def test_what_is_known_of_a_raw_shape():
    assert not any(map(shapes.is_known, (None, (None,), (2, None))))
    assert all(map(shapes.is_known, ((), (2, 0))))
    assert [shapes.element_count(s) for s in (None, (0, None), (), (2, 0), (2, 3))] == [None, None, 1, 0, 6]
    assert [shape_text(s) for s in (None, (), (2,), (2, None))] == ["?", "[]", "[2]", "[2,?]"]


# Dimension


@pytest.mark.parametrize(
    ("compute", "result", "swapped"),
    [
        (operator.add, 9, 9),
        (operator.sub, 5, "Dimension -5 must be >= 0"),
        (operator.mul, 14, 14),
        (operator.floordiv, 3, 0),
        (operator.mod, 1, 2),
    ],
)
def test_dimension_arithmetic(compute, result, swapped):
    for two in (2, np.int64(2), Dimension(2)):
        assert compute(Dimension(7), two).value == result
        assert compute(Dimension(None), two).value is None
    for unknown in (None, Dimension(None)):
        assert compute(Dimension(7), unknown).value is None
        assert compute(unknown, Dimension(7)).value is None
    if isinstance(swapped, str):
        with pytest.raises(ValueError, match=swapped):
            compute(2, Dimension(7))
    else:
        assert compute(2, Dimension(7)).value == swapped
    assert compute(2, Dimension(None)).value is None


def test_dimension_arithmetic_with_what_is_no_size():
    for compute in (operator.add, operator.sub, operator.mul, operator.floordiv):
        with pytest.raises(TypeError, match="unsupported operand"):
            compute(Dimension(7), 2.5)
        with pytest.raises(TypeError, match="unsupported operand"):
            compute(Dimension(7), -1)
    for compute in (operator.mod, operator.lt, operator.ge):
        with pytest.raises(ValueError, match=exactly("Ambiguous dimension: 2.5")):
            compute(Dimension(7), 2.5)
    for compute in (operator.sub, operator.floordiv, operator.mod):
        with pytest.raises(ValueError, match=exactly("Ambiguous dimension: 2.5")):
            compute(2.5, Dimension(7))
    with pytest.raises(ZeroDivisionError):
        Dimension(7) // 0
    assert Dimension(7) * [1] == [1] * 7


@pytest.mark.parametrize(
    ("left", "right", "kinds"),
    [
        (Dimension(7), 2, "'Dimension' and 'int'"),
        (2, Dimension(7), "'int' and 'Dimension'"),
        (Dimension(7), Dimension(None), "'Dimension' and 'Dimension'"),
    ],
)
def test_dimensions_do_not_divide(left, right, kinds):
    message = f"unsupported operand type(s) for /: {kinds}, please use // instead"
    with pytest.raises(TypeError, match=exactly(message)):
        left / right


def test_dimension_comparisons():
    seven, unknown = Dimension(7), Dimension(None)
    assert seven == 7
    assert seven != 2
    assert (seven < 7, seven <= 7, seven > 2, seven >= 8) == (False, True, True, False)
    assert (2 < seven, 2 >= seven) == (True, False)
    assert (seven == "x", seven != "x", unknown == [1], unknown != -1) == (False, True, False, True)
    for compare in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
        for other in (seven, unknown, 7, None):
            assert compare(unknown, other) is None
            assert compare(other, unknown) is None


def test_dimension_conversions():
    five = Dimension(5)
    assert int(five) == operator.index(five) == 5
    assert (str(five), repr(five)) == ("5", "Dimension(5)")
    assert (str(Dimension(None)), repr(Dimension(None))) == ("?", "Dimension(None)")
    assert bool(Dimension(0))
    assert list(range(Dimension(2))) == [0, 1]
    assert np.zeros([Dimension(2), 3]).shape == (2, 3)
    for dimension in (five, Dimension(None)):
        assert pickle.loads(pickle.dumps(dimension)).value == dimension.value
        assert copy.deepcopy(dimension).value == dimension.value
        with pytest.raises(TypeError, match=exactly("unhashable type: 'Dimension'")):
            hash(dimension)
    values = ("7", b"7", 2.0, True, np.array(4), five, None)
    assert [Dimension(value).value for value in values] == [7, 7, 2, 1, 4, 5, None]


@pytest.mark.parametrize(("convert", "name"), [(int, "__int__"), (range, "__index__")])
def test_an_unknown_dimension_says_how_to_get_the_size(convert, name):
    with pytest.raises(TypeError) as caught:
        convert(Dimension(None))
    assert str(caught.value) == (
        f"{name} returned non-int (type NoneType)\n"
        "  Why:   this dimension is unknown while the graph is built\n"
        "  Fix:   tf.shape(x)[i]  # its size when the graph runs"
    )


def test_dimensions_merge_when_compatible():
    five, unknown = Dimension(5), Dimension(None)
    assert five.is_compatible_with(5)
    assert five.is_compatible_with(None)
    assert unknown.is_compatible_with(6)
    assert not five.is_compatible_with(6)
    assert (unknown.merge_with(6).value, five.merge_with(None).value, five.merge_with(5).value) == (6, 5, 5)
    assert unknown.merge_with(None).value is None
    for act in (five.merge_with, five.assert_is_compatible_with):
        with pytest.raises(ValueError, match=exactly("Dimensions 5 and 6 are not compatible")):
            act(6)


# TensorShape


@pytest.mark.parametrize("shape", [UNKNOWN, SOME, KNOWN, TensorShape([])], ids=str)
def test_parts_of_a_shape(shape):
    sizes = raw(shape)
    rank = None if sizes is None else len(sizes)
    assert shape.rank == shape.ndims == rank
    assert bool(shape) is (sizes is not None)
    assert shape.is_fully_defined() is (sizes is not None and None not in sizes)
    assert raw(pickle.loads(pickle.dumps(shape))) == raw(copy.deepcopy(shape)) == sizes
    assert raw(shape.as_proto()) == sizes
    with pytest.raises(TypeError, match=exactly("unhashable type: 'TensorShape'")):
        hash(shape)
    if sizes is not None:
        assert shape.as_list() == list(sizes)
        assert len(shape) == rank
        assert [d.value for d in shape] == [d.value for d in shape.dims] == list(sizes)


def test_a_shape_of_unknown_rank_has_no_parts():
    assert UNKNOWN.dims is None
    for act, message in [
        (UNKNOWN.as_list, "as_list() is not defined on an unknown TensorShape."),
        (UNKNOWN.__len__, "Cannot take the length of shape with unknown rank."),
        (UNKNOWN.__iter__, "Cannot iterate over a shape with unknown rank."),
        (UNKNOWN.assert_is_fully_defined, "Shape <unknown> is not fully defined"),
        (SOME.assert_is_fully_defined, "Shape (2, ?, 3) is not fully defined"),
    ]:
        with pytest.raises(ValueError, match=exactly(message)):
            act()
    assert KNOWN.assert_is_fully_defined() is None
    assert (UNKNOWN.num_elements(), SOME.num_elements(), KNOWN.num_elements()) == (None, None, 6)


def test_repr():
    assert repr(SOME) == "TensorShape([Dimension(2), Dimension(None), Dimension(3)])"
    assert (repr(UNKNOWN), repr(TensorShape([]))) == ("TensorShape(None)", "TensorShape([])")


def test_indexing():
    assert (SOME[0].value, SOME[1].value, SOME[-1].value, SOME[Dimension(0)].value) == (2, None, 3, 2)
    assert (UNKNOWN[0].value, UNKNOWN[-5].value) == (None, None)
    with pytest.raises(IndexError, match=exactly("list index out of range")):
        KNOWN[2]
    assert str(SOME[1:]) == "(?, 3)"
    assert str(SOME[:-1]) == "(2, ?)"
    assert str(SOME[::2]) == "(2, 3)"
    assert str(SOME[Dimension(0) : Dimension(1)]) == "(2,)"


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (slice(None), "<unknown>"),
        (slice(1, None), "<unknown>"),
        (slice(None, -1), "<unknown>"),
        (slice(-2, None), "<unknown>"),
        (slice(1, 3), "(?, ?)"),
        (slice(None, 2), "(?, ?)"),
        (slice(5, 2), "()"),
    ],
)
def test_slices_of_unknown_rank(key, text):
    assert str(UNKNOWN[key]) == text


def test_slices_of_unknown_rank_take_no_step():
    with pytest.raises(ValueError, match=exactly("Steps are not yet handled")):
        UNKNOWN[::2]


@pytest.mark.parametrize(
    ("shape", "rank", "exact", "at_least", "at_most"),
    [
        (UNKNOWN, 2, "(?, ?)", "<unknown>", "<unknown>"),
        (SOME, 3, "(2, ?, 3)", "(2, ?, 3)", "(2, ?, 3)"),
        (
            KNOWN,
            1,
            "Shape (2, 3) must have rank 1",
            "(2, 3)",
            "Shape (2, 3) must have rank at most 1",
        ),
        (
            KNOWN,
            3,
            "Shape (2, 3) must have rank 3",
            "Shape (2, 3) must have rank at least 3",
            "(2, 3)",
        ),
    ],
)
def test_ranks(shape, rank, exact, at_least, at_most):
    def outcome(act):
        try:
            return str(act(rank))
        except ValueError as error:
            return str(error)

    assert outcome(shape.with_rank) == exact
    assert outcome(shape.with_rank_at_least) == at_least
    assert outcome(shape.with_rank_at_most) == at_most
    assert outcome(shape.assert_has_rank) == (exact if exact.startswith("Shape") else "None")


@pytest.mark.parametrize(
    ("a", "b", "merged", "joined", "common"),
    [
        (UNKNOWN, SOME, "(2, ?, 3)", "<unknown>", "<unknown>"),
        (SOME, None, "(2, ?, 3)", "<unknown>", "<unknown>"),
        (SOME, [2, 5, 3], "(2, 5, 3)", "(2, ?, 3, 2, 5, 3)", "(2, ?, 3)"),
        (KNOWN, [None, 3], "(2, 3)", "(2, 3, ?, 3)", "(?, 3)"),
        (KNOWN, [3, 2], "Shapes (2, 3) and (3, 2) are not compatible", "(2, 3, 3, 2)", "(?, ?)"),
        (KNOWN, 3, "Shapes (2, 3) and (3,) are not compatible", "(2, 3, 3)", "<unknown>"),
        (KNOWN, SOME, "Shapes (2, 3) and (2, ?, 3) are not compatible", "(2, 3, 2, ?, 3)", "<unknown>"),
        (KNOWN, PROTO, "(2, 3)", "(2, 3, 2, ?)", "(2, ?)"),
    ],
)
def test_two_shapes(a, b, merged, joined, common):
    fits = not merged.startswith("Shapes")
    assert a.is_compatible_with(b) is fits
    if fits:
        assert str(a.merge_with(b)) == merged
        a.assert_is_compatible_with(b)
    else:
        with pytest.raises(ValueError, match=exactly(merged)):
            a.merge_with(b)
    assert str(a.concatenate(b)) == str(a + b) == joined
    assert str(a.most_specific_compatible_shape(b)) == common


def test_messages_of_assertions_name_the_argument_as_given():
    with pytest.raises(ValueError, match=exactly("Shapes (2, 3) and [3, 2] are incompatible")):
        KNOWN.assert_is_compatible_with([3, 2])
    with pytest.raises(ValueError, match=exactly("Shapes (2, 3) and (4,) must have the same rank")):
        KNOWN.assert_same_rank([4])
    KNOWN.assert_same_rank([4, 5])
    KNOWN.assert_same_rank(None)


def test_a_shape_adds_to_a_list():
    assert str([None] + KNOWN) == "(?, 2, 3)"
    assert str(KNOWN + [None]) == "(2, 3, ?)"
    assert str(2 + KNOWN) == "(2, 2, 3)"


def test_shapes_are_equal_when_known_to_be():
    assert KNOWN == [2, 3]
    assert (2, 3) == KNOWN
    assert KNOWN != [3, 2]
    assert KNOWN != [2, 3, 4]
    assert SOME == SOME
    assert not SOME != SOME
    assert not SOME == TensorShape([2, None, 3])
    assert SOME != TensorShape([2, None, 3])
    assert UNKNOWN == TensorShape(None)
    assert UNKNOWN == None
    assert not UNKNOWN == KNOWN
    assert (KNOWN == "x", KNOWN != "x", KNOWN == object()) == (False, True, False)
    for a, b in ((UNKNOWN, KNOWN), (KNOWN, None), (UNKNOWN, UNKNOWN)):
        with pytest.raises(ValueError, match=exactly("The inequality of unknown TensorShapes is undefined.")):
            a != b
    with pytest.raises(ValueError, match="Ambiguous dimension"):
        KNOWN == 2.5


def test_makers():
    assert str(shapes.unknown_shape()) == "<unknown>"
    assert str(shapes.unknown_shape(2)) == str(shapes.unknown_shape(ndims=2)) == "(?, ?)"
    with pytest.raises(TypeError, match=exactly("Unknown argument: {'foo': 2}")):
        shapes.unknown_shape(foo=2)
    assert [str(shapes.scalar()), str(shapes.vector(None)), str(shapes.matrix(2, None))] == [
        "()",
        "(?,)",
        "(2, ?)",
    ]
    assert shapes.as_shape(KNOWN) is KNOWN
    assert shapes.as_shape([2]) == [2]
    five = Dimension(5)
    assert shapes.as_dimension(five) is five
    assert shapes.as_dimension(5).value == shapes.dimension_value(five) == shapes.dimension_value(5) == 5
    assert shapes.dimension_at_index(SOME, 0).value == 2
    assert shapes.dimension_at_index(UNKNOWN, 0).value is None
    assert raw(TensorShape.of_raw((2, None))) == (2, None)
