"""``tf.data.experimental``: transformations that ``dataset.apply`` takes, and a few functions of datasets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.data import nest, structures
from retrograd.data.dataset import (
    AUTOTUNE,
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    Dataset,
    _made,
    _making_datasets,
    _predicate,
    _rows_of,
    _static_rows,
)
from retrograd.data.folding import fixed_point, scan
from retrograd.data.functions import ElementFunction
from retrograd.data.random_seeds import get_seed
from retrograd.data.structures import DatasetSpec
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.specs import SparseTensorSpec, TensorSpec
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, comparison, constants, dataset_files, exponentials, reductions
from retrograd.ops import datasets as ops
from retrograd.ops.casts import cast

Transformation = Callable[[Dataset], Dataset]
_ = (AUTOTUNE, INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, scan)


def _number(name: str, value: Any, default: Any = None, dtype: Any = dtypes.int64) -> Tensor:
    return as_tensor(default if value is None else value, dtype, name=name)


# -- transformations ---------------------------------------------------------------------------


def map_and_batch(
    map_func: Callable[..., Any], batch_size: Any, num_parallel_batches: int | None = None,
    drop_remainder: Any = False, num_parallel_calls: Any = None,
) -> Transformation:  # fmt: skip
    """Batches of ``map_func`` of the elements.

    Raises:
      ValueError: both numbers of parallel calls are given.
    """
    if num_parallel_batches is None and num_parallel_calls is None:
        num_parallel_calls = batch_size
    elif num_parallel_batches is not None and num_parallel_calls is None:
        num_parallel_calls = batch_size * num_parallel_batches
    elif num_parallel_batches is not None:
        raise ValueError("The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive.")

    def applied(dataset: Dataset) -> Dataset:
        function = ElementFunction(map_func, "tf.data.experimental.map_and_batch()", dataset.element_spec)
        size = _number("batch_size", batch_size)
        calls = _number("num_parallel_calls", num_parallel_calls)
        drop = _number("drop_remainder", drop_remainder, dtype=dtypes.bool)
        spec = nest.map_structure(lambda s: s._batch(_static_rows(size, drop)), function.output_spec)
        inputs = dataset._variant_tensor, function.captured, size, calls, drop
        return _made(ops.MAP_AND_BATCH, [dataset], spec, *inputs, f=function.attribute)

    return applied


def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Transformation:
    """Batches of elements of unequal shapes as sparse tensors; ``row_shape`` holds every element, None any size."""

    def applied(dataset: Dataset) -> Dataset:
        if not isinstance(dataset.output_types, dtypes.DType):
            raise TypeError(
                "DenseToSparseDataset requires an input whose elements have a single component, whereas the input has "
                f"{dataset.output_types!r}."
            )
        size = as_tensor(batch_size, dtypes.int64)
        dims = TensorShape(row_shape)
        row = as_tensor([-1 if n is None else n for n in dims.as_list()], dtypes.int64)
        spec = SparseTensorSpec([None, *dims.as_list()], dataset.output_types)
        return _made(ops.DENSE_TO_SPARSE, [dataset], spec, dataset._variant_tensor, size, row)

    return applied


def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Transformation:
    """The elements ``count`` times (for ever by default) in random order, each time another."""

    def applied(dataset: Dataset) -> Dataset:
        size = _number("buffer_size", buffer_size)
        times = _number("count", count, -1)
        first, second = get_seed(seed)
        return dataset._same(ops.SHUFFLE_AND_REPEAT, size, first, second, times)

    return applied


def parallel_interleave(
    map_func: Callable[..., Any], cycle_length: Any, block_length: Any = 1, sloppy: Any = False,
    buffer_output_elements: Any = None, prefetch_input_elements: Any = None,
) -> Transformation:  # fmt: skip
    """``block_length`` elements of each of ``cycle_length`` datasets in turn, each read ahead by a thread."""

    def applied(dataset: Dataset) -> Dataset:
        function, spec = _making_datasets(dataset, map_func, "tf.data.experimental.parallel_interleave()")
        inputs = [
            _number("cycle_length", cycle_length),
            _number("block_length", block_length),
            _number("sloppy", sloppy, dtype=dtypes.bool),
            _number("buffer_output_elements", buffer_output_elements, 2 * block_length),
            _number("prefetch_input_elements", prefetch_input_elements, 2 * cycle_length),
        ]
        variant = dataset._variant_tensor
        return _made(
            ops.PARALLEL_INTERLEAVE, [dataset], spec, variant, function.captured, *inputs, f=function.attribute
        )

    return applied


def unbatch() -> Transformation:
    """One element for each row of the parts of an element."""

    def applied(dataset: Dataset) -> Dataset:
        def normalize(*args: Any) -> Any:
            return tuple(structures.batched_tensors_of(dataset.element_spec, args))

        whole = dataset.map(normalize)
        spec = nest.map_structure(lambda s: s._unbatch(), dataset.element_spec)
        return _rows_of(whole, spec)

    return applied


def enumerate_dataset(start: int = 0) -> Transformation:
    """(number, element) for each element, from ``start`` on."""
    return lambda dataset: dataset.enumerate(start)


def ignore_errors() -> Transformation:
    """Without the elements that fail."""
    return lambda dataset: dataset._same(ops.IGNORE_ERRORS)


def unique() -> Transformation:
    """Each element once."""

    def applied(dataset: Dataset) -> Dataset:
        if dataset.output_types not in (dtypes.int32, dtypes.int64, dtypes.string):
            raise TypeError(
                "`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, `tf.int64`, or "
                "`tf.string` component."
            )
        return dataset._same(ops.UNIQUE)

    return applied


def take_while(predicate: Callable[..., Any]) -> Transformation:
    """The elements before the first one for which ``predicate`` does not hold."""

    def applied(dataset: Dataset) -> Dataset:
        function = _predicate(dataset, predicate, "tf.data.experimental.take_while()")
        return dataset._same(ops.TAKE_WHILE, function.captured, predicate=function.attribute)

    return applied


def group_by_window(
    key_func: Callable[..., Any], reduce_func: Callable[..., Any], window_size: Any = None,
    window_size_func: Callable[..., Any] | None = None,
) -> Transformation:  # fmt: skip
    """``reduce_func(key, window)`` of windows of ``window_size`` elements that have the same key.

    Raises:
      ValueError: not exactly one of the two sizes is given.
    """
    if (window_size is not None and window_size_func) or not (window_size is not None or window_size_func):
        raise ValueError("Must pass either window_size or window_size_func.")
    size_of = window_size_func or (lambda unused_key: as_tensor(window_size, dtypes.int64))
    name = "tf.data.experimental.group_by_window()"

    def key_func_wrapper(*args: Any) -> Tensor:
        return cast(key_func(*args), dtypes.int64)

    def window_size_func_wrapper(key: Tensor) -> Tensor:
        return as_tensor(size_of(key), dtypes.int64)

    def applied(dataset: Dataset) -> Dataset:
        scalar = TensorSpec([], dtypes.int64)
        key = ElementFunction(key_func_wrapper, name, dataset.element_spec)
        if not structures.compatible(key.output_spec, scalar):
            raise ValueError("`key_func` must return a single tf.int64 tensor.")
        window = ElementFunction(reduce_func, name, (scalar, DatasetSpec(dataset.element_spec)))
        if not isinstance(window.output_spec, DatasetSpec):
            raise TypeError("`reduce_func` must return a `Dataset` object.")
        size = ElementFunction(window_size_func_wrapper, name, scalar)
        if not structures.compatible(size.output_spec, scalar):
            raise ValueError("`window_size_func` must return a single tf.int64 scalar tensor.")
        return _made(
            ops.GROUP_BY_WINDOW, [dataset], window.output_spec._element_spec, dataset._variant_tensor, key.captured,
            window.captured, size.captured, key_func=key.attribute, reduce_func=window.attribute,
            window_size_func=size.attribute,
        )  # fmt: skip

    return applied


class Reducer:
    """How the elements of one key become one: a first state, a step, and what is made of the last state."""

    def __init__(
        self, init_func: Callable[..., Any], reduce_func: Callable[..., Any], finalize_func: Callable[..., Any]
    ) -> None:
        self.init_func = init_func
        self.reduce_func = reduce_func
        self.finalize_func = finalize_func


def group_by_reducer(key_func: Callable[..., Any], reducer: Reducer) -> Transformation:
    """For each key one element: the elements of that key, reduced."""
    name = "tf.data.experimental.group_by_reducer()"

    def applied(dataset: Dataset) -> Dataset:
        scalar = TensorSpec([], dtypes.int64)
        key = ElementFunction(key_func, name, dataset.element_spec)
        if not structures.compatible(key.output_spec, scalar):
            raise ValueError("`key_func` must return a single tf.int64 tensor.")
        init = ElementFunction(reducer.init_func, name, scalar)

        def build(spec: Any) -> tuple[ElementFunction, Any]:
            function = ElementFunction(reducer.reduce_func, name, (spec, dataset.element_spec), adds=False)
            return function, function.output_spec

        step, state = fixed_point(build, init.output_spec, name)
        last = ElementFunction(reducer.finalize_func, name, state)
        return _made(
            ops.GROUP_BY_REDUCER, [dataset], last.output_spec, dataset._variant_tensor, key.captured, init.captured,
            step.captured, last.captured, key_func=key.attribute, init_func=init.attribute,
            reduce_func=step.attribute, finalize_func=last.attribute,
        )  # fmt: skip

    return applied


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any], bucket_boundaries: Sequence[int], bucket_batch_sizes: Sequence[int],
    padded_shapes: Any = None, padding_values: Any = None, pad_to_bucket_boundary: bool = False,
    no_padding: bool = False, drop_remainder: bool = False,
) -> Transformation:  # fmt: skip
    """Padded batches of elements of similar length, of another size for each range of lengths.

    Raises:
      ValueError: there is not one size more than boundaries.
    """
    with name_scope("bucket_by_seq_length"):
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            raise ValueError("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1")
        sizes = constants.constant(bucket_batch_sizes, dtypes.int64)

        def element_to_bucket_id(*args: Any) -> Tensor:
            length = element_length_func(*args)
            limits = list(bucket_boundaries)
            lowest = [dtypes.int32.min, *limits]
            highest = [*limits, dtypes.int32.max]
            inside = comparison.logical_and(comparison.less_equal(lowest, length), comparison.less(length, highest))
            return reductions.reduce_min(comparison.where(inside))

        def window_size_fn(bucket_id: Tensor) -> Tensor:
            return sizes[bucket_id]

        def batching_fn(bucket_id: Tensor, grouped: Dataset) -> Dataset:
            size = window_size_fn(bucket_id)
            if no_padding:
                return grouped.batch(size, drop_remainder=drop_remainder)
            shapes = padded_shapes if padded_shapes is not None else grouped.output_shapes
            if pad_to_bucket_boundary:
                boundary = _boundary(bucket_boundaries, bucket_id)
                shapes = nest.map_structure_up_to(
                    grouped.output_types, lambda s: _with_boundary(TensorShape(s), boundary), shapes
                )
            return grouped.padded_batch(size, shapes, padding_values, drop_remainder=drop_remainder)

        def applied(dataset: Dataset) -> Dataset:
            return dataset.apply(group_by_window(element_to_bucket_id, batching_fn, window_size_func=window_size_fn))

        return applied


def _boundary(boundaries: Sequence[int], bucket_id: Tensor) -> Tensor:
    """The largest length of a bucket; the last one has none, which is an error of the run."""
    from retrograd.graph.scopes import control_dependencies
    from retrograd.ops import checks

    none = checks.assert_less(
        bucket_id, constants.constant(len(boundaries), dtypes.int64),
        message="When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries).",
    )  # fmt: skip
    with control_dependencies([none]):
        return constants.constant(boundaries, dtypes.int64)[bucket_id] - 1


def _with_boundary(shape: TensorShape, boundary: Tensor) -> Any:
    dims = shape.as_list()
    return [boundary if n is None else n for n in dims]


def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> Transformation:
    """The elements, which are where they are needed anyway."""
    return lambda dataset: dataset


def prefetch_to_device(device: str, buffer_size: Any = None) -> Transformation:
    """The elements computed ahead of time."""
    return lambda dataset: dataset.prefetch(1 if buffer_size is None else buffer_size)


def sliding_window_batch(
    window_size: Any, stride: Any = None, window_shift: Any = None, window_stride: Any = 1
) -> Transformation:
    """Batches of ``window_size`` elements, ``window_stride`` apart, each beginning ``window_shift`` after the last.

    Raises:
      ValueError: both ``stride`` and ``window_shift`` are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = stride if stride is not None else 1 if window_shift is None else window_shift

    def applied(dataset: Dataset) -> Dataset:
        numbers = [
            _number("window_size", window_size), _number("window_shift", shift), _number("window_stride", window_stride)
        ]  # fmt: skip
        spec = nest.map_structure(lambda s: s._batch(None), dataset.element_spec)
        return _made(ops.SLIDING, [dataset], spec, dataset._variant_tensor, *numbers)

    return applied


