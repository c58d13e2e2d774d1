"""Where the batches of training come from: arrays, tensors, datasets and their iterators, generators."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from retrograd.data.dataset import Dataset
from retrograd.data.experimental import INFINITE_CARDINALITY as INFINITE
from retrograd.data.experimental import cardinality
from retrograd.data.iterators import Iterator as DataIterator
from retrograd.data.iterators import make_initializable_iterator
from retrograd.graph import log, nest
from retrograd.graph.errors import OutOfRangeError, taught
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.arrays import rows_of
from retrograd.keras.composites import SYMBOLIC, VALUES, length_of
from retrograd.keras.enqueuers import GeneratorEnqueuer, OrderedEnqueuer, SequenceEnqueuer
from retrograd.keras.lifting import EagerBatches, outside_of_models
from retrograd.keras.utils import Sequence

# -- sources -------------------------------------------------------------------------------------


class Source:
    """Batches for the epochs of a loop: each with its size, its weight in the mean, and what is fed.

    ``count`` is the number of examples, or with ``by_steps`` of batches; None if nobody knows.
    """

    count: int | None
    by_steps = True
    anew = False  # whether a dataset begins again in every epoch
    told: int | None = None  # how many batches there are, where callbacks hear of it although examples are counted

    def epoch(self) -> Iterator[tuple[int, int, list[Any]]]:
        """The batches of the next epoch."""
        raise NotImplementedError

    def close(self) -> None:
        """Called behind the last epoch."""


class ArrayBatches(Source):
    """Slices of arrays; with ``steps``, the whole arrays so many times.

    With ``per_epoch`` an epoch is so many slices: the next one goes on behind them, if ``goes_on``. ``tells``:
    callbacks are told how many there are.
    """

    def __init__(
        self, arrays: Any, batch_size: int, shuffle: Any, steps: int | None = None, per_epoch: int | None = None,
        goes_on: bool = True, tells: bool = False,
    ) -> None:  # fmt: skip
        self.arrays, self.batch_size, self.shuffle, self.steps = arrays, batch_size, shuffle, steps
        self.per_epoch, self.goes_on = per_epoch, goes_on
        self.by_steps = steps is not None
        self.count = steps if steps is not None else length_of(arrays[0])
        self.told = None if not tells else per_epoch or -(-length_of(arrays[0]) // batch_size)
        self._running: Iterator[tuple[int, int, list[Any]]] = iter(())

    def epoch(self) -> Iterator[tuple[int, int, list[Any]]]:
        if self.steps is not None:
            for _ in range(self.steps):
                yield 1, 1, self.arrays
        elif self.per_epoch is None:
            yield from self._slices()
        else:
            if not self.goes_on:
                self._running = self._slices()
            for _ in range(self.per_epoch):
                batch = next(self._running, None)
                if batch is None:
                    self._running = self._slices()
                    batch = next(self._running)
                yield batch

    def _slices(self) -> Iterator[tuple[int, int, list[Any]]]:
        """All examples once, slice by slice."""
        assert self.count is not None
        order = np.arange(self.count)
        if self.shuffle == "batch":
            order = _shuffled_batches(order, self.batch_size)
        elif self.shuffle:
            np.random.shuffle(order)
        for start in range(0, self.count, self.batch_size):
            rows = order[start : start + self.batch_size]
            is_whole = self.count <= self.batch_size
            if is_whole:
                yield len(rows), len(rows), self.arrays
                continue
            values = [rows_of(a, rows) for a in self.arrays]
            yield len(rows), len(rows), self.arrays.of(values) if hasattr(self.arrays, "of") else values

    def parts(self, share: float) -> tuple[ArrayBatches, ArrayBatches]:
        """The last ``share`` of the examples apart from those before."""
        at = int(length_of(self.arrays[0]) * (1.0 - share))
        parts = slice(at), slice(at, None)
        before, behind = (self.arrays.of([rows_of(a, part) for a in self.arrays]) for part in parts)
        size = self.batch_size
        if self.per_epoch is not None:
            size = size_of_steps(at, None, self.per_epoch)
        return (
            ArrayBatches(before, size, self.shuffle, self.steps, self.per_epoch, tells=self.told is not None),
            ArrayBatches(behind, size, self.told is None),
        )


def size_of_steps(count: int, batch_size: int | None, steps: int) -> int:
    """The size of batches of which ``steps`` make an epoch: by default all examples in equal parts.

    Raises:
      ValueError: there are too few examples, or they do not go into so many equal parts.
    """
    if batch_size is None:
        if count % steps:
            raise ValueError(
                f"The number of samples {count} is not divisible by steps {steps}. Please change the number of steps "
                "to a value that can consume all the samples"
            )
        return count // steps
    if count < batch_size * steps:
        raise ValueError(
            f"Number of samples {count} is less than samples required for specified batch_size {batch_size} and steps "
            f"{steps}"
        )
    return batch_size


def _shuffled_batches(order: np.ndarray, batch_size: int) -> np.ndarray:
    count = len(order) // batch_size
    head = order[: count * batch_size].reshape(count, batch_size)
    np.random.shuffle(head)
    return np.append(head.ravel(), order[count * batch_size :])


class TensorBatches(Source):
    """What tensors give when they run: those of the user, or the next elements of a dataset."""

    def __init__(self, model: Any, source: Any, steps: int | None, epochs: int, argument: str, fed: Any) -> None:
        self.is_dataset = isinstance(source, Dataset)
        self.anew = self.is_dataset and steps is None
        self.model, self.epochs, self.argument, self._fed = model, epochs, argument, fed
        self.iterator: Any = None
        if self.is_dataset:
            steps = steps_of(int(K.get_value(cardinality(source))), argument) if steps is None else steps
            self.iterator = make_initializable_iterator(source)
            K.get_session().run(self.iterator.initializer)
            source = self.iterator.get_next()
        elif isinstance(source, DataIterator):
            source = source.get_next()
        self.next = source
        self.count = self.steps = steps
        if steps is None and not self.is_dataset:
            error = ValueError(
                f"When using data tensors as input to a model, you should specify the `{argument}` argument."
            )
            raise taught(error, fix=f"{argument}=100")
        self._begun = False

    def first(self) -> Any:
        """One element, of what the tensors give."""
        return _evaluated(self.next)

    def epoch(self) -> Iterator[tuple[int, int, list[Any]]]:
        if self.anew and self._begun:
            K.get_session().run(self.iterator.initializer)
        self._begun = True
        step = 0
        while self.steps is None or step < self.steps:
            try:
                element = _evaluated(self.next)
            except OutOfRangeError:
                if self.anew and not self.count and step:
                    self.count = self.steps = step
                elif not (self.is_dataset and not self.count):
                    self._warn()
                return
            yield 1, 1, self._fed(element)
            step += 1

    def _warn(self) -> None:
        self.model.stop_training = True
        name = "dataset" if self.is_dataset else "dataset iterator"
        log.warning(
            f"Your {name} ran out of data; interrupting training. Make sure that your {name.split()[-1]} can generate "
            f"at least `{self.argument} * epochs` batches (in this case, {(self.count or 0) * self.epochs} batches). "
            "You may need to use the repeat() function when building your dataset."
        )


def _evaluated(structure: Any) -> Any:
    """The values of tensors; what is none stays."""
    flat = nest.flatten(structure)
    asked = [x for x in flat if isinstance(x, SYMBOLIC)]
    values = iter(K.get_session().run(asked))
    return nest.pack_sequence_as(structure, [next(values) if any(x is a for a in asked) else x for x in flat])


def steps_of(count: int, argument: str) -> int | None:
    """The number of elements of a dataset of this cardinality, None if nobody knows.

    Raises:
      ValueError: it has no end.
    """
    if count == INFINITE:
        error = ValueError(f"When passing an infinitely repeating dataset, you must specify the `{argument}` argument.")
        raise taught(error, fix=f"{argument}=100")
    return count if count >= 0 else None


class DatasetBatches(Source):
    """The elements of a dataset that is gone through where ops run at once."""

    def __init__(
        self, model: Any, batches: EagerBatches, steps: int | None, epochs: int, argument: str, fed: Any
    ) -> None:
        self.anew = steps is None
        self.count = self.steps = steps_of(batches.count, argument) if steps is None else steps
        self.model, self.epochs, self.argument, self._fed, self._batches = model, epochs, argument, fed, batches
        self.is_dataset = True

    def epoch(self) -> Iterator[tuple[int, int, list[Any]]]:
        given = 0
        for element in self._batches.epoch(self.steps, self.anew):
            values = self._fed(element)
            yield length_of(values[0]) if values else 1, 1, values
            given += 1
        if self.steps is None:
            self.count = self.steps = given or None
        elif given < self.steps:
            self.model.stop_training = True
            log.warning(
                "Your input ran out of data; interrupting training. Make sure that your dataset or generator can "
                f"generate at least `{self.argument} * epochs` batches (in this case, {self.steps * self.epochs} "
                "batches). You may need to use the repeat() function when building your dataset."
            )


class Ahead(NamedTuple):
    """How ``fit`` was told to make the batches of a generator or a ``Sequence`` ahead."""

    workers: int = 1
    use_multiprocessing: bool = False
    max_queue_size: int = 10

    def enqueuer(self, batches: Any, shuffle: bool) -> SequenceEnqueuer | None:
        """What makes them ahead; None where the one worker is the loop itself."""
        if self.workers < 1 or (self.workers == 1 and not self.use_multiprocessing):
            return None
        if isinstance(batches, Sequence):
            return OrderedEnqueuer(batches, self.use_multiprocessing, shuffle)
        return GeneratorEnqueuer(batches, self.use_multiprocessing)


class GeneratedBatches(Source):
    """What a generator yields, or a ``Sequence`` holds."""

    def __init__(
        self, model: Any, batches: Any, steps: int | None, shuffle: bool, argument: str, fed: Any, ahead: Ahead
    ) -> None:
        if steps is None:
            if not isinstance(batches, Sequence) and not hasattr(batches, "__len__"):
                error = ValueError(
                    f"When using a generator for training/testing, specify the number of steps via the `{argument}` "
                    "argument."
                )
                raise taught(error, fix=f"{argument}=100")
            steps = len(batches)
        self.count = self.steps = steps
        self.size = 32  # of the last batch
        self.model, self.argument, self._fed, self._batches = model, argument, fed, batches
        self._enqueuer = ahead.enqueuer(batches, shuffle)
        self._running: Iterator[Any]
        if self._enqueuer is not None:
            self._running = _taken(self._enqueuer, ahead)
        else:
            self._running = batches
            if isinstance(batches, Sequence):
                self._running = _Rounds(batches, shuffle) if ahead.workers > 0 else _over_and_over(batches)
        self._rounds = self._running if isinstance(self._running, _Rounds) else None

    def close(self) -> None:
        if self._enqueuer is not None and self._enqueuer.is_running():
            self._enqueuer.stop()

    def first(self) -> Any:
        """The first batch, which stays to be given."""
        with outside_of_models():
            batch = next(self._running)
        self._running = itertools.chain([batch], self._running)
        return batch

    def epoch(self) -> Iterator[tuple[int, int, list[Any]]]:
        for _ in range(self.steps):
            try:
                with outside_of_models():
                    element = next(self._running)
            except StopIteration:
                self.model.stop_training = True
                log.warning(
                    "Your dataset iterator ran out of data; interrupting training. Make sure that your iterator can "
                    "generate at least `%s * epochs` batches (in this case, %d batches). You may need to use the "
                    "repeat() function when building your dataset.", self.argument, self.steps,
                )  # fmt: skip
                return
            values = self._fed(element)
            self.size = len(nest.flatten(element)[0])
            yield self.size, 1, values
            if self._rounds is not None:
                with outside_of_models():
                    self._rounds.close()


def _taken(enqueuer: SequenceEnqueuer, ahead: Ahead) -> Iterator[Any]:
    """The batches of an enqueuer, which begins with the first."""
    enqueuer.start(ahead.workers, ahead.max_queue_size)
    yield from enqueuer.get()


def _over_and_over(batches: Sequence) -> Iterator[Any]:
    """The batches of a ``Sequence`` that is only read: in its own order, and without being told that a round ends."""
    while True:
        yield from batches


class _Rounds:
    """The batches of a ``Sequence`` over and over."""

    def __init__(self, batches: Any, shuffle: bool) -> None:
        self._batches, self._shuffle = batches, shuffle
        self._order = list(range(len(batches)))
        self._given = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        self.close()
        if not self._given and self._shuffle:
            random.shuffle(self._order)
        self._given += 1
        return self._batches[self._order[self._given - 1]]

    def close(self) -> None:
        """Tell the ``Sequence`` that a round has ended, if the last batch of it was given and is done with."""
        if self._given and self._given == len(self._order):
            self._given = 0
            self._batches.on_epoch_end()


# -- which source --------------------------------------------------------------------------------


def is_generator(x: Any) -> bool:
    """Whether ``x`` gives batches by itself, one after the other."""
    return isinstance(x, Sequence) or (hasattr(x, "__next__") and not isinstance(x, Tensor | DataIterator))


def is_symbolic(x: Any) -> bool:
    """Whether ``x`` is a dataset, its iterator, or made of tensors."""
    if isinstance(x, Dataset | DataIterator):
        return True
    flat = nest.flatten(x)
    return bool(flat) and all(isinstance(v, SYMBOLIC) for v in flat)


def inputs_of_batch(batch: Any) -> Any:
    """The inputs of a batch that may have targets too.

    Raises:
      ValueError: it is a tuple of more.
    """
    return parts_of_batch(batch)[0]


def parts_of_batch(batch: Any) -> tuple[Any, Any, Any]:
    """Inputs, targets and weights.

    Raises:
      ValueError: it is a tuple of more.
    """
    if not isinstance(batch, tuple) or isinstance(batch, VALUES):
        return batch, None, None
    if len(batch) not in (1, 2, 3):
        raise ValueError(
            "Output of generator should be a tuple of 1 or 2 or 3 elements: (input,) or (input, target) or (input, "
            f"target, sample_weights). Received {batch}"
        )
    if len(batch) == 1:
        return batch[0], None, None
    return (*batch, None) if len(batch) == 2 else batch


# -- what they are given beside ------------------------------------------------------------------


def gives_batches(x: Any) -> bool:
    """Whether ``x`` is a dataset, its iterator, a generator or a ``Sequence``."""
    return isinstance(x, Dataset | DataIterator | EagerBatches) or is_generator(x)


def check_alone(x: Any, y: Any, sample_weight: Any, batch_size: Any) -> None:
    """What gives batches by itself has its targets, weights and batch size in them.

    Raises:
      ValueError: they are given beside it.
    """
    if not gives_batches(x):
        return
    if batch_size is not None:
        raise ValueError(
            f"The `batch_size` argument must not be specified for the given input type. Received input: {x}, "
            f"batch_size: {batch_size}"
        )
    if is_generator(x):
        for name, value, words in (
            ("y", y, "targets as the second"), ("sample_weight", sample_weight, "sample weights as the third"),
        ):  # fmt: skip
            if value is not None:
                raise ValueError(
                    f"`{name}` argument is not supported when data isa generator or Sequence instance. Instead pass "
                    f"{words} element of the generator."
                )
        return
    if y is not None:
        raise ValueError(
            f"You passed a dataset or dataset iterator ({x}) as input `x` to your model. In that case, you should not "
            "specify a target (`y`) argument, since the dataset or dataset iterator generates both input data and "
            f"target data. Received: {y}"
        )
    if sample_weight is not None:
        raise ValueError(
            "`sample_weight` argument is not supported when input `x` is a dataset or a dataset iterator. Instead, you"
            "can provide sample_weight as the third element  of yourdataset, i.e. (inputs, targets, sample_weight). "
            f"Received: x={x}, sample_weight={sample_weight}"
        )


def no_split(x: Any, validation_split: float) -> Exception:
    """The error for data of which no part can be held out."""
    if is_generator(x):
        text = "If your data is in the form of a Python generator, you cannot use `validation_split`."
    elif gives_batches(x):
        text = (
            "`validation_split` argument is not supported when input `x` is a dataset or a dataset iterator. Received: "
            f"x={x}, validation_split={validation_split}"
        )
    else:
        text = (
            "If your data is in the form of symbolic tensors, you cannot use `validation_split`. Got data of the type "
            f"{type(x).__name__}"
        )
    return taught(ValueError(text), fix="model.fit(..., validation_data=...)")
