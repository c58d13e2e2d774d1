"""``tf.contrib.learn``'s readers: examples of files through queues, in batches, and what is parsed of them.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/learn_io/graph_io.py`` and ``contrib/input_pipeline``:
arguments, order of queues, messages.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from retrograd.graph import dtypes, errors
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.io.gfile import get_matching_files
from retrograd.nn import summaries
from retrograd.ops import arrays, casts, constants, parsing
from retrograd.ops.indexing import gather
from retrograd.ops.queue_classes import FIFOQueue
from retrograd.ops.readers import TFRecordReader
from retrograd.ops.state import assign
from retrograd.state.scopes import get_variable, variable_scope
from retrograd.train import input as queues
from retrograd.train.queue_runner import QueueRunner, add_queue_runner

_KEY = "__key__"

# -- names of files, one after the other -----------------------------------------------------------


def obtain_next(string_list_tensor: Any, counter: Any) -> Tensor:
    """The string behind that at ``counter``, a variable, which goes on to it; behind the last comes the first."""
    place = assign(counter, (counter + 1) % arrays.size(string_list_tensor, out_type=dtypes.int64))
    return gather(string_list_tensor, place)


def seek_next(
    string_list: list[str], shuffle: bool = False, seed: int | None = None, num_epochs: int | None = None
) -> Tensor:
    """The next string of a list; the place is kept in variables, so that others can share it.

    With ``num_epochs`` there is none after so many times through the list: OutOfRangeError.
    """
    if shuffle and seed:
        random.seed(seed)
    strings: list[str] = []
    for _ in range(num_epochs or 1):
        if shuffle:
            random.shuffle(string_list)
        strings += string_list

    def held(name: str, value: Tensor) -> Any:
        return get_variable(f"obtain_next_{name}", initializer=value, dtype=value.dtype, trainable=False)

    with variable_scope("obtain_next"):
        counter = held("counter", constants.constant(-1, dtypes.int64))
        with colocate_with(counter):
            strings_held = held("expanded_list", constants.constant(strings))
        if not num_epochs:
            return obtain_next(strings_held, counter)
        count = held("filename_counter", constants.constant(0, dtypes.int64)).count_up_to(len(strings))
        with control_dependencies([count]):
            return obtain_next(strings_held, counter)


def _file_names(file_pattern: Any, is_random: bool) -> list[str]:
    if isinstance(file_pattern, list) and not file_pattern:
        raise ValueError("No files given to dequeue_examples.")
    patterns = file_pattern if isinstance(file_pattern, list) else [file_pattern]
    found = [name for pattern in patterns for name in get_matching_files(pattern)]
    if not found:
        raise ValueError(f"No files match {file_pattern}.")
    return found if is_random else sorted(found)


# -- examples --------------------------------------------------------------------------------------


def _check(batch_size: Any, queue_capacity: Any, read_batch_size: Any, num_threads: Any, num_epochs: Any) -> None:
    if not queue_capacity or queue_capacity <= 0:
        raise ValueError(f"Invalid queue_capacity {queue_capacity}.")
    if batch_size is None or (not isinstance(batch_size, Tensor) and not 0 < batch_size < queue_capacity):
        raise ValueError(f"Invalid batch_size {batch_size}, with queue_capacity {queue_capacity}.")
    if read_batch_size is None or (not isinstance(read_batch_size, Tensor) and read_batch_size <= 0):
        raise ValueError(f"Invalid read_batch_size {read_batch_size}.")
    if not num_threads or num_threads <= 0:
        raise ValueError(f"Invalid num_threads {num_threads}.")
    if num_epochs is not None and num_epochs <= 0:
        raise ValueError(f"Invalid num_epochs {num_epochs}.")


def _read(queue: Any, reader: Callable[[], Any], read_batch_size: int, parse_fn: Any) -> Any:
    """What one reader gives: keys and examples, or what is parsed of them."""
    made = reader()
    keys, examples = made.read_up_to(queue, read_batch_size) if read_batch_size > 1 else made.read(queue)
    if not parse_fn:
        return keys, examples
    parsed = parse_fn(examples)
    return {**parsed, _KEY: keys} if isinstance(parsed, dict) else (keys, parsed)


def _keyed_examples(
    is_shared: bool, file_pattern: Any, batch_size: Any, reader: Any, is_random: bool, num_epochs: int | None,
    capacity: int, num_threads: int, read_batch_size: int, parse_fn: Any, name: str | None, seed: int | None,
) -> tuple[Any, Any]:  # fmt: skip
    names = _file_names(file_pattern, is_random)
    _check(batch_size, capacity, read_batch_size, num_threads, num_epochs)
    with name_scope(name, "read_batch_examples", [file_pattern]) as scope:
        with name_scope("file_name_queue") as names_scope:
            if is_shared:
                queue: Any = FIFOQueue(capacity=1, dtypes=[dtypes.string], shapes=[[]])
                enqueue = queue.enqueue(seek_next(names, shuffle=is_random, num_epochs=num_epochs, seed=seed))
                add_queue_runner(QueueRunner(queue, [enqueue]))
            else:
                queue = queues.string_input_producer(
                    constants.constant(names, name="input"), shuffle=is_random, num_epochs=num_epochs,
                    name=names_scope, seed=seed,
                )  # fmt: skip
        with name_scope("read"):
            read = [_read(queue, reader, read_batch_size, parse_fn) for _ in range(num_threads)]
        options: dict[str, Any] = {
            "capacity": capacity, "enqueue_many": read_batch_size > 1, "name": scope,
            "allow_smaller_final_batch": num_epochs is not None,
        }  # fmt: skip
        if is_random:
            least = (
                int(capacity * 0.4) if isinstance(batch_size, Tensor) else max(capacity - 3 * batch_size, batch_size)
            )
            batch = queues.shuffle_batch_join(read, batch_size, min_after_dequeue=least, seed=seed, **options)
        else:
            batch = queues.batch_join(read, batch_size, **options)
        if parse_fn and isinstance(batch, dict):
            return batch.pop(_KEY), batch
        return batch  # type: ignore[return-value]


def read_keyed_batch_examples(
    file_pattern: Any,
    batch_size: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int = 1,
    parse_fn: Any = None,
    name: str | None = None,
    seed: int | None = None,
) -> tuple[Any, Any]:
    """Keys and examples of files, through queues, in batches.

    Args:
      file_pattern: a pattern of names of files, or a list of them.
      reader: makes a reader of files.
      randomize_input: whether files and examples come in random order.
      num_epochs: how often the files are read; None: without end.
      queue_capacity, num_threads: of the queue of examples.
      read_batch_size: how many examples a reader reads at once.
      parse_fn: of what is read: a tensor or a dict of them.

    Raises:
      ValueError: no files, or numbers that are not positive or do not fit.
    """
    return _keyed_examples(
        False, file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, num_threads,
        read_batch_size, parse_fn, name, seed,
    )  # fmt: skip


def read_keyed_batch_examples_shared_queue(
    file_pattern: Any,
    batch_size: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int = 1,
    parse_fn: Any = None,
    name: str | None = None,
    seed: int | None = None,
) -> tuple[Any, Any]:
    """``read_keyed_batch_examples`` whose place among the files is kept in variables."""
    return _keyed_examples(
        True, file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, num_threads,
        read_batch_size, parse_fn, name, seed,
    )  # fmt: skip


def read_batch_examples(
    file_pattern: Any,
    batch_size: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int = 1,
    parse_fn: Any = None,
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """``read_keyed_batch_examples`` without keys."""
    return _keyed_examples(
        False, file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, num_threads,
        read_batch_size, parse_fn, name, seed,
    )[1]  # fmt: skip


# -- features --------------------------------------------------------------------------------------


def queue_parsed_features(
    parsed_features: Mapping[str, Any],
    keys: Any = None,
    feature_queue_capacity: int = 100,
    num_enqueue_threads: int = 2,
    name: str | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Keys and features through a queue that is filled by threads."""
    args = [*parsed_features.values(), *([] if keys is None else [keys])]
    with name_scope(name, "queue_parsed_features", args):
        parts: list[Any] = []
        for key in sorted(parsed_features):
            x = parsed_features[key]
            parts += [x.indices, x.values, x.dense_shape] if isinstance(x, SparseTensor) else [x]
        parts += [] if keys is None else [keys]
        queue = FIFOQueue(feature_queue_capacity, [x.dtype for x in parts])
        summaries.scalar(
            f"queue/parsed_features/{queue.name}/fraction_of_{feature_queue_capacity}_full",
            casts.cast(queue.size(), dtypes.float32) * (1.0 / feature_queue_capacity),
        )
        ends = (errors.OutOfRangeError, errors.CancelledError)
        enqueue = [queue.enqueue(parts) for _ in range(num_enqueue_threads)]
        add_queue_runner(QueueRunner(queue, enqueue, queue_closed_exception_types=ends))
        given = queue.dequeue()
        given = list(given) if isinstance(given, list | tuple) else [given]
        for there, here in zip(given, parts, strict=True):
            there.set_shape(here.get_shape())
        found: dict[str, Any] = {}
        for key in sorted(parsed_features):
            is_sparse = isinstance(parsed_features[key], SparseTensor)
            found[key] = SparseTensor(given.pop(0), given.pop(0), given.pop(0)) if is_sparse else given.pop(0)
        return (given.pop() if given else None), found


