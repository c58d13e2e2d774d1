"""Iterators in checkpoints: a saver that is given one continues where it stood.

What is saved is how many elements were taken, and the seeds that shuffles drew for themselves; restoring begins the
dataset again and passes over so many.  So the pipeline must be the same, and what Python functions do in it is done
again.  A state that TensorFlow wrote holds its graph in a form of its own, and cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.apply import apply
from retrograd.graph.scopes import colocate_with
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.ops.iterators import DESERIALIZE, SERIALIZE


class _IteratorSaveable(SaveableObject):
    def __init__(self, resource: Any, name: str) -> None:
        serialized = apply(SERIALIZE, resource)
        super().__init__(resource, [SaveSpec(serialized, "", f"{name}-state")], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        with colocate_with(self.op):
            return apply(DESERIALIZE, self.op, restored_tensors[0])


def make_saveable_from_iterator(iterator: Any) -> SaveableObject:
    """What a ``Saver`` takes in order to save where an iterator stands.

    >>> from retrograd import tf
    >>> iterator = tf.data.Dataset.range(3).make_initializable_iterator()
    >>> saver = tf.train.Saver({"iterator": tf.data.experimental.make_saveable_from_iterator(iterator)})
    """
    return saveable_of(iterator._iterator_resource)


def saveable_of(resource: Any) -> SaveableObject:
    """The same of an iterator's resource."""
    return _IteratorSaveable(resource, resource.name)


def parts_of_iterator(iterator: Any) -> dict[str, Callable[..., SaveableObject]]:
    """What a ``Checkpoint`` saves of an iterator."""
    return {"ITERATOR": lambda name="": _IteratorSaveable(iterator._iterator_resource, name)}
