"""Nested structures: lists, tuples, named tuples, dicts and attrs classes, with anything else as their leaves.

The order of a dict's leaves is that of its sorted keys.
"""

from __future__ import annotations

from collections import abc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from retrograd.graph.composite import CompositeTensor
from retrograd.graph.sparse import IndexedSlices, SparseTensor
from retrograd.graph.tensor import Tensor, TensorLike

Path = tuple[Any, ...]
IsNested = Callable[[Any], bool]

_MAPPING_VIEWS = (abc.KeysView, abc.ItemsView, abc.ValuesView)
_CONTAINERS = (abc.Mapping, abc.Sequence, *_MAPPING_VIEWS)

_STRUCTURES_HAVE_MISMATCHING_LENGTHS = (
    "The two structures don't have the same sequence length. Input structure has length {input_length}, "
    "while shallow structure has length {shallow_length}."
)
_STRUCTURES_HAVE_MISMATCHING_TYPES = (
    "The two structures don't have the same sequence type. Input structure has type {input_type}, "
    "while shallow structure has type {shallow_type}."
)
_SHALLOW_TREE_HAS_INVALID_KEYS = (
    "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the following keys "
    "that are not in the input_tree: {}."
)
_IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ = (
    "If shallow structure is a sequence, input must also be a sequence. Input has type: {}."
)


# -- one level ---------------------------------------------------------------------------------


# what most leaves are, for which nothing else is asked
_LEAVES = frozenset((Tensor, np.ndarray, np.float32, np.float64, float, int, bool, str, bytes, type(None)))


def is_nested(seq: Any) -> bool:
    """Whether a value is a structure and no leaf; strings and arrays are leaves."""
    kind = type(seq)
    if kind is list or kind is tuple or kind is dict:
        return True
    if kind in _LEAVES or isinstance(seq, TensorLike):
        return False
    if isinstance(seq, tuple):
        return True
    return (isinstance(seq, _CONTAINERS) and not isinstance(seq, str | bytes | bytearray)) or _is_attrs(seq)


is_sequence = is_nested


def is_sequence_or_composite(o: Any) -> bool:
    """``is_nested``, or a tensor made of tensors."""
    return is_nested(o) or isinstance(o, CompositeTensor) or _is_composite_spec(o)


def _is_composite_spec(value: Any) -> bool:
    """Whether a value is the spec of a composite tensor: one that has other specs as its parts."""
    return hasattr(type(value), "_component_specs") and value._component_specs is not value


def _is_attrs(value: Any) -> bool:
    return hasattr(type(value), "__attrs_attrs__")


def _is_namedtuple(value: Any) -> bool:
    return isinstance(value, tuple) and isinstance(getattr(value, "_fields", None), tuple)


def _items(structure: Any) -> list[tuple[Any, Any]]:
    """(key, value) of one level: sorted keys, field names, or positions."""
    if isinstance(structure, abc.Mapping):
        return [(key, structure[key]) for key in sorted(structure)]
    if _is_attrs(structure):
        return [(a.name, getattr(structure, a.name)) for a in type(structure).__attrs_attrs__]
    if _is_namedtuple(structure):
        return [(name, getattr(structure, name)) for name in structure._fields]
    if isinstance(structure, SparseTensor):
        return [("indices", structure.indices), ("values", structure.values), ("dense_shape", structure.dense_shape)]
    if isinstance(structure, IndexedSlices):
        parts = [("values", structure.values), ("indices", structure.indices)]
        return parts if structure.dense_shape is None else [*parts, ("dense_shape", structure.dense_shape)]
    if isinstance(structure, CompositeTensor):
        return [(type(structure).__name__, structure._to_components())]
    if _is_composite_spec(structure):
        return [(structure.value_type.__name__, structure._component_specs)]
    return list(enumerate(structure))


def _values(structure: Any) -> list[Any]:
    if type(structure) is list or isinstance(structure, tuple):
        return list(structure)
    return [value for _, value in _items(structure)]


def _like(structure: Any, values: Sequence[Any]) -> Any:
    """A structure of the same kind with these values, given in the order of ``_values``."""
    if isinstance(structure, abc.Mapping):
        by_key = dict(zip(sorted(structure), values, strict=True))
        if hasattr(structure, "default_factory"):
            copy = structure.copy()  # type: ignore[attr-defined]
            copy.update(by_key)
            return copy
        pairs = [(key, by_key[key]) for key in structure]
        return dict(pairs) if type(structure) is dict else type(structure)(pairs)  # type: ignore[call-arg]
    if isinstance(structure, _MAPPING_VIEWS):
        return list(values)
    if _is_attrs(structure) or _is_namedtuple(structure) or isinstance(structure, SparseTensor):
        return type(structure)(*values)
    if isinstance(structure, IndexedSlices):
        return IndexedSlices(*values)
    if isinstance(structure, CompositeTensor):
        return structure._type_spec._from_components(*values)
    if _is_composite_spec(structure):
        return structure._from_components(*values)
    if isinstance(structure, range):
        return list(values)
    return type(structure)(values)


