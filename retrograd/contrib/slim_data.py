"""``slim.data``: what a data set is, readers that fill one queue, decoders of ``tf.Example`` records, providers.

Also ``slim.queues`` and ``slim.prefetch_queue``.  Source: TensorFlow 1.15.5's names, order of nodes and messages.
"""

from __future__ import annotations

import abc
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from retrograd.graph import dtypes, scopes, sparse
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import name_scope
from retrograd.io.gfile import get_matching_files
from retrograd.nn import summaries
from retrograd.nn.functional import map_fn
from retrograd.nn.image.decoding import decode_image
from retrograd.ops import arrays, casts, comparison, joining, permuting, reductions, slicing, sums
from retrograd.ops.cases import case
from retrograd.ops.coded_images import decode_jpeg, is_jpeg
from retrograd.ops.conditions import cond
from retrograd.ops.decoding import decode_raw_v1 as decode_raw
from retrograd.ops.example_features import FixedLenFeature
from retrograd.ops.parsing import parse_single_example
from retrograd.ops.queue_classes import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from retrograd.ops.sparse import sparse_reshape, sparse_tensor_to_dense
from retrograd.train.coordinator import Coordinator
from retrograd.train.input import string_input_producer
from retrograd.train.queue_runner import QueueRunner, add_queue_runner

# -- data sets and providers ---------------------------------------------------------------------


class Dataset:
    """Files, the class that reads records of them, the decoder of a record, and how many there are."""

    def __init__(
        self, data_sources: Any, reader: Any, decoder: Any, num_samples: int, items_to_descriptions: Any, **kwargs: Any
    ) -> None:
        self.data_sources: Any = data_sources
        self.reader: Any = reader
        self.decoder: Any = decoder
        self.num_samples = num_samples
        self.items_to_descriptions = items_to_descriptions
        self.__dict__.update(kwargs)


class DataDecoder(abc.ABC):
    """Makes items of a record."""

    @abc.abstractmethod
    def decode(self, data: Any, items: Any) -> Any:
        """The tensors of ``items``."""

    @abc.abstractmethod
    def list_items(self) -> Any:
        """The names of all items."""


class DataProvider(abc.ABC):  # noqa: B024
    """Tensors by the names of their items."""

    def __init__(self, items_to_tensors: dict[str, Any], num_samples: int) -> None:
        self._items_to_tensors = items_to_tensors
        self._num_samples = num_samples

    def get(self, items: Sequence[str]) -> list[Any]:
        """The tensors of some items.

        Raises:
          ValueError: there is no such item.
        """
        if not isinstance(items, list | tuple):
            raise ValueError("items must be a list or tuple")
        for item in items:
            if item not in self.list_items():
                raise ValueError(f"Item [{item}] is invalid. Valid entries include: {self.list_items()}")
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> Any:
        """The names of all items."""
        return self._items_to_tensors.keys()

    def num_samples(self) -> int:
        """How many records there are."""
        return self._num_samples


class DatasetDataProvider(DataProvider):
    """The items of one record after the other of a data set, read by several readers into one queue.

    Raises:
      ValueError: ``record_key`` is an item of the data set.
    """

    def __init__(
        self,
        dataset: Any,
        num_readers: int = 1,
        reader_kwargs: dict[str, Any] | None = None,
        shuffle: bool = True,
        num_epochs: int | None = None,
        common_queue_capacity: int = 256,
        common_queue_min: int = 128,
        record_key: str = "record_key",
        seed: int | None = None,
        scope: str | None = None,
    ) -> None:
        key, data = parallel_read(
            dataset.data_sources, reader_class=dataset.reader, num_epochs=num_epochs, num_readers=num_readers,
            reader_kwargs=reader_kwargs, shuffle=shuffle, capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min, seed=seed, scope=scope,
        )  # fmt: skip
        items = dataset.decoder.list_items()
        found = dict(zip(items, dataset.decoder.decode(data, items), strict=False))
        if record_key in found:
            raise ValueError(
                "The item name used for `record_key` cannot also be used for a dataset item: %s", record_key
            )
        found[record_key] = key
        super().__init__(items_to_tensors=found, num_samples=dataset.num_samples)