# -- sources -----------------------------------------------------------------------------------


class RandomDataset(Dataset):
    """Random integers below 2**32, as int64."""

    def __init__(self, seed: Any = None) -> None:
        first, second = get_seed(seed)
        spec = TensorSpec([], dtypes.int64)
        variant = apply(ops.RANDOM, first, second, output_types=[dtypes.int64], output_shapes=[TensorShape([])])
        super().__init__(variant, spec)


def Counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Dataset:
    """``start``, ``start + step``, and so on, without end."""
    with name_scope("counter"):
        first = as_tensor(start, dtype, name="start")
        increment = as_tensor(step, dtype, name="step")
        return Dataset.from_tensors(0).repeat(None).apply(scan(first, lambda state, _: (state + increment, state)))


def sample_from_datasets(datasets: Sequence[Dataset], weights: Any = None, seed: int | None = None) -> Dataset:
    """Elements of the datasets, each drawn at random with probability ``weights`` (equal by default).

    Raises:
      ValueError: there are not as many weights as datasets.
    """
    from retrograd.ops.stateless import stateless_multinomial

    count = len(datasets)
    if weights is not None and not isinstance(weights, Dataset):
        weights = as_tensor(weights, name="weights")
        if weights.dtype not in (dtypes.float32, dtypes.float64):
            raise TypeError("`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` elements.")
        if not weights.shape.is_compatible_with([count]):
            raise ValueError("`weights` must be a vector of length `len(datasets)`.")
        logits: Any = arrays.expand_dims(exponentials.log(weights, name="logits"), 0)
    elif weights is None:
        logits = [[1.0] * count]
    if len(datasets) == 1:
        return datasets[0]
    if isinstance(weights, Dataset):
        probabilities = weights.map(lambda *p: exponentials.log(p, name="logits"))

        def select_dataset_varying_logits(logits: Tensor, key: Tensor) -> Tensor:
            return arrays.squeeze(stateless_multinomial(logits, 1, seed=key), axis=[0, 1])

        selector = Dataset.zip((probabilities, RandomDataset(seed).batch(2))).map(select_dataset_varying_logits)
    else:

        def select_dataset_constant_logits(key: Tensor) -> Tensor:
            return arrays.squeeze(stateless_multinomial(logits, 1, seed=key), axis=[0, 1])

        whole = RandomDataset(seed).batch(2)
        function = ElementFunction(select_dataset_constant_logits, "Dataset.map()", whole.element_spec)
        selector = _made(
            ops.MAP, [whole], function.output_spec, whole._variant_tensor, function.captured, f=function.attribute,
            use_inter_op_parallelism=False,
        )  # fmt: skip
    return _directed(selector, datasets)