def _test(expand_composites: bool) -> IsNested:
    return is_sequence_or_composite if expand_composites else is_nested


# -- flat and back -----------------------------------------------------------------------------


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves, depth first; a leaf alone gives a list of itself.

    >>> flatten({"b": 1, "a": (2, [3])})
    [2, 3, 1]
    """
    flat: list[Any] = []
    _flatten(structure, _test(expand_composites), flat)
    return flat


def _flatten(structure: Any, nested: IsNested, flat: list[Any]) -> None:
    if nested(structure):
        for value in _values(structure):
            _flatten(value, nested, flat)
    else:
        flat.append(structure)


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """``flat_sequence`` in the shape of ``structure``: the inverse of ``flatten``.

    Raises:
      TypeError: ``flat_sequence`` is no sequence.
      ValueError: it has another number of leaves.

    >>> pack_sequence_as({"b": 1, "a": (2, [3])}, [7, 8, 9])
    {'b': 9, 'a': (7, [8])}
    """
    nested = _test(expand_composites)
    if not nested(flat_sequence):
        raise TypeError("flat_sequence must be a sequence")
    flat = list(flat_sequence)
    if not nested(structure):
        if len(flat) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat)} > 1")
        return flat[0]
    wanted = len(flatten(structure, expand_composites))
    if wanted != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {wanted} elements, but flat_sequence had {len(flat)} elements.  "
            f"Structure: {structure}, flat_sequence: {flat}."
        )
    return _packed(structure, iter(flat), nested)


def _packed(structure: Any, flat: Iterator[Any], nested: IsNested) -> Any:
    if not nested(structure):
        return next(flat)
    return _like(structure, [_packed(value, flat, nested) for value in _values(structure)])


# -- comparing ---------------------------------------------------------------------------------


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raise unless two structures are nested alike.

    Raises:
      ValueError: they differ in nesting, lengths or keys.
      TypeError: with ``check_types``, they differ in the types of their sequences.
    """
    error = difference(nest1, nest2, check_types, _test(expand_composites))
    if error is not None:
        raise type(error)(f"{error}\nEntire first structure:\n{_dots(nest1)}\nEntire second structure:\n{_dots(nest2)}")


def difference(nest1: Any, nest2: Any, check_types: bool, nested: IsNested) -> Exception | None:
    """What is wrong where two structures, whose parts ``nested`` tells from leaves, are not nested alike."""
    found = _difference(nest1, nest2, check_types, nested)
    if found is None:
        return None
    kind, text = found
    return kind(
        "The two structures don't have the same nested structure.\n\n"
        f"First structure: {_typed(nest1)}\n\nSecond structure: {_typed(nest2)}\n\n"
        f"More specifically: {text}"
    )


def _typed(value: Any) -> str:
    return f"type={type(value).__name__} str={value}"


def _dots(structure: Any) -> str:
    return str(map_structure(lambda _: _DOT, structure))


class _Dot:
    def __repr__(self) -> str:
        return "."


_DOT = _Dot()


def _difference(a: Any, b: Any, check_types: bool, nested: IsNested) -> tuple[type[Exception], str] | None:
    if nested(a) != nested(b):
        inside, leaf = (a, b) if nested(a) else (b, a)
        return ValueError, f'Substructure "{_typed(inside)}" is a sequence, while substructure "{_typed(leaf)}" is not'
    if not nested(a):
        return None
    specs = _spec(a), _spec(b)
    alike = None not in specs and (not check_types or type(specs[0]) is type(specs[1]))
    if alike:
        return _spec_difference(*specs)
    if check_types and not _same_kind(a, b):
        return TypeError, (
            f"The two namedtuples don't have the same sequence type. First structure {_typed(a)} has type "
            f"{type(a).__name__}, while second structure {_typed(b)} has type {type(b).__name__}"
        )
    if check_types and isinstance(a, abc.Mapping) and set(a) != set(b):
        return ValueError, (
            "The two dictionaries don't have the same set of keys. First structure has keys "
            f"{_typed(list(a))}, while second structure has keys {_typed(list(b))}"
        )
    ours, theirs = _values(a), _values(b)
    for x, y in zip(ours, theirs, strict=False):
        found = _difference(x, y, check_types, nested)
        if found is not None:
            return found
    if len(ours) != len(theirs):
        return ValueError, (
            "The two structures don't have the same number of elements. "
            f"First structure: {_typed(a)}. Second structure: {_typed(b)}"
        )
    return None


