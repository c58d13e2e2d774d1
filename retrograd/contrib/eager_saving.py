"""``tf.contrib.eager.Saver``: variables to checkpoints and back, where ops run at once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.stack import default_graph
from retrograd.io import saver
from retrograd.io.checkpoint_values import CheckpointReader
from retrograd.state.scopes import variable_scope


class EagerSaver:
    """Saves and restores a list of variables, or a dictionary of them.

    Raises:
      RuntimeError: a graph is being built.
    """

    def __init__(self, var_list: Any) -> None:
        if not default_graph().is_eager:
            raise RuntimeError(
                "tfe.Saver can only be used when eager execution is enabled. Use tf.train.Saver when building graphs."
            )
        self._saver = saver.Saver(var_list)

    def save(self, file_prefix: str, global_step: Any = None) -> str:
        """Write the variables; the result is the path for ``restore``."""
        path = self._saver.save(None, file_prefix, global_step=global_step)
        assert path is not None
        return path

    def restore(self, file_prefix: str) -> None:
        """Let the variables be what they were."""
        self._saver.restore(None, file_prefix)


def get_optimizer_variables(optimizer: Any) -> list[Any]:
    """The variables of an optimizer: its slots and what it counts."""
    return list(optimizer.variables())


@contextlib.contextmanager
def restore_variables_on_create(save_path: Any, map_func: Callable[[str], str] | None = None) -> Iterator[None]:
    """Let each variable that ``get_variable`` makes in the block begin with its value in a checkpoint.

    Args:
      map_func: from a variable's name to that in the checkpoint.

    Raises:
      ValueError: ``map_func`` is no function.
      NotFoundError: there is no checkpoint of that path.
    """
    if save_path is None:
        yield
        return
    if map_func is not None and not callable(map_func):
        raise ValueError("map_func must be callable.")
    reader = CheckpointReader(save_path)

    def restoring(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        key = name if map_func is None else map_func(name)
        if reader.has_tensor(key):
            value = reader.get_tensor(key)
            kwargs["initializer"] = lambda *_, **__: as_tensor(value)
        return getter(name, *args, **kwargs)

    with variable_scope("", custom_getter=restoring):
        yield