def _directed(selector: Dataset, datasets: Sequence[Dataset]) -> Dataset:
    spec = datasets[0].element_spec
    for other in datasets[1:]:
        if other.output_types != datasets[0].output_types or other.output_classes != datasets[0].output_classes:
            raise TypeError("All datasets must have the same type and class.")
        spec = structures.most_general(spec, other.element_spec)
    variants = [d._variant_tensor for d in datasets]
    return _made(ops.DIRECTED, [selector, *datasets], spec, selector._variant_tensor, variants)


def choose_from_datasets(datasets: Sequence[Dataset], choice_dataset: Dataset) -> Dataset:
    """The next element of the dataset whose number ``choice_dataset`` gives, an int64.

    Raises:
      TypeError: ``choice_dataset`` gives something else.
    """
    if not structures.compatible(choice_dataset.element_spec, TensorSpec([], dtypes.int64)):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return _directed(choice_dataset, datasets)


# -- functions of datasets ---------------------------------------------------------------------


def get_single_element(dataset: Dataset) -> Any:
    """The one element of a dataset; a run fails if there is none, or another."""
    if not isinstance(dataset, Dataset):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    return structures.element_of(
        dataset.element_spec, apply(ops.SINGLE_ELEMENT, dataset._variant_tensor, **dataset._flat_structure)
    )


