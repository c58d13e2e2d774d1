"""``tf.contrib.learn.io``: functions of input whose batches are drawn at random unless they say otherwise.

Source: TensorFlow 1.15, ``contrib/learn/python/learn/learn_io``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from types import GeneratorType
from typing import Any

from retrograd.estimator import inputs


def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    """``tf.estimator.inputs.numpy_input_fn`` that shuffles by itself."""
    return inputs.numpy_input_fn(x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads)


def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int | None = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable[[], Any]:
    """``tf.estimator.inputs.pandas_input_fn`` that shuffles by itself."""
    return inputs.pandas_input_fn(x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, target_column)


def generator_input_fn(
    x: Callable[[], Iterator[dict[str, Any]]],
    target_key: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
    pad_value: Any = None,
) -> Callable[[], Any]:
    """A function that gives batches of what a generator yields as tensors: features, or features and targets.

    Args:
      x: a function that makes a generator of dictionaries of arrays; their shapes are the first one's.
      target_key: the key of the target, or several of them; None for features alone.
      num_epochs: how often to go through the generator; None for ever.
      queue_capacity, num_threads: of the queue.
      pad_value: what makes last axes as long as the longest of a batch.

    Raises:
      TypeError: ``x`` is no such function, or ``target_key`` no key.
      KeyError: the generator does not yield one of several targets; by the function, the target.
    """
    names = sorted(_first(x))
    targets: Any = [target_key] if isinstance(target_key, str) else target_key
    if targets is not None:
        if not isinstance(targets, Collection):
            raise TypeError(f"target_key must be str or Container of str; got {type(targets).__name__}")
        for key in targets:
            if not isinstance(key, str):
                raise TypeError(f"target_key must be str or Container of str; got {type(key).__name__}")
            if key not in names and not isinstance(target_key, str):
                raise KeyError(f"target_key not in yielded dict. Expected {names} keys; got {key}")

    def input_fn() -> Any:
        queue = inputs._enqueue_data(
            x, queue_capacity, shuffle=shuffle, num_threads=num_threads, enqueue_size=batch_size,
            num_epochs=num_epochs, pad_value=pad_value,
        )  # fmt: skip
        batch = (queue.dequeue_many if num_epochs is None else queue.dequeue_up_to)(batch_size)
        features = dict(zip(names, batch if isinstance(batch, list | tuple) else [batch], strict=True))
        if targets is None:
            return features
        if isinstance(target_key, str):
            return features, features.pop(target_key)
        return features, {key: features.pop(key) for key in targets}

    return input_fn


def _first(x: Any) -> dict[str, Any]:
    """What the generator yields first."""
    if not callable(x):
        raise TypeError(f"x must be generator function; got {type(x).__name__}")
    generator = x()
    if not isinstance(generator, GeneratorType):
        raise TypeError(f"x() must be generator; got {type(generator).__name__}")
    first = next(generator)
    if not isinstance(first, dict):
        raise TypeError(f"x() must yield dict; got {type(first).__name__}")
    return first
