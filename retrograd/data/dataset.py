"""``tf.data.Dataset``: a pipeline of transformations, each a node of the graph."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.data import nest, structures
from retrograd.data.functions import ElementFunction
from retrograd.data.options import Options
from retrograd.data.random_seeds import get_seed
from retrograd.data.structures import DatasetSpec
from retrograd.graph import dtypes, log
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REGISTRY
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import taught
from retrograd.graph.functions import as_attribute
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.specs import SparseTensorSpec, TensorSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, asserts, comparison, iterators, random
from retrograd.ops import datasets as ops
from retrograd.ops.strings import reduce_join
from retrograd.ops.whole_files import matching_files
from retrograd.ragged.specs import RaggedTensorSpec
from retrograd.state.defun import Defun

AUTOTUNE = -1
INFINITE_CARDINALITY, UNKNOWN_CARDINALITY = -1, -2


class Dataset(structures.OfElements):
    """A sequence of elements, each a nested structure of tensors; it is computed while an iterator goes through it."""

    def __init__(self, variant: Tensor, element_spec: Any, inputs: list[Dataset] | None = None) -> None:
        self._variant_tensor = variant
        self._element_spec = element_spec
        self._inputs_list = inputs or []
        self._graph_attr: Graph = default_graph()
        self._options_attr = Options()
        for each in self._inputs_list:
            self._options_attr = self._options_attr.merge(each.options())

    # -- what its elements are

    @property
    def _element_type_spec(self) -> Any:
        shape = self._variant_tensor.shape
        return DatasetSpec(self._element_spec, () if shape.ndims is None else shape)

    @property
    def _graph(self) -> Graph:
        return self._graph_attr

    @property
    def _flat_shapes(self) -> list[TensorShape]:
        return structures.flat_shapes(self._element_spec)

    @property
    def _flat_types(self) -> list[Any]:
        return structures.flat_types(self._element_spec)

    @property
    def _flat_structure(self) -> dict[str, Any]:
        return {"output_types": self._flat_types, "output_shapes": self._flat_shapes}

    def _inputs(self) -> list[Dataset]:
        return list(self._inputs_list)

    def _as_variant_tensor(self) -> Tensor:
        return self._variant_tensor

    def __repr__(self) -> str:
        shapes, types = self.output_shapes, self.output_types
        return f"<DatasetV1Adapter shapes: {_text(shapes)}, types: {_text(types)}>"

    __str__ = __repr__

    def __iter__(self) -> Any:
        """A way through the elements, where ops run at once.

        Raises:
          RuntimeError: a graph is being built.
        """
        from retrograd.data.iterators import EagerIterator

        if default_graph().is_eager:
            return EagerIterator(self)
        raise taught(
            RuntimeError("__iter__() is only supported inside of tf.function or when eager execution is enabled."),
            fix="x = dataset.make_one_shot_iterator().get_next()  # once; then sess.run(x) for each element",
        )

    def _looped(self, *args: Any) -> None:
        """A loop over the elements in a function that AutoGraph has converted."""
        from retrograd.data.looping import looped

        looped(self, *args)

    def __bool__(self) -> bool:
        return True

    def options(self) -> Options:
        """The options that it is executed with."""
        return self._options_attr

    def with_options(self, options: Options) -> Dataset:
        """The same elements, executed with ``options``."""
        result = VariantDataset(self._variant_tensor, self._element_spec, [self])
        result._options_attr = self._options_attr.merge(options)
        return result

    # -- sources

    @staticmethod
    def from_tensors(tensors: Any) -> Dataset:
        """One element, ``tensors``."""
        element = structures.normalized(tensors)
        spec = structures.spec_of(element)
        tensors = structures.tensors_of(spec, element)
        variant = apply(ops.TENSOR, tensors, output_shapes=structures.flat_shapes(spec))
        return Dataset(variant, spec)

    @staticmethod
    def from_tensor_slices(tensors: Any) -> Dataset:
        """One element for each row of ``tensors``.

        Raises:
          ValueError: there are no rows, or not as many in each.
        """
        element = structures.normalized(tensors)
        batched = structures.spec_of(element)
        flat = structures.batched_tensors_of(batched, element)
        spec = nest.map_structure(lambda s: s._unbatch(), batched)
        rows = TensorShape(flat[0].shape).with_rank_at_least(1)[0]
        for tensor in flat[1:]:
            rows.assert_is_compatible_with(tensor.shape.with_rank_at_least(1)[0])
        variant = apply(ops.TENSOR_SLICE, flat, output_shapes=structures.flat_shapes(spec))
        return Dataset(variant, spec)

    @staticmethod
    def from_sparse_tensor_slices(sparse_tensor: SparseTensor) -> Dataset:
        """One element (indices, values, shape) for each row of a sparse tensor."""
        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError(f"`sparse_tensor` must be a `tf.SparseTensor` object. Was {sparse_tensor}.")
        rank = (sparse_tensor.indices.shape.as_list() or [None, None])[1]
        inner = None if rank is None else rank - 1
        spec = (
            TensorSpec([None, inner], dtypes.int64), TensorSpec([None], sparse_tensor.dtype),
            TensorSpec([inner], dtypes.int64),
        )  # fmt: skip
        variant = apply(ops.SPARSE_SLICE, sparse_tensor.indices, sparse_tensor.values, sparse_tensor.dense_shape)
        return Dataset(variant, spec)

    @staticmethod
    def from_generator(
        generator: Callable[..., Any], output_types: Any, output_shapes: Any = None, args: Any = None
    ) -> Dataset:
        """What ``generator(*args)``, called anew for each pass, yields.

        Args:
          output_types: the dtypes of what it yields, in its structure.
          output_shapes: the shapes, as far as they are known.
          args: tensors, which the generator gets as NumPy values.

        A run raises an error if it yields something else.
        """
        from retrograd.data.generators import from_generator

        return from_generator(generator, output_types, output_shapes, args)

    @staticmethod
    def range(*args: Any) -> Dataset:
        """The integers of ``range(*args)``, as int64."""
        if len(args) not in (1, 2, 3):
            raise ValueError(f"Invalid arguments to RangeDataset: {args}")
        start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1) if len(args) == 2 else args
        inputs = [
            as_tensor(value, dtypes.int64, name=name)
            for name, value in (("start", start), ("stop", stop), ("step", step))
        ]
        spec = TensorSpec([], dtypes.int64)
        variant = apply(ops.RANGE, *inputs, output_types=[dtypes.int64], output_shapes=[TensorShape([])])
        return Dataset(variant, spec)

    @staticmethod
    def zip(datasets: Any) -> Dataset:
        """Elements that are structures of one element of each dataset.

        Raises:
          TypeError: ``datasets`` is no structure of datasets.
        """
        for each in nest.flatten(datasets):
            if not isinstance(each, Dataset):
                if isinstance(each, list):
                    raise TypeError(
                        "The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects. Nested "
                        "structures do not support Python lists; please use a tuple instead."
                    )
                raise TypeError("The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects.")
        inputs = nest.flatten(datasets)
        spec = nest.pack_sequence_as(datasets, [each.element_spec for each in inputs])
        return _made(ops.ZIP, inputs, spec, [each._variant_tensor for each in inputs])

    @staticmethod
    def list_files(file_pattern: Any, shuffle: bool | None = None, seed: int | None = None) -> Dataset:
        """The names of the files that match a pattern, or one of several; in random order unless ``shuffle=False``.

        A run raises ``InvalidArgumentError`` if no file matches.
        """
        with name_scope("list_files"):
            shuffle = True if shuffle is None else shuffle
            file_pattern = as_tensor(file_pattern, dtypes.string, name="file_pattern")
            names = matching_files(file_pattern)
            found = comparison.greater(arrays.shape(names)[0], 0, name="match_not_empty")
            message = arithmetic.add(
                "No files matched pattern: ", reduce_join(file_pattern, separator=", "), name="message"
            )
            check = asserts.Assert(found, [message], summarize=1, name="assert_not_empty")
            with control_dependencies([check]):
                names = arrays.identity(names)
            dataset = Dataset.from_tensor_slices(names)
            if shuffle:
                size = arrays.shape(names, out_type=dtypes.int64)[0]
                dataset = dataset.shuffle(arithmetic.maximum(size, 1), seed=seed)
            return dataset

    # -- how many, in which order

    def concatenate(self, dataset: Dataset) -> Dataset:
        """These elements, then those of ``dataset``.

        Raises:
          TypeError: they are not of the same types.
        """
        if self.output_types != dataset.output_types:
            raise TypeError(f"Two datasets to concatenate have different types {self.output_types} and "
                            f"{dataset.output_types}")  # fmt: skip
        if self.output_classes != dataset.output_classes:
            raise TypeError(f"Two datasets to concatenate have different classes {self.output_classes} and "
                            f"{dataset.output_classes}")  # fmt: skip
        spec = structures.most_general(self._element_spec, dataset._element_spec)
        return _made(ops.CONCATENATE, [self, dataset], spec, self._variant_tensor, dataset._variant_tensor)

    def repeat(self, count: Any = None) -> Dataset:
        """The elements ``count`` times; for ever by default."""
        count = as_tensor(-1 if count is None else count, dtypes.int64, name="count")
        return self._same(ops.REPEAT, count)

    def _same(self, definition: Any, *inputs: Any, **attrs: Any) -> Dataset:
        """A transformation that keeps the structure of the elements."""
        return _made(definition, [self], self._element_spec, self._variant_tensor, *inputs, **attrs)

    def take(self, count: Any) -> Dataset:
        """At most the first ``count`` elements; all if it is -1."""
        return self._same(ops.TAKE, as_tensor(count, dtypes.int64, name="count"))

    def skip(self, count: Any) -> Dataset:
        """Without the first ``count`` elements; without any if it is -1."""
        return self._same(ops.SKIP, as_tensor(count, dtypes.int64, name="count"))

    def shard(self, num_shards: Any, index: Any) -> Dataset:
        """Every ``num_shards``-th element, from number ``index`` on."""
        num_shards = as_tensor(num_shards, dtypes.int64, name="num_shards")
        index = as_tensor(index, dtypes.int64, name="index")
        return self._same(ops.SHARD, num_shards, index)

    def shuffle(self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = None) -> Dataset:
        """The elements in random order, each drawn from ``buffer_size`` that wait.

        Args:
          reshuffle_each_iteration: whether each pass has another order, which is the default.
        """
        size = as_tensor(buffer_size, dtypes.int64, name="buffer_size")
        first, second = get_seed(seed)
        anew = True if reshuffle_each_iteration is None else reshuffle_each_iteration
        return self._same(ops.SHUFFLE, size, first, second, reshuffle_each_iteration=anew)

    def cache(self, filename: Any = "") -> Dataset:
        """The elements of the first pass kept in memory, or in the file ``filename``, for the following passes."""
        return self._same(ops.CACHE, as_tensor(filename, dtypes.string, name="filename"))

    def prefetch(self, buffer_size: Any) -> Dataset:
        """The elements computed ahead of time, ``buffer_size`` of them, by a thread of its own."""
        size = as_tensor(-1 if buffer_size is None else buffer_size, dtypes.int64, name="buffer_size")
        return self._same(ops.PREFETCH, size)

    # -- batches

    def batch(self, batch_size: Any, drop_remainder: Any = False) -> Dataset:
        """``batch_size`` elements put together; the last batch is smaller unless ``drop_remainder``."""
        size = as_tensor(batch_size, dtypes.int64, name="batch_size")
        drop = as_tensor(drop_remainder, dtypes.bool, name="drop_remainder")
        spec = nest.map_structure(lambda s: s._batch(_static_rows(size, drop)), self._element_spec)
        return _made(ops.BATCH_V2, [self], spec, self._variant_tensor, size, drop)

    def padded_batch(
        self, batch_size: Any, padded_shapes: Any, padding_values: Any = None, drop_remainder: Any = False
    ) -> Dataset:
        """``batch_size`` elements, each filled up to ``padded_shapes``, put together.

        Args:
          padded_shapes: for each part of an element its shape; None or -1 is the largest of the batch.
          padding_values: what to fill up with; zeros and empty strings by default.
        """
        from retrograd.data.padding import padded_batch

        return padded_batch(self, batch_size, padded_shapes, padding_values, drop_remainder)

    def unbatch(self) -> Dataset:
        """One element for each row of the parts of an element."""
        return _unbatched(self)

    def window(self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: Any = False) -> Dataset:
        """Datasets of ``size`` elements, ``stride`` apart, each beginning ``shift`` (its size) after the last."""
        inputs = [
            as_tensor(value, dtypes.int64, name=name)
            for name, value in (("size", size), ("shift", size if shift is None else shift), ("stride", stride))
        ]
        drop = as_tensor(drop_remainder, dtypes.bool, name="drop_remainder")
        leaves = [DatasetSpec(s, ()) for s in nest.flatten(self._element_spec)]
        spec = nest.pack_sequence_as(self._element_spec, leaves)
        return _made(ops.WINDOW, [self], spec, self._variant_tensor, *inputs, drop)

    # -- by functions

    def map(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Dataset:
        """``map_func`` of each element.

        Args:
          map_func: gets the parts of an element that is a tuple as its arguments, any other element as one.
          num_parallel_calls: how many elements are computed at a time; their order stays.
        """
        return _making_map(self, map_func, num_parallel_calls, {})

    map_with_legacy_function = map

    def flat_map(self, map_func: Callable[..., Any]) -> Dataset:
        """The elements of the datasets that ``map_func`` makes, one after the other."""
        function, spec = _making_datasets(self, map_func, "Dataset.flat_map()")
        return _made(ops.FLAT_MAP, [self], spec, self._variant_tensor, function.captured, f=function.attribute)

    def interleave(
        self, map_func: Callable[..., Any], cycle_length: Any = AUTOTUNE, block_length: Any = 1,
        num_parallel_calls: Any = None,
    ) -> Dataset:  # fmt: skip
        """``block_length`` elements of each of ``cycle_length`` datasets that ``map_func`` makes, in turn."""
        function, spec = _making_datasets(self, map_func, "Dataset.interleave()")
        cycle = as_tensor(cycle_length, dtypes.int64, name="cycle_length")
        block = as_tensor(block_length, dtypes.int64, name="block_length")
        inputs: list[Any] = [self._variant_tensor, function.captured, cycle, block]
        if num_parallel_calls is None:
            return _made(ops.INTERLEAVE, [self], spec, *inputs, f=function.attribute)
        count = as_tensor(num_parallel_calls, dtypes.int64, name="num_parallel_calls")
        return _made(ops.PARALLEL_INTERLEAVE_V2, [self], spec, *inputs, count, f=function.attribute)

    def filter(self, predicate: Callable[..., Any]) -> Dataset:
        """The elements for which ``predicate`` is true.

        Raises:
          ValueError: it does not give one boolean.
        """
        function = _predicate(self, predicate, "Dataset.filter()")
        return self._same(ops.FILTER, function.captured, predicate=function.attribute)

    filter_with_legacy_function = filter

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
        """``state = reduce_func(state, element)`` over all elements."""
        from retrograd.data.folding import reduced

        return reduced(self, initial_state, reduce_func)

    def enumerate(self, start: int = 0) -> Dataset:
        """(number, element) for each element, from ``start`` on."""
        return Dataset.zip((Dataset.range(start, np.iinfo(np.int64).max), self))

    def apply(self, transformation_func: Callable[[Dataset], Dataset]) -> Dataset:
        """``transformation_func`` of this dataset.

        Raises:
          TypeError: it gives no dataset.
        """
        dataset = transformation_func(self)
        if not isinstance(dataset, Dataset):
            raise TypeError(f"`transformation_func` must return a Dataset. Got {type(dataset)}.")
        return dataset

    # -- iterators

    def _apply_options(self) -> Dataset:
        """The dataset as it is executed."""
        options, dataset = self.options(), self
        threads = options.experimental_threading
        for definition, value in (
            ("MaxIntraOpParallelismDataset", threads.max_intra_op_parallelism),
            ("PrivateThreadPoolDataset", threads.private_threadpool_size),
        ):
            if value is not None:
                dataset = dataset._same(REGISTRY[definition], as_tensor(value, dtypes.int64))
        names = options.optimizations()
        if names and _has_captured_reference(self):
            warnings.warn(
                "tf.data static optimizations are not compatible with tf.Variable. The following optimizations will "
                f"be disabled: {', '.join(names)}. To enable optimizations, use resource variables instead by calling "
                "`tf.enable_resource_variables()` at the start of the program.",
                stacklevel=3,
            )
        elif names:
            rewritten = as_tensor(names, dtypes.string, name="optimizations")
            dataset = dataset._same(ops.OPTIMIZE, rewritten, optimization_configs=options.settings())
        if options.experimental_optimization.autotune is not False:
            dataset = dataset._same(ops.MODEL)
        stats = options.experimental_stats
        if stats.aggregator is not None:
            from retrograd.data.statistics import set_stats_aggregator

            dataset = set_stats_aggregator(stats.aggregator, stats.prefix, stats.counter_prefix)(dataset)
        return dataset

    def make_one_shot_iterator(self) -> Any:
        """An iterator that goes through the elements once, and needs no initialization.

        Raises:
          ValueError: the dataset depends on something that a session keeps, such as a variable, or on a placeholder.
        """
        return self._make_one_shot_iterator()

    def _make_one_shot_iterator(self) -> Any:
        from retrograd.data.iterators import Iterator

        if default_graph().is_eager:
            return iter(self)
        if (elsewhere := _of_another_graph(self)) is not None:
            log.warning(f"{elsewhere} NOTE: This warning will become an error in future versions of TensorFlow.")
        graph_seed, op_seed = random.get_seed(None)

        def _make_dataset() -> Tensor:
            if graph_seed is not None and op_seed is not None:
                random.set_random_seed((graph_seed + 87654321 * op_seed) % (2**63 - 1))
            return self._apply_options()._variant_tensor

        factory: Any = Defun(capture_by_value=True, whitelisted_stateful_ops=_dataset_ops_behind(self._variant_tensor))(
            _make_dataset
        )
        try:
            factory.add_to_graph(default_graph())
        except ValueError as error:
            if "Cannot capture a stateful node" in str(error):
                raise ValueError(
                    "Failed to create a one-shot iterator for a dataset. `Dataset.make_one_shot_iterator()` does not "
                    "support datasets that capture stateful objects, such as a `Variable` or `LookupTable`. In these "
                    f"cases, use `Dataset.make_initializable_iterator()`. (Original error: {error})"
                ) from None
            raise
        handle = apply(iterators.ONE_SHOT, dataset_factory=as_attribute(factory._function), **self._flat_structure)
        return Iterator.of(handle, None, self._element_spec)

    def make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        """An iterator that begins anew whenever ``iterator.initializer`` is run."""
        return self._make_initializable_iterator(shared_name)

    def _make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        from retrograd.data.iterators import Iterator

        if default_graph().is_eager:
            error = RuntimeError(
                "dataset.make_initializable_iterator is not supported when eager execution is enabled."
            )
            error.add_note("  Fix:   for element in dataset: ...")
            raise error
        if (elsewhere := _of_another_graph(self)) is not None:
            raise ValueError(elsewhere)
        dataset = self._apply_options()
        handle = apply(iterators.ITERATOR, container="", shared_name=shared_name or "", **self._flat_structure)
        with colocate_with(handle.op):
            initializer = apply(iterators.MAKE_ITERATOR, dataset._variant_tensor, handle)
        return Iterator.of(handle, initializer, self._element_spec)


DatasetV1 = Dataset


class VariantDataset(Dataset):
    """What a tensor stands for that is a dataset."""

    def __init__(self, variant: Tensor, element_spec: Any, inputs: list[Dataset] | None = None) -> None:
        super().__init__(variant, element_spec, inputs)


def from_variant(variant: Tensor, structure: Any) -> Dataset:
    """The dataset, whose elements are of this structure, that ``variant`` stands for."""
    return VariantDataset(variant, structure)


def to_variant(dataset: Dataset) -> Tensor:
    """The tensor that stands for ``dataset``."""
    return dataset._variant_tensor


def _made(definition: Any, inputs: list[Dataset], spec: Any, *arguments: Any, **attrs: Any) -> Dataset:
    """A dataset of the elements ``spec``, which an op makes of others."""
    names = definition.attrs
    if "output_types" in names:
        attrs["output_types"] = structures.flat_types(spec)
    if "output_shapes" in names:
        attrs["output_shapes"] = structures.flat_shapes(spec)
    return Dataset(apply(definition, *arguments, **attrs), spec, inputs)


def _making_map(
    dataset: Dataset, map_func: Callable[..., Any], num_parallel_calls: Any, attrs: dict[str, Any]
) -> Dataset:
    """``map_func`` of each element, by a node with ``attrs``."""
    function = ElementFunction(map_func, "Dataset.map()", dataset.element_spec)
    inputs: list[Any] = [dataset._variant_tensor, function.captured]
    if num_parallel_calls is None:
        return _made(ops.MAP, [dataset], function.output_spec, *inputs, f=function.attribute, **attrs)
    count = as_tensor(num_parallel_calls, dtypes.int32, name="num_parallel_calls")
    return _made(ops.PARALLEL_MAP, [dataset], function.output_spec, *inputs, count, f=function.attribute, **attrs)


def _text(structure: Any) -> str:
    return str(nest.map_structure(lambda x: repr(x) if isinstance(x, DType) else str(x), structure)).replace("'", "")


def _static_rows(size: Tensor, drop: Tensor) -> int | None:
    """How many rows each batch has, if that is known while building."""
    known = static_value(drop)
    rows = static_value(size)
    return None if known is None or not bool(known) or rows is None else int(rows)


def _of_another_graph(dataset: Dataset) -> str | None:
    """What to say of a dataset that is not of the current graph; None if it is."""
    current = default_graph()
    for each in _all_inputs(dataset):
        if each._graph is not current:
            return (
                "The graph ("
                f"{current}) of the iterator is different from the graph ({each._graph}) the dataset: "
                f"{each._variant_tensor} was created in. If you are using the Estimator API, make sure that no part "
                "of the dataset returned by the `input_fn` function is defined outside the `input_fn` function. "
                "Please ensure that all datasets in the pipeline are created in the same graph as the iterator."
            )
    return None


def _all_inputs(dataset: Dataset) -> list[Dataset]:
    found, stack = [], [dataset]
    while stack:
        each = stack.pop()
        found.append(each)
        stack += each._inputs()
    return found


def _has_captured_reference(dataset: Dataset) -> bool:
    """Whether a function of the pipeline reads a variable that may change under it."""
    seen, stack = set(), [each._variant_tensor.op for each in _all_inputs(dataset)]
    while stack:
        op = stack.pop()
        if op not in seen:
            seen.add(op)
            if any(t.dtype.is_ref for t in op.inputs):
                return True
            stack += [t.op for t in op.inputs]
    return False


def _dataset_ops_behind(tensor: Tensor) -> set[Any]:
    """The ops of datasets that a variant follows from."""
    found, stack = set(), [tensor.op]
    while stack:
        op = stack.pop()
        if op not in found and any(t.dtype == dtypes.variant for t in op.outputs):
            found.add(op)
            stack += [t.op for t in op.inputs]
    return found


def _making_datasets(dataset: Dataset, func: Callable[..., Any], transformation: str) -> tuple[ElementFunction, Any]:
    function = ElementFunction(func, transformation, dataset._element_spec)
    if not isinstance(function.output_spec, DatasetSpec):
        raise TypeError(f"`map_func` must return a `Dataset` object. Got {type(function.output_spec)}")
    return function, function.output_spec._element_spec


def _predicate(dataset: Dataset, func: Callable[..., Any], transformation: str) -> ElementFunction:
    function = ElementFunction(func, transformation, dataset._element_spec)
    if not structures.compatible(function.output_spec, TensorSpec([], dtypes.bool)):
        raise ValueError(
            f"`predicate` return type must be convertible to a scalar boolean tensor. Was {function.output_spec}."
        )
    return function


def _unbatched(dataset: Dataset) -> Dataset:
    spec = nest.map_structure(lambda s: s._unbatch(), dataset._element_spec)
    whole = dataset
    if any(isinstance(s, SparseTensorSpec | RaggedTensorSpec) for s in nest.flatten(dataset._element_spec)):
        whole = dataset.map(lambda *args: tuple(structures.batched_tensors_of(dataset._element_spec, args)))
    return _rows_of(whole, spec)


def _rows_of(whole: Dataset, spec: Any) -> Dataset:
    """The rows of the parts of each element."""
    if len({shape.as_list()[0] for shape in whole._flat_shapes if shape.ndims} - {None}) > 1:
        raise ValueError("Cannot unbatch an input whose components have different batch sizes.")
    return _made(ops.UNBATCH, [whole], spec, whole._variant_tensor)