def cardinality(dataset: Dataset) -> Tensor:
    """How many elements there are, as far as that is known without computing them: or -1, infinitely many, or -2."""
    return apply(ops.CARDINALITY, dataset._variant_tensor)


class TFRecordWriter:
    """Writes the strings of a dataset to a record file."""

    def __init__(self, filename: Any, compression_type: Any = None) -> None:
        self._filename = as_tensor(filename, dtypes.string, name="filename")
        self._compression_type = as_tensor(compression_type or "", dtypes.string, name="compression_type")

    def write(self, dataset: Dataset) -> Operation:
        """An op that writes them.

        Raises:
          TypeError: they are no scalar strings.
        """
        if not isinstance(dataset, Dataset):
            raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
        if not structures.compatible(dataset.element_spec, TensorSpec([], dtypes.string)):
            raise TypeError("`dataset` must produce scalar `DT_STRING` tensors whereas it produces shape "
                            f"{dataset.output_shapes} and types {dataset.output_types}")  # fmt: skip
        return apply(dataset_files.TO_TF_RECORD, dataset._variant_tensor, self._filename, self._compression_type)  # type: ignore[no-any-return]


def parse_example_dataset(features: Any, num_parallel_calls: int = 1) -> Transformation:
    """Batches of serialized ``tf.train.Example``s as dicts of their features."""
    from retrograd.ops.parsing import parse_example

    return lambda dataset: dataset.map(lambda x: parse_example(x, features), num_parallel_calls)