def _spec(value: Any) -> Any:
    """The spec that a composite tensor has or that ``value`` is; None for other structures."""
    if isinstance(value, CompositeTensor):
        return value._type_spec
    return value if _is_composite_spec(value) else None


def _spec_difference(a: Any, b: Any) -> tuple[type[Exception], str] | None:
    try:
        a.most_specific_compatible_type(b)
    except (TypeError, ValueError):
        return ValueError, f"Incompatible CompositeTensor TypeSpecs: {_typed(a)} vs. {_typed(b)}"
    return None


def _same_kind(a: Any, b: Any) -> bool:
    if _is_namedtuple(a) and _is_namedtuple(b):
        return type(a).__name__ == type(b).__name__ and a._fields == b._fields
    return type(a) is type(b) or any(isinstance(a, kind) and isinstance(b, kind) for kind in (abc.Mapping, list))


# -- mapping -----------------------------------------------------------------------------------


def _options(kwargs: dict[str, Any]) -> tuple[bool, bool]:
    options = {
        "check_types": kwargs.pop("check_types", True),
        "expand_composites": kwargs.pop("expand_composites", False),
    }
    if kwargs:
        raise ValueError(
            f"Only valid keyword arguments are `check_types` and `expand_composites`, not: `{'`, `'.join(kwargs)}`"
        )
    return options["check_types"], options["expand_composites"]


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """``func`` of the corresponding leaves of structures that are nested alike, in that structure.

    ``check_types=False`` lets the types of their sequences differ.

    >>> map_structure(lambda x, y: x + y, {"a": [1, 2]}, {"a": [3, 4]})
    {'a': [4, 6]}
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types, expand = _options(kwargs)
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types=check_types, expand_composites=expand)
    leaves = [flatten(s, expand) for s in structure]
    return pack_sequence_as(structure[0], [func(*row) for row in zip(*leaves, strict=True)], expand)


def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """``map_structure`` whose function takes the path of a leaf, joined by ``/``, before the leaves."""
    return map_structure_with_tuple_paths(
        lambda path, *leaves: func("/".join(str(p) for p in path), *leaves), *structure, **kwargs
    )


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """``map_structure`` whose function takes the path of a leaf, a tuple of keys, before the leaves."""
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


# -- paths -------------------------------------------------------------------------------------


def flatten_with_tuple_paths(structure: Any, expand_composites: bool = False) -> list[tuple[Path, Any]]:
    """(path, leaf) of each leaf; a path is the tuple of keys, names and positions that lead there."""
    return list(_paths(structure, structure, _test(expand_composites), ()))


def yield_flat_paths(nest: Any, expand_composites: bool = False) -> Iterator[Path]:
    """The path of each leaf."""
    for path, _ in flatten_with_tuple_paths(nest, expand_composites):
        yield path


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """(path, leaf) of each leaf, the path in one string."""
    pairs = flatten_with_tuple_paths(structure, expand_composites)
    return [(separator.join(str(p) for p in path), leaf) for path, leaf in pairs]


def _paths(shallow: Any, tree: Any, nested: IsNested, path: Path) -> Iterator[tuple[Path, Any]]:
    """(path, part of ``tree``) where ``shallow`` has its leaves."""
    if not nested(shallow):
        yield path, tree
        return
    by_key = dict(_items(tree))
    same_keys = isinstance(shallow, abc.Mapping)
    values = list(by_key.items())
    for i, (key, inner) in enumerate(_items(shallow)):
        key, value = (key, by_key[key]) if same_keys else values[i]
        yield from _paths(inner, value, nested, (*path, key))


# -- up to the leaves of a shallower structure -------------------------------------------------


def assert_shallow_structure(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Raise unless ``shallow_tree`` is the upper part of ``input_tree``.

    Raises:
      TypeError: it has a sequence where the other has a leaf, or with ``check_types`` another type of sequence.
      ValueError: lengths or keys differ.
    """
    nested = _test(expand_composites)
    if not nested(shallow_tree):
        return
    if not nested(input_tree):
        raise TypeError(_IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ.format(type(input_tree)))
    if check_types and not _same_kind(shallow_tree, input_tree) and not isinstance(shallow_tree, type(input_tree)):
        raise TypeError(
            _STRUCTURES_HAVE_MISMATCHING_TYPES.format(input_type=type(input_tree), shallow_type=type(shallow_tree))
        )
    ours, theirs = _items(shallow_tree), _items(input_tree)
    if check_subtrees_length and len(ours) != len(theirs):
        raise ValueError(
            _STRUCTURES_HAVE_MISMATCHING_LENGTHS.format(input_length=len(theirs), shallow_length=len(ours))
        )
    if len(ours) > len(theirs):
        raise ValueError(
            "The input_tree has fewer elements than the shallow_tree. "
            f"Input structure has length {len(theirs)}, while shallow structure has length {len(ours)}."
        )
    pairs: Any = zip((v for _, v in ours), (v for _, v in theirs), strict=False)
    if isinstance(shallow_tree, abc.Mapping):
        absent = set(shallow_tree) - set(input_tree)
        if absent:
            raise ValueError(_SHALLOW_TREE_HAS_INVALID_KEYS.format(sorted(absent)))
        pairs = [(value, input_tree[key]) for key, value in ours]
    for mine, other in pairs:
        assert_shallow_structure(mine, other, check_types, expand_composites, check_subtrees_length)


