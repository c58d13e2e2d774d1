"""``tf.estimator.inputs``: functions that feed arrays and data frames to a model through a queue.

Source: ``tensorflow_estimator`` 1.15.1, ``inputs/numpy_io.py``, ``inputs/pandas_io.py`` and ``inputs/queues``.
"""

from __future__ import annotations

import inspect
import itertools
import random
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, log
from retrograd.graph.scopes import name_scope
from retrograd.nn import summaries
from retrograd.ops import arithmetic, casts, constants
from retrograd.ops.queue_classes import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from retrograd.run import advice
from retrograd.train.queue_runner import QueueRunner, add_queue_runner

# -- what is fed -------------------------------------------------------------------------------


def _batches_of_indices(
    length: int, batch_size: int, num_epochs: int | None, random_start: bool, seed: Any
) -> Iterator[list[int]]:
    """Indices from a start onwards and around; the batch that ends the last epoch may be shorter."""
    random.seed(seed)
    start = random.randrange(length) if random_start else 0
    for begin in itertools.count(0, batch_size):
        left = batch_size if num_epochs is None else min(batch_size, num_epochs * length - begin)
        if left <= 0:
            return
        yield [(start + i) % length for i in range(begin, begin + left)]


def _frames_of_columns(columns: list[Any], index: Any, **batching: Any) -> Iterator[list[Any]]:
    """The index and each column at the indices of each batch."""
    for rows in _batches_of_indices(len(columns[0] if columns else index), **batching):
        yield [rows if index is None else index[rows], *(column[rows] for column in columns)]


def _frames_of_generator(
    generator: Callable[[], Iterator[Any]], batch_size: int, num_epochs: int | None, pad_value: Any
) -> Iterator[list[Any]]:
    """The dictionaries of a generator in batches, a list for each key in the order of the keys.

    ``batch_size`` counts the values of all keys, and a batch that an epoch ends goes on in the next one.
    """
    keys = sorted(next(generator()))
    rows = generator()
    epoch = 0
    while not (num_epochs and epoch >= num_epochs):
        batch: list[list[Any]] = [[] for _ in keys]
        count = 0
        while count < batch_size:
            row = next(rows, None)
            if row is None:
                epoch += 1
                rows = generator()
                row = next(rows)
            for i, key in enumerate(keys):
                if key not in row:
                    raise KeyError(
                        f"key mismatch between dicts emitted by GenFun Expected {keys} keys; got {row.keys()}"
                    )
                batch[i].append(row[key])
                count += 1
        yield [np.asarray(c if pad_value is None else _padded(c, pad_value)) for c in batch]


def _padded(rows: list[Any], fill: Any) -> Any:
    """Arrays whose last axes differ, made as long as the longest."""
    if len({row.shape[:-1] if row.ndim else None for row in rows}) > 1:
        raise ValueError("Array shapes must match.")
    lengths = [row.shape[-1] if row.ndim else 0 for row in rows]
    if len(set(lengths)) == 1:
        return rows
    whole = np.full([len(rows), *rows[0].shape[:-1], max(lengths)], fill, rows[0].dtype)
    for target, row in zip(whole, rows, strict=True):
        target[..., : row.shape[-1]] = row
    return whole


