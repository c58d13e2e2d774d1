"""Ops of ``tf.contrib.labeled_tensor`` that change axes: selections, joins, shapes, reductions, products, batches.

Source: TensorFlow 1.15.5, ``contrib/labeled_tensor/python/ops``: names of nodes, messages.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from retrograd.contrib.labels import (
    Axes,
    Axis,
    AxisOrderError,
    LabeledTensor,
    as_axis,
    concat_axes,
    convert_to_labeled_tensor,
    get_axis_order,
    identity,
    slice_,
    transpose,
)
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.nn import functional
from retrograd.ops import (
    arrays,
    asserts,
    casts,
    comparison,
    constants,
    indexing,
    joining,
    matrices,
    padding,
    parsing,
    random,
    reductions,
    repeating,
)
from retrograd.ops import example_features as features_of
from retrograd.train import input as queues


def select(labeled_tensor: Any, selection: Mapping[str, Any], name: str | None = None) -> LabeledTensor:
    """What stands at labels: ``selection`` has a label, a slice of labels (with its end) or a list for names of axes.

    Raises:
      ValueError: no such axis, or one without labels.
      NotImplementedError: a step, two lists, or a list beside anything else.
    """
    with name_scope(name, "lt_select", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        slices: dict[str, Any] = {}
        lists: dict[str, list[int]] = {}
        for axis_name, value in selection.items():
            if axis_name not in x.axes:
                raise ValueError(
                    f"The tensor does not have an axis named {axis_name}. Its axes are: {x.axes.keys()!r}"
                )  # fmt: skip
            axis = x.axes[axis_name]
            if axis.labels is None:
                raise ValueError(f"The axis named {axis_name} does not have labels. The axis is: {axis!r}")
            if isinstance(value, slice):
                slices[axis_name] = _slice_of_labels(axis, value)
            elif isinstance(value, Hashable):
                slices[axis_name] = axis.index(value)
            elif isinstance(value, list):
                if lists:
                    raise NotImplementedError(
                        "select does not yet support more than one list selection at the same time"
                    )  # fmt: skip
                lists[axis_name] = [axis.index(label) for label in value]
            else:
                raise TypeError("cannot handle arbitrary types")
        if lists and slices:
            raise NotImplementedError("select does not yet support combined scalar and list selection")
        if not lists:
            return slice_(x, slices, name=scope)
        ((axis_name, places),) = lists.items()
        first = [axis_name, *x.axes.remove(axis_name)]
        rows = indexing.gather(transpose(x, first).tensor, as_tensor(places, dtypes.int64))
        axes = [Axis(axis_name, selection[axis_name]), *x.axes.remove(axis_name).values()]
        return transpose(LabeledTensor(rows, axes), list(x.axes), name=scope)


def _slice_of_labels(axis: Axis, value: slice) -> slice:
    if value.step is not None:
        raise NotImplementedError("slicing with a step is not yet supported")
    start = None if value.start is None else axis.index(value.start)
    return slice(start, None if value.stop is None else axis.index(value.stop) + 1)


def concat(labeled_tensors: Any, axis_name: str, name: str | None = None) -> LabeledTensor:
    """Tensors behind each other along an axis; the others are equal.

    Raises:
      ValueError: no tensors, no such axis, or axes that differ.
    """
    with name_scope(name, "lt_concat", labeled_tensors) as scope:
        xs = [convert_to_labeled_tensor(x) for x in labeled_tensors]
        if not xs:
            raise ValueError(f"concat expects at least 1 tensor, but received {labeled_tensors}")
        names = list(xs[0].axes)
        if axis_name not in names:
            raise ValueError(f"{axis_name} not in {names}")
        shared = xs[0].axes.remove(axis_name)
        for x in xs[1:]:
            others = x.axes.remove(axis_name)
            if others != shared:
                raise ValueError(
                    f"Mismatched shared axes: the first tensor had axes {shared!r} but this tensor has axes {others!r}."
                )
        place = names.index(axis_name)
        joined = joining.concat([x.tensor for x in xs], place, name=scope)
        axes = list(shared.values())
        axes.insert(place, concat_axes([x.axes[axis_name] for x in xs]))
        return LabeledTensor(joined, axes)


def pack(labeled_tensors: Any, new_axis: Any, axis_position: int = 0, name: str | None = None) -> LabeledTensor:
    """Tensors of equal axes side by side along a new one."""
    with name_scope(name, "lt_pack", labeled_tensors) as scope:
        xs = [convert_to_labeled_tensor(x) for x in labeled_tensors]
        if not xs:
            raise ValueError(f"pack expects at least 1 tensors, but received {labeled_tensors}")
        for x in xs:
            if x.axes != xs[0].axes:
                raise ValueError(f"Non-identical axes. Expected {xs[0].axes} but got {x.axes}")
        axes: list[Any] = list(xs[0].axes.values())
        axes.insert(axis_position, new_axis)
        return LabeledTensor(joining.stack([x.tensor for x in xs], axis=axis_position, name=scope), axes)


def unpack(labeled_tensor: Any, axis_name: str | None = None, name: str | None = None) -> list[LabeledTensor]:
    """The parts along an axis, by default the first."""
    with name_scope(name, "lt_unpack", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        names = list(x.axes)
        axis_name = names[0] if axis_name is None else axis_name
        if axis_name not in names:
            raise ValueError(f"{axis_name} not in {names}")
        parts = joining.unstack(x.tensor, axis=names.index(axis_name), name=scope)
        return [LabeledTensor(part, x.axes.remove(axis_name)) for part in parts]


def reshape(labeled_tensor: Any, existing_axes: Any, new_axes: Any, name: str | None = None) -> LabeledTensor:
    """Some axes that stand together in the place of others.

    Raises:
      ValueError: no such axes, several of unknown sizes, or (as AxisOrderError) not together and in this order.
    """
    with name_scope(name, "lt_reshape", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        names, existing = list(x.axes), list(existing_axes)
        if not set(existing) <= set(names):
            raise ValueError(
                f"existing_axes {existing!r} are not contained in the set of axis names {names!r} on the input labeled "
                "tensor"
            )
        start = names.index(existing[0])
        stop = names.index(existing[-1]) + 1
        if existing != names[start:stop]:
            raise AxisOrderError(
                f"existing_axes {existing!r} are not a slice of axis names {names!r} on the input labeled tensor. Use "
                "`transpose` or `impose_axis_order` to reorder axes on the input explicitly."
            )
        if sum(isinstance(axis, str) for axis in new_axes) > 1:
            raise ValueError(
                "at most one axis in new_axes can have unknown size. All other axes must have an indicated integer "
                f"size or labels: {new_axes!r}"
            )
        made = [axis if isinstance(axis, str) else as_axis(axis) for axis in new_axes]
        axes = list(x.axes.values())
        sizes = [-1 if isinstance(axis, str) or axis.size is None else axis.size for axis in made]
        unknown = [-1 if axis.size is None else axis.size for axis in axes]
        shape = unknown[:start] + sizes + unknown[stop:]
        return LabeledTensor(arrays.reshape(x.tensor, shape, name=scope), [*axes[:start], *made, *axes[stop:]])


def rename_axis(labeled_tensor: Any, existing_name: str, new_name: str, name: str | None = None) -> LabeledTensor:
    """An axis under another name."""
    with name_scope(name, "lt_rename_axis", [labeled_tensor]) as scope:
        if existing_name not in labeled_tensor.axes:
            raise ValueError(
                f"existing_name {existing_name!r} are not contained in the set of axis names "
                f"{labeled_tensor.axes.keys()!r} on the input labeled tensor"
            )
        axis = Axis(new_name, labeled_tensor.axes[existing_name].value)
        return reshape(labeled_tensor, [existing_name], [axis], name=scope)


def _batched(
    default: str, name: str | None, labeled_tensors: Any, size: Any, are_many: bool, build: Callable[..., Any]
) -> list[LabeledTensor]:
    """Batches of tensors: an axis called batch goes before theirs, or stands in the place of the one that they have."""
    with name_scope(name, default, labeled_tensors) as scope:
        xs = [convert_to_labeled_tensor(x) for x in labeled_tensors]
        found = build([x.tensor for x in xs], scope)
        made = []
        for tensor, x in zip(found if isinstance(found, list) else [found], xs, strict=True):
            if are_many and next(iter(x.axes), None) != "batch":
                raise ValueError(
                    'When enqueue_many is True, input tensors must have an axis called "batch" as their first '
                    f"dimension, but axes were {x.axes}"
                )
            rest = x.axes.remove("batch") if are_many else x.axes
            made.append(LabeledTensor(tensor, [("batch", size), *rest.values()]))
        return made


def batch(
    labeled_tensors: Any,
    batch_size: int,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    allow_smaller_final_batch: bool = False,
    name: str | None = None,
) -> list[LabeledTensor]:
    """``tf.train.batch``, with an axis called batch."""

    def build(tensors: Any, scope: str) -> Any:
        return queues.batch(
            tensors, batch_size=batch_size, num_threads=num_threads, capacity=capacity, enqueue_many=enqueue_many,
            allow_smaller_final_batch=allow_smaller_final_batch, name=scope,
        )  # fmt: skip

    size = None if allow_smaller_final_batch else batch_size
    return _batched("lt_batch", name, labeled_tensors, size, enqueue_many, build)


def shuffle_batch(
    labeled_tensors: Any,
    batch_size: int,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    min_after_dequeue: int = 0,
    seed: int | None = None,
    allow_smaller_final_batch: bool = False,
    name: str | None = None,
) -> list[LabeledTensor]:
    """``tf.train.shuffle_batch``, with an axis called batch."""

    def build(tensors: Any, scope: str) -> Any:
        return queues.shuffle_batch(
            tensors, batch_size=batch_size, num_threads=num_threads, capacity=capacity, enqueue_many=enqueue_many,
            min_after_dequeue=min_after_dequeue, seed=seed, allow_smaller_final_batch=allow_smaller_final_batch,
            name=scope,
        )  # fmt: skip

    size = None if allow_smaller_final_batch else batch_size
    return _batched("lt_shuffle_batch", name, labeled_tensors, size, enqueue_many, build)


def random_crop(
    labeled_tensor: Any, shape_map: Mapping[str, int], seed: int | None = None, name: str | None = None
) -> LabeledTensor:
    """A random part, of the sizes that ``shape_map`` has for names of axes."""
    with name_scope(name, "lt_random_crop", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        for axis_name in shape_map:
            if axis_name not in x.axes:
                raise ValueError(f"Selection axis {axis_name} not in axes {x.axes}")
        axes = [Axis(n, shape_map[n]) if n in shape_map else axis for n, axis in x.axes.items()]
        return LabeledTensor(random.random_crop(x.tensor, [len(a) for a in axes], seed=seed, name=scope), axes)


def map_fn(fn: Callable[[LabeledTensor], LabeledTensor], labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """``fn`` of each part along the first axis, put together again."""
    with name_scope(name, "lt_map_fn", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        first, *rest = x.axes.values()
        parts = unpack(x)
        if x.dtype == dtypes.string:
            return pack([fn(part) for part in parts], first, name=scope)
        like = fn(parts[0])
        mapped = functional.map_fn(lambda part: fn(LabeledTensor(part, rest)).tensor, x.tensor, dtype=like.dtype)
        return identity(LabeledTensor(mapped, [first, *like.axes.values()]), name=scope)


def foldl(
    fn: Callable[[LabeledTensor, LabeledTensor], LabeledTensor],
    labeled_tensor: Any,
    initial_value: Any,
    name: str | None = None,
) -> LabeledTensor:
    """``fn(so far, part)`` through the parts along the first axis."""
    with name_scope(name, "lt_foldl", [labeled_tensor, initial_value]) as scope:
        x, start = convert_to_labeled_tensor(labeled_tensor), convert_to_labeled_tensor(initial_value)
        rest = list(x.axes.values())[1:]

        def step(so_far: Any, part: Any) -> Any:
            return fn(LabeledTensor(so_far, start.axes), LabeledTensor(part, rest)).tensor

        folded = functional.foldl(step, x.tensor, initializer=start.tensor)
        return identity(LabeledTensor(folded, start.axes), name=scope)


def squeeze(labeled_tensor: Any, axis_names: Any = None, name: str | None = None) -> LabeledTensor:
    """Without axes of size 1: all, or those of ``axis_names``."""
    with name_scope(name, "lt_squeeze", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        gone = [a.name for a in x.axes.values() if len(a) == 1] if axis_names is None else list(axis_names)
        for axis_name in gone:
            if axis_name not in x.axes:
                raise ValueError(f"axis {axis_name} is not in tensor axes {x.axes}")
            if len(x.axes[axis_name]) != 1:
                raise ValueError(
                    f"cannot squeeze axis with size greater than 1: ({axis_name}, {x.axes[axis_name]})"
                )  # fmt: skip
        places = [i for i, axis_name in enumerate(x.axes) if axis_name in gone]
        y = arrays.squeeze(x.tensor, places, name=scope) if places else arrays.identity(x.tensor, name=scope)
        return LabeledTensor(y, [axis for n, axis in x.axes.items() if n not in gone])


def matmul(a: Any, b: Any, name: str | None = None) -> LabeledTensor:
    """The product of matrices or vectors: the sum over the axis that both have.

    Raises:
      ValueError: not one axis in common, or one that differs; single numbers.
      NotImplementedError: more than two axes.
    """
    with name_scope(name, "lt_matmul", [a, b]) as scope:
        a, b = convert_to_labeled_tensor(a), convert_to_labeled_tensor(b)
        ranks = f"{len(a.axes)!r} and {len(b.axes)!r}"
        if max(len(a.axes), len(b.axes)) > 2:
            raise NotImplementedError(
                f"matmul currently requires inputs with rank 2 or less, but inputs have ranks {ranks}"
            )
        if not a.axes or not b.axes:
            raise ValueError(f"matmul currently requires inputs with at least rank 1, but inputs have ranks {ranks}")
        shared = set(a.axes) & set(b.axes)
        if len(shared) > 1:
            raise NotImplementedError(
                f"matmul does not yet support summing over multiple shared axes: {shared!r}. Use transpose and reshape "
                "to create a single shared axis to sum over."
            )
        if not shared:
            raise ValueError(
                f"there must have exactly one axis in common between input to matmul: {a.axes.keys()!r}, "
                f"{b.axes.keys()!r}"
            )
        (over,) = shared
        if a.axes[over] != b.axes[over]:
            raise ValueError(
                f"axis {over!r} does not match on input arguments: {a.axes[over].value!r} vs {b.axes[over].value!r}"
            )
        axes = [axis for x in (a, b) for axis in x.axes.values() if axis.name != over]
        order = get_axis_order()
        names = [axis.name for axis in axes]
        if order is not None and [n for n in order if n in names] != names:
            a, b, axes = b, a, axes[::-1]
        left = a.tensor if len(a.axes) == 2 else arrays.reshape(a.tensor, (1, -1))
        right = b.tensor if len(b.axes) == 2 else arrays.reshape(b.tensor, (-1, 1))
        product = matrices.matmul(
            left, right,
            transpose_a=len(a.axes) == 2 and next(iter(a.axes)) == over,
            transpose_b=len(b.axes) == 2 and list(b.axes)[1] == over,
        )  # fmt: skip
        flat = [i for i, x in enumerate((a, b)) if len(x.axes) == 1]
        product = arrays.squeeze(product, flat) if flat else product
        return LabeledTensor(arrays.identity(product, name=scope), axes)


def define_reduce_op(op_name: str, reduce_fn: Callable[..., Any]) -> Callable[..., LabeledTensor]:
    """A reduction over axes, by name; as (name, label) an axis stays, with that label."""

    def op(labeled_tensor: Any, axes: Any = None, name: str | None = None) -> LabeledTensor:
        with name_scope(name, f"lt_{op_name}", [labeled_tensor]) as scope:
            x = convert_to_labeled_tensor(labeled_tensor)
            axes = list(x.axes) if axes is None else [axes] if isinstance(axes, str | tuple) else list(axes)
            stay: dict[str, Any] = {}
            for axis in axes:
                if isinstance(axis, str):
                    stay[axis] = axis
                else:
                    axis_name, label = axis
                    stay[axis_name] = (axis_name, None if label is None else [label])
            for axis_name in stay:
                if axis_name not in x.axes:
                    raise ValueError(f"Axis {axis_name} not in axes {x.axes}")
            places = [i for i, axis_name in enumerate(x.axes) if axis_name in stay]
            reduced = reduce_fn(x.tensor, places, keepdims=True)
            kept = LabeledTensor(reduced, [stay.get(n, axis) for n, axis in x.axes.items()])
            return squeeze(kept, [axis for axis in axes if isinstance(axis, str)], name=scope)

    op.__name__, op.__doc__ = op_name, f"``tf.{op_name}`` over axes, by default all."
    return op


reduce_all = define_reduce_op("reduce_all", reductions.reduce_all)
reduce_any = define_reduce_op("reduce_any", reductions.reduce_any)
reduce_logsumexp = define_reduce_op("reduce_logsumexp", reductions.reduce_logsumexp)
reduce_max = define_reduce_op("reduce_max", reductions.reduce_max)
reduce_mean = define_reduce_op("reduce_mean", reductions.reduce_mean)
reduce_min = define_reduce_op("reduce_min", reductions.reduce_min)
reduce_prod = define_reduce_op("reduce_prod", reductions.reduce_prod)
reduce_sum = define_reduce_op("reduce_sum", reductions.reduce_sum)


def tile(labeled_tensor: Any, multiples: Mapping[str, Any], name: str | None = None) -> LabeledTensor:
    """Repeated along axes without labels."""
    with name_scope(name, "lt_tile", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        if not set(multiples) <= set(x.axes):
            raise ValueError(
                f"tile axes {list(multiples)!r} are not contained in the set of axis names {x.axes!r} on the input "
                "labeled tensor"
            )
        labeled = [n for n in multiples if x.axes[n].labels is not None]
        if labeled:
            raise ValueError(f"cannot tile axes with tick labels: {labeled!r}")
        y = repeating.tile(x.tensor, [multiples.get(n, 1) for n in x.axes], name=scope)
        return LabeledTensor(y, [n if axis.labels is None else axis for n, axis in x.axes.items()])


def pad(
    labeled_tensor: Any, paddings: Mapping[str, Any], mode: str = "CONSTANT", name: str | None = None
) -> LabeledTensor:
    """With further places before and behind: ``paddings`` has (sizes or labels before, behind) for names of axes."""
    with name_scope(name, "lt_pad", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        if not set(paddings) <= set(x.axes):
            raise ValueError(
                f"pad axes {list(paddings)!r} are not contained in the set of axis names {x.axes!r} on the input "
                "labeled tensor"
            )
        around = {n: [Axis(n, value) for value in paddings.get(n, (0, 0))] for n in x.axes}
        axes = [
            concat_axes([around[n][0], axis, around[n][1]]) if n in paddings else axis for n, axis in x.axes.items()
        ]
        sizes = [tuple(len(axis) for axis in around[n]) for n in x.axes]
        return LabeledTensor(padding.pad(x.tensor, sizes, mode, name=scope), axes)


def constant(value: Any, dtype: Any = None, axes: Any = None, name: str | None = None) -> LabeledTensor:
    """A constant; one element stands for all where the sizes of axes are given."""
    with name_scope(name, "lt_constant", [value]) as scope:
        given = list(axes.values()) if isinstance(axes, Axes) else list(axes or [])
        shape = None
        if not any(isinstance(axis, str) for axis in given):
            given = [as_axis(axis) for axis in given]
            shape = [axis.size for axis in given]
        return LabeledTensor(constants.constant(value, dtype=dtype, shape=shape, name=scope), given)


def zeros_like(labeled_tensor: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """Zeros with the same axes."""
    with name_scope(name, "lt_zeros_like", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        return LabeledTensor(constants.zeros_like(x.tensor, dtype=dtype, name=scope), x.axes)


def ones_like(labeled_tensor: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """Ones with the same axes."""
    with name_scope(name, "lt_ones_like", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        return LabeledTensor(constants.ones_like(x.tensor, dtype=dtype, name=scope), x.axes)


def cast(labeled_tensor: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """The same of another dtype."""
    with name_scope(name, "lt_cast", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        return LabeledTensor(casts.cast(x.tensor, dtype=dtype, name=scope), x.axes)


def verify_tensor_all_finite(labeled_tensor: Any, message: str, name: str | None = None) -> LabeledTensor:
    """The same, once it has neither infinities nor NaNs."""
    with name_scope(name, "lt_verify_tensor_all_finite", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        return LabeledTensor(asserts.verify_tensor_all_finite(x.tensor, msg=message, name=scope), x.axes)


def boolean_mask(labeled_tensor: Any, mask: Any, name: str | None = None) -> LabeledTensor:
    """The parts along the first axis where a mask of that axis holds; the axis loses its labels.

    Raises:
      NotImplementedError: a mask of several axes.
      ValueError: a mask of another axis.
    """
    with name_scope(name, "lt_boolean_mask", [labeled_tensor, mask]) as scope:
        x, m = convert_to_labeled_tensor(labeled_tensor), convert_to_labeled_tensor(mask)
        if len(m.axes) > 1:
            raise NotImplementedError("LabeledTensor's boolean_mask currently only supports 1D masks")
        of_mask, (first, *rest) = next(iter(m.axes.values())), x.axes.values()
        if of_mask != first:
            raise ValueError(
                f"the first axis of the labeled tensor and the mask are not equal:\n{first!r}\n{of_mask!r}"
            )
        return LabeledTensor(indexing.boolean_mask(x.tensor, m.tensor, name=scope), [first.name, *rest])


def where(condition: Any, x: Any, y: Any, name: str | None = None) -> LabeledTensor:
    """``x`` where a condition holds, else ``y``, all of equal axes."""
    with name_scope(name, "lt_where", [condition, x, y]) as scope:
        condition, x, y = (convert_to_labeled_tensor(each) for each in (condition, x, y))
        if not condition.axes == x.axes == y.axes:
            raise ValueError("all inputs to `where` must have equal axes")
        return LabeledTensor(comparison.where(condition.tensor, x.tensor, y.tensor, name=scope), x.axes)


# -- input -----------------------------------------------------------------------------------------


class FixedLenFeature:
    """A feature of examples, with axes of known sizes."""

    def __init__(self, axes: Any, dtype: Any, default_value: Any = None) -> None:
        self._axes, self._dtype, self._default_value = [as_axis(axis) for axis in axes], dtype, default_value

    @property
    def axes(self) -> list[Axis]:
        """Its axes."""
        return self._axes

    @property
    def dtype(self) -> Any:
        """Its dtype."""
        return self._dtype

    @property
    def default_value(self) -> Any:
        """What an example without it has."""
        return self._default_value


def _without_labels(features: Mapping[str, FixedLenFeature]) -> dict[str, Any]:
    made = {}
    for name, feature in features.items():
        shape = [axis.size for axis in feature.axes]
        if None in shape:
            raise ValueError("axes with unknown size are not supported")
        made[name] = features_of.FixedLenFeature(shape, feature.dtype, feature.default_value)
    return made


def parse_example(
    serialized: Any, features: Mapping[str, FixedLenFeature], name: str | None = None, example_names: Any = None
) -> dict[str, LabeledTensor]:
    """The features of serialized examples, with the axes of these before theirs."""
    x = convert_to_labeled_tensor(serialized)
    found = parsing.parse_example(x.tensor, _without_labels(features), name, example_names)
    return {n: LabeledTensor(value, [*x.axes.values(), *features[n].axes]) for n, value in found.items()}


def parse_single_example(
    serialized: Any, features: Mapping[str, FixedLenFeature], name: str | None = None, example_names: Any = None
) -> dict[str, LabeledTensor]:
    """The features of one serialized example."""
    x = convert_to_labeled_tensor(serialized)
    found = parsing.parse_single_example(x.tensor, _without_labels(features), name, example_names)
    return {n: LabeledTensor(value, features[n].axes) for n, value in found.items()}


def placeholder(dtype: Any, axes: Any, name: str | None = None) -> LabeledTensor:
    """A placeholder; an axis that is a name alone has an unknown size."""
    with name_scope(name, "lt_placeholder", []) as scope:
        made = Axes([(axis, None) if isinstance(axis, str) else axis for axis in axes])
        return LabeledTensor(constants.placeholder(dtype, [a.size for a in made.values()], name=scope), made)


class ReshapeCoder:
    """Brings axes together by ``encode`` and back by ``decode``."""

    def __init__(self, existing_axis_names: Any, new_axes: Any, name: str | None = None) -> None:
        self._existing_names, self._new_axes, self._name = existing_axis_names, new_axes, name
        self._existing_axes: list[Axis] | None = None

    def encode(self, labeled_tensor: Any) -> LabeledTensor:
        """The new axes in the place of those that there are, which are kept for ``decode``.

        Raises:
          ValueError: other axes than the last time.
        """
        with name_scope(self._name, "lt_reshape_encode", [labeled_tensor]) as scope:
            x = convert_to_labeled_tensor(labeled_tensor)
            shaped = reshape(x, self._existing_names, self._new_axes, name=scope)
            axes = [x.axes[n] for n in self._existing_names]
            if self._existing_axes not in (None, axes):
                raise ValueError(
                    f"input axes {axes!r} do not match axes from previous method call {self._existing_axes!r}"
                )
            self._existing_axes = axes
            return shaped

    def decode(self, labeled_tensor: Any) -> LabeledTensor:
        """The axes that were encoded in the place of the new ones."""
        if self._existing_axes is None:
            raise ValueError("decode called before encode")
        with name_scope(self._name, "lt_reshape_decode", [labeled_tensor]) as scope:
            names = [axis if isinstance(axis, str) else as_axis(axis).name for axis in self._new_axes]
            return reshape(labeled_tensor, names, self._existing_axes, name=scope)