def _keyed_features(
    is_shared: bool, file_pattern: Any, batch_size: Any, features: Any, reader: Any, is_random: bool,
    num_epochs: int | None, capacity: int, num_threads: int, read_batch_size: Any, parse_fn: Any,
    feature_capacity: int, enqueuing_threads: int, name: str | None,
) -> tuple[Any, dict[str, Any]]:  # fmt: skip
    with name_scope(name, "read_batch_features", [file_pattern]) as scope:
        keys, examples = _keyed_examples(
            is_shared, file_pattern, batch_size, reader, is_random, num_epochs, capacity, num_threads,
            read_batch_size, parse_fn, scope, None,
        )  # fmt: skip
        parsed = parsing.parse_example(examples, features)
        return queue_parsed_features(parsed, keys, feature_capacity, enqueuing_threads, name=scope)


def read_keyed_batch_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    reader_num_threads: int = 1,
    feature_queue_capacity: int = 100,
    num_enqueue_threads: int = 2,
    parse_fn: Any = None,
    name: str | None = None,
    read_batch_size: int | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Keys and the features that are parsed of the examples of files, in batches; arguments as of the readers above.

    Args:
      features: what to parse, as of ``tf.parse_example``.
    """
    return _keyed_features(
        False, file_pattern, batch_size, features, reader, randomize_input, num_epochs, queue_capacity,
        reader_num_threads, batch_size if read_batch_size is None else read_batch_size, parse_fn,
        feature_queue_capacity, num_enqueue_threads, name,
    )  # fmt: skip


def read_keyed_batch_features_shared_queue(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    reader_num_threads: int = 1,
    feature_queue_capacity: int = 100,
    num_queue_runners: int = 2,
    parse_fn: Any = None,
    name: str | None = None,
) -> tuple[Any, dict[str, Any]]:
    """``read_keyed_batch_features`` whose place among the files is kept in variables."""
    return _keyed_features(
        True, file_pattern, batch_size, features, reader, randomize_input, num_epochs, queue_capacity,
        reader_num_threads, batch_size, parse_fn, feature_queue_capacity,
        num_queue_runners, name,
    )  # fmt: skip


def read_batch_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    feature_queue_capacity: int = 100,
    reader_num_threads: int = 1,
    num_enqueue_threads: int = 2,
    parse_fn: Any = None,
    name: str | None = None,
    read_batch_size: int | None = None,
) -> dict[str, Any]:
    """``read_keyed_batch_features`` without keys."""
    return read_keyed_batch_features(
        file_pattern, batch_size, features, reader, randomize_input, num_epochs, queue_capacity, reader_num_threads,
        feature_queue_capacity, num_enqueue_threads, parse_fn, name, read_batch_size,
    )[1]  # fmt: skip


def read_batch_record_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    reader_num_threads: int = 1,
    name: str | None = "dequeue_record_examples",
) -> dict[str, Any]:
    """``read_batch_features`` of files of records."""
    return read_batch_features(
        file_pattern, batch_size, features, TFRecordReader, randomize_input, num_epochs, queue_capacity,
        reader_num_threads=reader_num_threads, name=name,
    )  # fmt: skip
