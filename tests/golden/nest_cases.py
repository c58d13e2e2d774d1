"""Expressions over ``nest`` whose results and errors test_nest.py compares; runs under TensorFlow and under retrograd."""

import collections

P = collections.namedtuple("P", "a b")
Q = collections.namedtuple("Q", "a b")

EXPRESSIONS = """
nest.flatten({"b": 1, "a": (2, [3, None])})
nest.flatten("abc")
nest.flatten(P(1, {"x": 2}))
nest.flatten([])
nest.flatten({1})
nest.is_nested([1]), nest.is_nested("a"), nest.is_nested({1: 2}.keys()), nest.is_nested(range(3)), nest.is_nested(iter([]))
nest.assert_same_structure([1, 2], [1, [2]])
nest.assert_same_structure([1, 2], [1, 2, 3])
nest.assert_same_structure([1, 2], (1, 2))
nest.assert_same_structure([1, 2], (1, 2), check_types=False)
nest.assert_same_structure(P(1, 2), Q(1, 2))
nest.assert_same_structure(P(1, 2), (1, 2))
nest.assert_same_structure({"a": 1}, {"b": 1})
nest.assert_same_structure({"a": [1]}, {"a": 1})
nest.assert_same_structure([1], 2)
nest.assert_same_structure(1, [2])
nest.assert_same_structure([[1], 2], [[1, 2], 3])
nest.assert_same_structure({"a": 1}, collections.OrderedDict(a=1))
nest.pack_sequence_as([1, [2]], [1, 2, 3])
nest.pack_sequence_as(1, [1, 2])
nest.pack_sequence_as([1], 2)
nest.pack_sequence_as([1, [2]], [1])
nest.pack_sequence_as({"b": 1, "a": 2}, [5, 6])
nest.pack_sequence_as(P(1, (2,)), [5, 6])
list(nest.pack_sequence_as(collections.OrderedDict([("b", 1), ("a", 2)]), [5, 6]).items())
nest.map_structure(3, [1])
nest.map_structure(len)
nest.map_structure(len, [1], foo=1)
nest.map_structure(lambda x, y: x + y, [1, 2], [3, 4])
nest.map_structure(lambda x, y: x + y, [1, 2], (3, 4))
nest.map_structure(lambda x, y: x + y, [1, 2], (3, 4), check_types=False)
nest.map_structure(lambda x: x + 1, 3)
nest.flatten_dict_items({(4, 5, (6, 8)): ("a", "b", ("c", "d"))})
nest.flatten_dict_items({(1, 2): 3})
nest.flatten_dict_items(3)
nest.flatten_dict_items({(1, 1): (3, 4)})
nest.flatten_dict_items({1: (3, 4)})
nest.flatten_up_to([0, 1], [[1, 2], 3])
nest.flatten_up_to([0, [1]], [[1, 2], 3])
nest.flatten_up_to([0], [1, 2])
nest.flatten_up_to((0,), [1])
nest.flatten_up_to({"a": 1}, {"b": 2})
nest.flatten_up_to([[1]], 1)
nest.flatten_up_to(1, [1, 2])
nest.assert_shallow_structure({"a": 1, "b": 2}, {"a": 1, "c": 3})
nest.assert_shallow_structure({"a": 1}, {"a": 1, "c": 3})
nest.assert_shallow_structure([0], (1,), check_types=False)
nest.map_structure_up_to([0, 0], lambda x: x, [[1, 2], (3,)])
nest.flatten_with_joined_string_paths({"a": [1, 2], "b": P(3, 4)})
nest.flatten_with_tuple_paths({"a": [1, 2], "b": P(3, 4)})
list(nest.yield_flat_paths({"a": [1, 2]}))
nest.map_structure_with_paths(lambda p, x: (p, x), {"a": [1, 2]})
nest.map_structure_with_paths(lambda p, x, y: (p, x, y), {"a": [1, 2]}, {"a": [1]})
nest.map_structure_with_tuple_paths(lambda p, x: (p, x), {"a": [1, 2]})
nest.get_traverse_shallow_structure(lambda s: isinstance(s, list), [1, [2, (3,)], (4,)])
nest.get_traverse_shallow_structure(lambda s: [True, False], [[1], [2]])
nest.get_traverse_shallow_structure(lambda s: 3, [[1], [2]])
""".strip().splitlines()


def results(nest):
    """What each expression gives, or its error."""
    found = {}
    for text in EXPRESSIONS:
        try:
            found[text] = repr(eval(text, {"nest": nest, "P": P, "Q": Q, "collections": collections}))
        except Exception as error:
            found[text] = "%s: %s" % (type(error).__name__, error)
    return found
