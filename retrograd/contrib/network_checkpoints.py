"""``save_network_checkpoint`` and ``restore_network_checkpoint``: the variables of ``tf.contrib.eager.Network``s.

Names in the checkpoint are those of the variables without the network's own in front, or what a function makes of them.
Source: TensorFlow 1.15.5: names, messages.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from retrograd.contrib.eager_networks import Network
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.stack import default_session
from retrograd.io.checkpoint_values import list_variables, load_checkpoint
from retrograd.io.saver import Saver
from retrograd.train.training_util import get_global_step

_DEFAULT = (
    "The default checkpoint variable name mapping strategy for Network '{network}' resulted in a naming conflict. We "
    "attempted to strip off the variable prefix for the Network ('{scope}'), but this resulted in two variables named "
    "'{name}' (originally '{first}' and '{second}'). This should only happen when using variable sharing (i.e. the "
    "Network contains Networks or Layers which were first added to another Network, and therefore have that Network's "
    "variable prefix). One solution is to pass `map_func=lambda n: n` to save and restore to use fully qualified "
    "variable names in the checkpoint, although this will require that the variable prefix of the Network being "
    "restored into is also '{scope}'. You may alternatively write an arbitrary mapping."
)
_SAVING = (
    "The map_func passed to save_network_checkpoint for the Network '{network}' resulted in two variables named "
    "'{name}' ('{first}' and '{second}'). Try stripping less from the variable names, or renaming parts of the "
    "Network. For reference, variables created by sub-Layers of this Network are prefixed with '{scope}', but if they "
    "are re-used after being added to another Network, they will have that Network's full variable prefix instead."
)
_RESTORING = (
    "The map_func passed to restore_network_checkpoint for the Network '{network}' resulted in two variables named "
    "'{name}' (originally '{first}' and '{second}'). Since this is also an error when saving, this Network was "
    "probably not saved with this map_func. Note that map_func always maps from full variable names to checkpoint "
    "names; there is no need to specify an inverse mapping.\n\nTry stripping less from the variable names, or renaming "
    "parts of the Network. For reference, variables created by sub-Layers of this Network are prefixed with '{scope}', "
    "but if they are re-used after being added to another Network they will have that Network's full variable prefix "
    "instead."
)


class _Names:
    """The names that a network's variables have in a checkpoint; two may not have one."""

    def __init__(self, network: Network, map_func: Callable[[str], str] | None, message: str) -> None:
        self._network, self._scope = network.name, network.scope_name
        self._given, self._message = map_func, _DEFAULT if map_func is None else message
        self.variables: dict[str, Any] = {}

    def of(self, full: str) -> str:
        """The name in the checkpoint of a variable's full name."""
        return full.removeprefix(f"{self._scope}/") if self._given is None else self._given(full)

    def add(self, variable: Any) -> None:
        """Take in a variable.

        Raises:
          ValueError: another one has its name.
        """
        name = self.of(variable._shared_name)
        first = self.variables.setdefault(name, variable)
        if first is not variable:
            names = {"first": first._shared_name, "second": variable._shared_name, "name": name}
            raise ValueError(self._message.format(network=self._network, scope=self._scope, **names))


def _session() -> Any:
    return None if executing_eagerly() else default_session()


def _path(network: Network, save_path: str) -> str:
    return os.path.join(save_path, network.name.replace("/", "_")) if os.path.isdir(save_path) else save_path


def save_network_checkpoint(
    network: Network, save_path: str, global_step: Any = None, map_func: Callable[[str], str] | None = None
) -> str:
    """Write the variables of a network; the result is the checkpoint's path.

    Args:
      save_path: a path, or a folder, in which the checkpoint then has the network's name.
      global_step: what stands behind the path; by default the graph's global step, if there is one.
      map_func: a function from full names of variables to names in the checkpoint.

    Raises:
      ValueError: the network has no variables yet, or two have one name.
    """
    if not network.built:
        raise ValueError(
            "Attempt to save the Network before it was first called. This means variables have not yet been created, "
            "so there is nothing to save."
        )
    network._set_scope()
    names = _Names(network, map_func, _SAVING)
    for variable in network.variables:
        names.add(variable)
    step = get_global_step() if global_step is None else global_step
    path = _path(network, save_path)
    written = Saver(names.variables).save(_session(), path, global_step=step, write_meta_graph=False)
    return str(written)


class _Restoration:
    """The values of a checkpoint that wait for variables to be made."""

    def __init__(self, names: _Names, values: dict[str, Any]) -> None:
        self._names, self._values, self._session = names, values, _session()
        self._taken: set[str] = set()

    def holds(self, full: str) -> bool:
        """Whether there is a value for a variable of this name."""
        return self._names.of(full) in self._values

    def make(self, getter: Any, full: str, arguments: dict[str, Any]) -> Any:
        """The variable, which begins with its value unless it has been restored before."""
        name = self._names.of(full)
        if name not in self._taken:
            arguments = {**arguments, "initializer": self._values[name], "shape": None}
        variable = getter(full, **arguments)
        if name not in self._taken and not executing_eagerly():
            self._session.run(variable.initializer)
        self._taken.add(name)
        self._names.add(variable)
        return variable


def restore_network_checkpoint(network: Network, save_path: str, map_func: Callable[[str], str] | None = None) -> None:
    """Give the variables of a network the values of a checkpoint, at once or when they are made.

    Args:
      save_path: what ``save_network_checkpoint`` gave, or a folder.
      map_func: that with which it was saved.

    Raises:
      ValueError: two variables have one name.
      NotFoundError: the checkpoint has no value for a variable.
    """
    network._settle_name_alone()
    network._set_scope()
    path = _path(network, save_path)
    names = _Names(network, map_func, _RESTORING)
    for variable in network.variables:
        names.add(variable)
    if names.variables:
        Saver(names.variables).restore(_session(), path)
    reader = load_checkpoint(path)
    others = {name: reader.get_tensor(name) for name, _ in list_variables(path) if name not in names.variables}
    if others:
        network.restore_later(_Restoration(names, others))