class _FeedingQueueRunner(QueueRunner):
    """A ``QueueRunner`` each of whose ops has a function that gives what to feed it."""

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Any = None,
        close_op: Any = None,
        cancel_op: Any = None,
        feed_fns: Any = None,
        queue_closed_exception_types: Any = None,
    ) -> None:
        closed = queue_closed_exception_types or (errors.OutOfRangeError, errors.CancelledError)
        super().__init__(queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types=closed)
        if feed_fns is not None and len(feed_fns) != len(enqueue_ops):
            raise ValueError("If feed_fns is not None, it must have the same length as enqueue_ops.")
        self._feed_fns = feed_fns or [None] * len(enqueue_ops)

    def _fill(self, sess: Any, enqueue_op: Any, feed_fn: Any, coord: Any) -> None:
        """What a thread does."""
        if coord:
            coord.register_thread(threading.current_thread())
        is_last = False
        try:
            while not (coord and coord.should_stop()):
                sess.run(enqueue_op, feed_dict=feed_fn and feed_fn())
        except (errors.OutOfRangeError, errors.CancelledError):
            with self._lock:
                is_last = self._runs_per_session[sess] == 1
            if is_last:
                try:
                    sess.run(self._close_op)
                except Exception as error:
                    log.debug("Ignored exception: %s", error)
        except Exception as error:
            if coord:
                coord.request_stop(error)
            else:
                log.error("Exception in QueueRunner: %s", error)
                with self._lock:
                    self._exceptions_raised.append(error)
                raise
        finally:
            with self._lock:
                self._runs_per_session[sess] -= 1

    def create_threads(
        self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """The threads that fill the queue, none if they run in this session already."""
        with self._lock:
            if self._runs_per_session.get(sess, 0) > 0:
                return []
            self._runs_per_session[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        pairs = zip(self._enqueue_ops, self._feed_fns, strict=True)
        threads = [
            threading.Thread(
                target=self._fill, args=(sess, op, fn, coord), name=f"{advice.THREADS}{self.name}-{op.name}"
            )
            for op, fn in pairs
        ]
        if coord:
            threads.append(threading.Thread(target=self._close_on_stop, args=(sess, self._cancel_op, coord)))
        for thread in threads:
            thread.daemon = daemon
            if start:
                thread.start()
        return threads

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Not to be had: functions have no protocol buffer.

        Raises:
          NotImplementedError: always.
        """
        raise NotImplementedError(f"{type(self).__name__} does not support serialization to proto.")


def _frame_source(data: Any) -> tuple[list[Any], list[Any], Callable[..., Iterator[list[Any]]]]:
    """Dtypes, shapes and the source of batches of some data."""
    if isinstance(data, np.ndarray):
        data = OrderedDict({"": data})
    if isinstance(data, OrderedDict):
        columns = list(data.values())
        if len({len(c) for c in columns}) > 1:
            raise ValueError("Array lengths must match.")
        types = [dtypes.int64, *(dtypes.as_dtype(c.dtype) for c in columns)]
        return types, [(), *(c.shape[1:] for c in columns)], lambda **kw: _frames_of_columns(columns, None, **kw)
    if inspect.isfunction(data):
        first = next(data())
        values = [np.asarray(first[key]) for key in sorted(first)]
        return (
            [dtypes.as_dtype(v.dtype) for v in values],
            [v.shape for v in values],
            lambda **kw: _frames_of_generator(data, kw["batch_size"], kw["num_epochs"], kw.get("pad_value")),
        )
    if hasattr(data, "iloc") and hasattr(data, "columns"):
        kinds = [dtypes.as_dtype(d) for d in [data.index.dtype, *data.dtypes]]
        columns = [data[name].values for name in data.columns]
        return kinds, [() for _ in kinds], lambda **kw: _frames_of_columns(columns, data.index.values, **kw)
    raise TypeError(
        f"data must be either a numpy array or pandas DataFrame if pandas is installed; got {type(data).__name__}"
    )


def _enqueue_data(
    data: Any,
    capacity: int,
    shuffle: bool = False,
    min_after_dequeue: float | None = None,
    num_threads: int = 1,
    seed: int | None = None,
    name: str = "enqueue_input",
    enqueue_size: int = 1,
    num_epochs: int | None = None,
    pad_value: Any = None,
) -> Any:
    """A queue that threads fill with the data: arrays, a data frame, or a function that makes a generator."""
    with name_scope(name):
        types, shapes, source = _frame_source(data)
        if pad_value is not None and not inspect.isfunction(data):
            raise NotImplementedError("padding is only available with generator usage")
        if shuffle and pad_value is not None:
            raise NotImplementedError("padding and shuffling data at the same time is not implemented")
        _warn_of_threads(num_threads, num_epochs, shuffle)
        left = 0
        if shuffle:
            left = int(capacity / 4 if min_after_dequeue is None else min_after_dequeue)
            queue: Any = RandomShuffleQueue(capacity, left, dtypes=types, shapes=shapes, seed=seed)
        elif pad_value is not None:
            open_ended = [(*shape[:-1], None) if shape else shape for shape in shapes]
            queue = PaddingFIFOQueue(capacity, dtypes=types, shapes=open_ended)
        else:
            queue = FIFOQueue(capacity, dtypes=types, shapes=shapes)
        ops, feeds = [], []
        for i in range(num_threads):
            places = [constants.placeholder(t) for t in types]
            ops.append(queue.enqueue_many(places))
            more = {"pad_value": pad_value} if pad_value is not None else {}
            if not inspect.isfunction(data):
                more.update(random_start=shuffle, seed=None if seed is None else (i + 1) * seed)
            frames = source(batch_size=enqueue_size, num_epochs=num_epochs, **more)
            feeds.append(_feeding(places, frames, num_epochs))
        add_queue_runner(_FeedingQueueRunner(queue=queue, enqueue_ops=ops, feed_fns=feeds))
        free = capacity - left
        full = casts.cast(arithmetic.maximum(0, queue.size() - left), dtypes.float32) * (1.0 / free)
        summaries.scalar(f"queue/{queue.name}fraction_over_{left}_of_{free}_full", full)
        return queue


def _feeding(places: list[Any], frames: Iterator[list[Any]], num_epochs: int | None) -> Callable[[], dict[Any, Any]]:
    """A function that gives the next batch; ``OutOfRangeError`` when the epochs are over, and ever after."""

    def feed() -> dict[Any, Any]:
        frame = next(frames, None)
        if frame is None:
            raise errors.OutOfRangeError(None, None, f"Already emitted {num_epochs} epochs.")
        return dict(zip(places, frame, strict=True))

    return feed


def _warn_of_threads(num_threads: int, num_epochs: int | None, shuffle: bool) -> None:
    if num_threads > 1 and num_epochs is not None:
        log.warning("enqueue_data was called with num_epochs and num_threads > 1. num_epochs is applied per thread, "
                    "so this will produce more epochs than you probably intend. If you want to limit epochs, use one "
                    "thread.")  # fmt: skip
    if shuffle and num_threads > 1 and num_epochs is not None:
        log.warning("enqueue_data was called with shuffle=True, num_threads > 1, and num_epochs. This will create "
                    "multiple threads, all reading the array/dataframe in order adding to the same shuffling queue; "
                    "the results will likely not be sufficiently shuffled.")  # fmt: skip
    if not shuffle and num_threads > 1:
        log.warning("enqueue_data was called with shuffle=False and num_threads > 1. This will create multiple "
                    "threads, all reading the array/dataframe in order. If you want examples read in order, use one "
                    "thread; if you want multiple threads, enable shuffling.")  # fmt: skip


# -- functions of input ------------------------------------------------------------------------


def _check_shuffle(shuffle: Any) -> None:
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for "
            f"training); got {shuffle}"
        )


def _columns_of(x: Any) -> OrderedDict[str, Any]:
    """Arrays in the order of their names."""
    if isinstance(x, dict):
        if not x:
            raise ValueError("x cannot be an empty dict")
        return OrderedDict(sorted(x.items()))
    if isinstance(x, np.ndarray):
        if x.size == 0:
            raise ValueError("x cannot be an empty array")
        return OrderedDict({"__direct_np_input__": x})
    raise TypeError(f"x must be a dict or array; got {type(x).__name__}")


def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    """A function that gives batches of arrays as tensors: features, or features and targets.

    Args:
      x: an array, or a dictionary of arrays.
      y: the same of the targets.
      num_epochs: how often to go through the data; None for ever.
      shuffle: whether batches are drawn at random from the queue; must be given.
      queue_capacity, num_threads: of the queue.

    Raises:
      ValueError: ``shuffle`` is not given; by the function, for arrays that are empty or differ in length.
    """
    _check_shuffle(shuffle)

    def input_fn() -> Any:
        data = _columns_of(x)
        features = list(data)
        targets: Any = None
        if isinstance(y, dict):
            if not y:
                raise ValueError("y cannot be empty dict, use None instead.")
            targets = sorted(y)
            duplicates = set(features) & set(targets)
            if duplicates:
                raise ValueError(f"{len(duplicates)} duplicate keys are found in both x and y: {duplicates}")
            data.update(sorted(y.items()))
        elif y is not None:
            targets = "__target_key__"
            while targets in data:
                targets += "_n"
            data[targets] = y
        if len({v.shape[0] for v in data.values()}) != 1:
            of_y = data[targets].shape if isinstance(targets, str) else targets and {k: y[k].shape for k in targets}
            raise ValueError(
                "Length of tensors in x and y is mismatched. All elements in x and y must have the same length.\n"
                f"Shapes in x: { ({k: data[k].shape for k in features}) }\nShapes in y: {of_y}\n"
            )
        queue = _enqueue_data(
            data, queue_capacity, shuffle=bool(shuffle), num_threads=num_threads, enqueue_size=batch_size,
            num_epochs=num_epochs,
        )  # fmt: skip
        batch = (queue.dequeue_many if num_epochs is None else queue.dequeue_up_to)(batch_size)[1:]
        given = batch[0] if isinstance(x, np.ndarray) else dict(zip(features, batch, strict=False))
        if targets is None:
            return given
        if isinstance(targets, str):
            return given, batch[-1]
        return given, dict(zip(targets, batch[len(features) :], strict=True))

    return input_fn


def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int | None = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable[[], Any]:
    """``numpy_input_fn`` for data frames: a feature for each column.

    Raises:
      TypeError: ``target_column`` is no string.
      ValueError: ``shuffle`` is not given, the indices of ``x`` and ``y`` differ, or a column has the target's name.
    """
    _check_shuffle(shuffle)
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    x = x.copy()
    targets: dict[str, str] | None = None  # the column of each
    if y is not None:
        if target_column in x:
            raise ValueError(
                f"Cannot use name {target_column} for target column: DataFrame already has a column with that name: "
                f"{x.columns}"
            )
        if not np.array_equal(x.index, y.index):
            raise ValueError(f"Index for x and y are mismatched.\nIndex for x: {x.index}\nIndex for y: {y.index}\n")
        if hasattr(y, "columns"):
            targets = {name: f"{name}_{uuid.uuid4()}" if name in x else name for name in y}
            for name, column in targets.items():
                x[column] = y[name]
        else:
            x[target_column] = y
    capacity = (4 * len(x) if shuffle else len(x)) if queue_capacity is None else queue_capacity

    def input_fn() -> Any:
        queue = _enqueue_data(
            x, capacity, shuffle=bool(shuffle), min_after_dequeue=max(capacity / 4, 1), num_threads=num_threads,
            enqueue_size=batch_size, num_epochs=num_epochs,
        )  # fmt: skip
        batch = (queue.dequeue_many if num_epochs is None else queue.dequeue_up_to)(batch_size)
        features = dict(zip(list(x.columns), batch[1:], strict=True))
        if y is None:
            return features
        if targets is None:
            return features, features.pop(target_column)
        return features, {name: features.pop(column) for name, column in targets.items()}

    return input_fn