def flatten_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """The parts of ``input_tree`` where ``shallow_tree`` has its leaves.

    >>> flatten_up_to([0, 0], [[1, 2], 3])
    [[1, 2], 3]
    """
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length)
    return [value for _, value in _paths(shallow_tree, input_tree, _test(expand_composites), ())]


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[tuple[Path, Any]]:
    """``flatten_up_to`` with the path of each part."""
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length)
    return list(_paths(shallow_tree, input_tree, _test(expand_composites), ()))


def map_structure_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any) -> Any:
    """``func`` of the parts of ``inputs`` where ``shallow_tree`` has its leaves, in that structure."""
    return map_structure_with_tuple_paths_up_to(shallow_tree, lambda _, *values: func(*values), *inputs, **kwargs)


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """``map_structure_up_to`` whose function takes the path of a part before the parts.

    Raises:
      ValueError: there are no ``inputs``.
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    check_types = kwargs.pop("check_types", True)
    expand = kwargs.pop("expand_composites", False)
    rows = [flatten_up_to(shallow_tree, tree, check_types, expand) for tree in inputs]
    paths = [path for path, _ in _paths(shallow_tree, inputs[0], _test(expand), ())]
    results = [func(path, *values) for path, *values in zip(paths, *rows, strict=True)]
    return pack_sequence_as(shallow_tree, results, expand)


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """A structure of bools: how far down ``traverse_fn`` wants to go.

    ``traverse_fn`` answers for a part with a bool, or with a structure of bools for what is in it.

    Raises:
      TypeError: it answers with anything else, or traverses a leaf.
    """
    nested = _test(expand_composites)
    wanted = traverse_fn(structure)
    if not nested(structure):
        if not isinstance(wanted, bool):
            raise TypeError(f"traverse_fn returned structure: {wanted} for non-structure: {structure}")
        return wanted
    if nested(wanted):
        assert_shallow_structure(wanted, structure, expand_composites=expand_composites)
        if not all(isinstance(want, bool) for want in _values(wanted)):
            raise TypeError(
                f"traverse_fn didn't return a depth=1 structure of bools.  structure: {structure},   "
                f"traverse_fn output: {wanted}"
            )
        parts = [
            get_traverse_shallow_structure(traverse_fn, value, expand_composites) if want else False
            for want, value in zip(flatten_up_to(wanted, wanted), flatten_up_to(wanted, structure), strict=True)
        ]
        return pack_sequence_as(wanted, parts)
    if not isinstance(wanted, bool):
        raise TypeError(f"traverse_fn returned a non-bool scalar: {wanted} for input: {structure}")
    if not wanted:
        return False
    return _like(
        structure, [get_traverse_shallow_structure(traverse_fn, v, expand_composites) for v in _values(structure)]
    )


def flatten_dict_items(dictionary: Any) -> dict[Any, Any]:
    """A dict whose keys, and values with them, were nested alike, as a flat one.

    >>> flatten_dict_items({(4, (5, 6)): ("a", ("b", "c"))})
    {4: 'a', 5: 'b', 6: 'c'}

    Raises:
      TypeError: ``dictionary`` is none.
      ValueError: a key and its value are not nested alike, or a key comes twice.
    """
    if not isinstance(dictionary, abc.Mapping):
        raise TypeError("input must be a dictionary")
    flat: dict[Any, Any] = {}
    for key, value in dictionary.items():
        if not is_nested(key):
            keys, values = [key], [value]
        else:
            keys, values = flatten(key), flatten(value)
            if len(keys) != len(values):
                raise ValueError(
                    f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} "
                    f"elements. Key: {keys}, value: {values}."
                )
        for one, item in zip(keys, values, strict=True):
            if one in flat:
                raise ValueError(f"Could not flatten dictionary: key {one} is not unique.")
            flat[one] = item
    kind: Any = type(dictionary)
    return flat if kind is dict else kind(flat)