# -- readers -------------------------------------------------------------------------------------


class ParallelReader:
    """Several readers that put their records into one queue of keys and values.

    Raises:
      TypeError: the queue is none of two strings.
    """

    def __init__(
        self, reader_class: Any, common_queue: Any, num_readers: int = 4, reader_kwargs: dict[str, Any] | None = None
    ) -> None:
        if len(common_queue.dtypes) != 2 or any(not t.is_compatible_with(dtypes.string) for t in common_queue.dtypes):
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self) -> int:
        """How many there are."""
        return len(self._readers)

    @property
    def common_queue(self) -> Any:
        """The queue of records."""
        return self._common_queue

    def read(self, queue: Any, name: str | None = None) -> Any:
        """The key and the value of the next record of the files in ``queue``."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """Up to ``num_records`` at a time."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _configure_readers_by(self, queue: Any) -> None:
        enqueue = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        add_queue_runner(QueueRunner(self._common_queue, enqueue))

    def num_records_produced(self, name: str | None = None) -> Any:
        """How many records were read."""
        return sums.add_n([r.num_records_produced() for r in self._readers], name=name)

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """How many files were read."""
        return sums.add_n([r.num_work_units_completed() for r in self._readers], name=name)


def parallel_read(
    data_sources: Any,
    reader_class: Any,
    num_epochs: int | None = None,
    num_readers: int = 4,
    reader_kwargs: dict[str, Any] | None = None,
    shuffle: bool = True,
    dtypes: Any = None,
    capacity: int = 256,
    min_after_dequeue: int = 128,
    seed: int | None = None,
    scope: str | None = None,
) -> Any:
    """The key and the value of one record after the other, of files read at the same time, shuffled or not."""
    files = get_data_files(data_sources)
    kinds = dtypes or ["string", "string"]
    with name_scope(scope, "parallel_read"):
        names = string_input_producer(files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames")
        if shuffle:
            queue: Any = RandomShuffleQueue(
                capacity=capacity, min_after_dequeue=min_after_dequeue, dtypes=kinds, seed=seed, name="common_queue"
            )
        else:
            queue = FIFOQueue(capacity=capacity, dtypes=kinds, name="common_queue")
        _tell_fullness(queue, capacity)
        return ParallelReader(reader_class, queue, num_readers=num_readers, reader_kwargs=reader_kwargs).read(names)


def _tell_fullness(queue: Any, capacity: int) -> None:
    size = casts.cast(queue.size(), dtypes.float32)
    summaries.scalar(f"fraction_of_{capacity}_full", size * (1.0 / capacity))


def single_pass_read(
    data_sources: Any, reader_class: Any, reader_kwargs: dict[str, Any] | None = None, scope: str | None = None
) -> Any:
    """The key and the value of one record after the other, in order, once."""
    files = get_data_files(data_sources)
    with name_scope(scope, "single_pass_read"):
        names = string_input_producer(files, num_epochs=1, shuffle=False, capacity=1, name="filenames")
        return reader_class(**(reader_kwargs or {})).read(names)


def get_data_files(data_sources: Any) -> list[str]:
    """The files that names and patterns stand for.

    Raises:
      ValueError: there is none.
    """
    if isinstance(data_sources, list | tuple):
        files = [file for source in data_sources for file in get_data_files(source)]
    elif any(mark in data_sources for mark in "*?["):
        files = get_matching_files(data_sources)
    else:
        files = [data_sources]
    if not files:
        raise ValueError(f"No data files found in {data_sources}")
    return files


def prefetch_queue(
    tensors: Any,
    capacity: int = 8,
    num_threads: int = 1,
    dynamic_pad: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """A queue that threads fill with ``tensors``, a list or a dictionary."""
    names = sorted(tensors) if isinstance(tensors, dict) else None
    listed = [tensors[n] for n in names] if names is not None else tensors
    with name_scope(name, "prefetch_queue", listed):
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queue = kind(
            capacity=capacity, dtypes=[t.dtype for t in listed], shapes=[t.shape for t in listed], names=names,
            shared_name=shared_name,
        )  # fmt: skip
        enqueue = queue.enqueue(tensors)
        add_queue_runner(QueueRunner(queue, [enqueue] * num_threads))
        _tell_fullness(queue, capacity)
        return queue


class NestedQueueRunnerError(Exception):
    """Queue runners were started within such a block."""


_running = threading.Lock()


@contextmanager
def QueueRunners(session: Any) -> Iterator[None]:
    """Run the graph's queue runners inside of the block.

    Raises:
      NestedQueueRunnerError: they run already.
    """
    if not _running.acquire(False):
        raise NestedQueueRunnerError("QueueRunners cannot be nested")
    coordinator = Coordinator()
    threads: list[threading.Thread] = []
    for runner in scopes.get_collection(GraphKeys.QUEUE_RUNNERS):
        threads.extend(runner.create_threads(session, coord=coordinator, daemon=True, start=True))
    try:
        yield
    finally:
        coordinator.request_stop()
        try:
            coordinator.join(threads, stop_grace_period_secs=120)
        except RuntimeError:
            session.close()
        _running.release()


# -- decoding tf.Example records -----------------------------------------------------------------


class ItemHandler(abc.ABC):
    """Makes one item of the features that ``keys`` name."""

    def __init__(self, keys: Any) -> None:
        self._keys = keys if isinstance(keys, tuple | list) else [keys]

    @property
    def keys(self) -> Any:
        """The names of the features that it needs."""
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The item."""


class ItemHandlerCallback(ItemHandler):
    """The item that a function makes."""

    def __init__(self, keys: Any, func: Callable[[dict[str, Any]], Any]) -> None:
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Boxes, ``[number, 4]``, of four lists of sides.

    Raises:
      ValueError: there are not four keys.
    """

    def __init__(self, keys: Sequence[str] | None = None, prefix: str = "") -> None:
        if keys is None:
            keys = ["ymin", "xmin", "ymax", "xmax"]
        elif len(keys) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(keys)}")
        super().__init__([prefix + key for key in keys])

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        sides = []
        for key in self._keys:
            side = keys_to_tensors[key]
            sides.append(arrays.expand_dims(side.values if isinstance(side, sparse.SparseTensor) else side, 0))
        return permuting.transpose(joining.concat(sides, 0))


class Tensor(ItemHandler):
    """A feature as it is, or in a shape that is given or read from other features.

    Raises:
      ValueError: both are given.
    """

    def __init__(self, tensor_key: str, shape_keys: Any = None, shape: Any = None, default_value: Any = 0) -> None:
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        self._tensor_key, self._shape_keys = tensor_key, shape_keys
        self._shape, self._default_value = shape, default_value
        super().__init__([tensor_key, *(shape_keys or [])])

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        tensor, shape = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            sizes = [_dense(keys_to_tensors[key]) for key in self._shape_keys]
            shape = arrays.reshape(joining.stack(sizes), [-1])
        if isinstance(tensor, sparse.SparseTensor):
            if shape is not None:
                tensor = sparse_reshape(tensor, shape)
            return sparse_tensor_to_dense(tensor, self._default_value)
        return tensor if shape is None else arrays.reshape(tensor, shape)


def _dense(tensor: Any) -> Any:
    return sparse_tensor_to_dense(tensor) if isinstance(tensor, sparse.SparseTensor) else tensor


class LookupTensor(Tensor):
    """A feature looked up in a table."""

    def __init__(
        self, tensor_key: str, table: Any, shape_keys: Any = None, shape: Any = None, default_value: Any = ""
    ) -> None:
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """What one handler makes, or another if that is empty.

    Raises:
      ValueError: one of them is no handler.
    """

    def __init__(self, handler: ItemHandler, backup: ItemHandler) -> None:
        if not isinstance(handler, ItemHandler):
            raise ValueError(f"Primary handler is of type {type(handler)} instead of ItemHandler")
        if not isinstance(backup, ItemHandler):
            raise ValueError(f"Backup handler is of type {type(backup)} instead of ItemHandler")
        self._handler, self._backup = handler, backup
        super().__init__(handler.keys + backup.keys)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        item = self._handler.tensors_to_item(keys_to_tensors)
        is_empty = comparison.equal(reductions.reduce_prod(arrays.shape(item)), 0)
        return cond(is_empty, lambda: self._backup.tensors_to_item(keys_to_tensors), lambda: item)


class SparseTensor(ItemHandler):
    """A sparse tensor of a feature of positions and one of values."""

    def __init__(
        self,
        indices_key: str | None = None,
        values_key: str | None = None,
        shape_key: str | None = None,
        shape: Any = None,
        densify: bool = False,
        default_value: Any = 0,
    ) -> None:
        self._indices_key, self._values_key = indices_key or "indices", values_key or "values"
        self._shape_key, self._shape = shape_key, shape
        self._densify, self._default_value = densify, default_value
        super().__init__([self._indices_key, self._values_key, *([shape_key] if shape_key else [])])

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        indices, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = _dense(keys_to_tensors[self._shape_key])
        else:
            shape = self._shape or indices.dense_shape
        rank = arrays.shape(indices.indices)[1]
        ids = casts.cast(indices.values, dtypes.int64)
        kept = slicing.slice_(indices.indices, [0, 0], joining.stack([-1, rank - 1]))
        places = joining.concat([kept, arrays.reshape(ids, [-1, 1])], 1)
        tensor = sparse.SparseTensor(places, values.values, shape)
        return sparse_tensor_to_dense(tensor, self._default_value) if self._densify else tensor


class Image(ItemHandler):
    """A picture out of a feature of bytes, in the format that another feature names.

    Args:
      repeated: the feature holds several pictures.
    """

    def __init__(
        self,
        image_key: str | None = None,
        format_key: str | None = None,
        shape: Any = None,
        channels: int = 3,
        dtype: Any = dtypes.uint8,
        repeated: bool = False,
        dct_method: str = "",
    ) -> None:
        self._image_key, self._format_key = image_key or "image/encoded", format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape, self._channels, self._dtype = shape, channels, dtype
        self._repeated, self._dct_method = repeated, dct_method

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        data, word = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            return map_fn(lambda one: self._decode(one, word), data, dtype=self._dtype)
        return self._decode(data, word)

    def _decode(self, data: Any, word: Any) -> Any:
        def of_any_kind() -> Any:
            return casts.cast(decode_image(data, channels=self._channels), self._dtype)

        def of_jpeg() -> Any:
            return casts.cast(decode_jpeg(data, channels=self._channels, dct_method=self._dct_method), self._dtype)

        def of_bytes() -> Any:
            return decode_raw(data, out_type=self._dtype)

        is_raw = comparison.logical_or(comparison.equal(word, "raw"), comparison.equal(word, "RAW"))
        image = case(
            [(is_raw, of_bytes)], default=lambda: cond(is_jpeg(data), of_jpeg, of_any_kind, name="cond_jpeg"),
            exclusive=True,
        )  # fmt: skip
        image.set_shape([None, None, self._channels])
        return image if self._shape is None else arrays.reshape(image, self._shape)


class TFExampleDecoder(DataDecoder):
    """Items of serialized ``tf.Example``: the features that ``keys_to_features`` describes, through handlers."""

    def __init__(self, keys_to_features: dict[str, Any], items_to_handlers: dict[str, ItemHandler]) -> None:
        self._keys_to_features, self._items_to_handlers = keys_to_features, items_to_handlers

    def list_items(self) -> list[str]:
        return list(self._items_to_handlers)

    def decode(self, serialized_example: Any, items: Iterable[str] | None = None) -> list[Any]:
        example = parse_single_example(serialized_example, self._keys_to_features)
        for key in sorted(self._keys_to_features):
            feature = self._keys_to_features[key]
            if isinstance(feature, FixedLenFeature):
                example[key] = arrays.reshape(example[key], feature.shape)
        outputs = []
        for item in items or self._items_to_handlers:
            handler = self._items_to_handlers[item]
            outputs.append(handler.tensors_to_item({key: example[key] for key in handler.keys}))
        return outputs
