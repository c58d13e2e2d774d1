"""All objects that can be reached from one: their keys in a checkpoint, and what each saves of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrograd.data.iterators import EagerIterator, Iterator
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.io.saved_iterators import parts_of_iterator
from retrograd.io.tracking import NotTrackable, PythonState, children
from retrograd.ops import control
from retrograd.state.variables import VariableV2

VARIABLE_VALUE_KEY = "VARIABLE_VALUE"
PYTHON_STATE_KEY = "py_state"


class Objects:
    """The objects that can be reached from a root, nearest first, each with the shortest way to it."""

    def __init__(self, root: Any, held: Callable[[Any], list[tuple[str, Any]]] | None = None) -> None:
        """``held`` says what an object holds; by default that is what checkpoints follow."""
        held = held or children
        self.found: list[Any] = [root]
        self.paths: list[tuple[str, ...]] = [()]
        self.number = {id(root): 0}
        self.children: list[list[tuple[str, int]]] = []
        for i, holder in enumerate(self.found):
            rows = []
            for name, item in held(holder):
                rows.append((name, self._numbered(item, (*self.paths[i], name))))
            self.children.append(rows)
        self.slots = self._slots()

    def _numbered(self, item: Any, path: tuple[str, ...]) -> int:
        """Its number, a new one if it was not met before.

        Raises:
          NotImplementedError: it cannot be saved.
        """
        if isinstance(item, NotTrackable):
            raise NotImplementedError(
                f"The object {item} does not support object-based saving. File a feature request if this limitation "
                "bothers you. In the meantime, you can remove the dependency on this object and save everything else."
            )
        if id(item) not in self.number:
            self.number[id(item)] = len(self.found)
            self.found.append(item)
            self.paths.append(path)
        return self.number[id(item)]

    def _slots(self) -> list[tuple[int, int, str, Any, str]]:
        """(optimizer, variable, slot's name, slot, key) for each slot."""
        rows = []
        for i, optimizer in enumerate(list(self.found)):
            for slot_name in optimizer.get_slot_names() if has_slots(optimizer) else ():
                for j, variable in enumerate(self.found):
                    slot = slot_of(optimizer, variable, slot_name)
                    if slot is not None:
                        way = f".OPTIMIZER_SLOT/{_path(self.paths[i])}/{_escaped(slot_name)}"
                        rows.append((i, j, slot_name, slot, f"{_path(self.paths[j])}/{way}"))
        return rows

    @property
    def variables(self) -> dict[str, Any]:
        """The variables and slots by their keys in a checkpoint."""
        pairs = [(_path(p), v) for p, v in zip(self.paths, self.found, strict=True) if isinstance(v, VariableV2)]
        pairs += [(key, slot) for *_, slot, key in self.slots]
        return {_key(path, VARIABLE_VALUE_KEY): v for path, v in pairs}

    @property
    def others(self) -> dict[str, Any]:
        """The objects that are no variables and save something of themselves, such as tables, by its keys."""
        pairs = zip(self.paths, self.found, strict=True)
        return {_key(_path(p), name): x for p, x in pairs for name in parts_of(x)}

    @property
    def states(self) -> dict[str, PythonState]:
        """The states of Python's own by their keys in a checkpoint."""
        pairs = zip(self.paths, self.found, strict=True)
        return {_key(_path(p), PYTHON_STATE_KEY): x for p, x in pairs if isinstance(x, PythonState)}

    def proto(self) -> Any:
        """The ``TrackableObjectGraph``."""
        from tensorboard.compat.proto.trackable_object_graph_pb2 import TrackableObjectGraph

        graph = TrackableObjectGraph()
        for i, item in enumerate(self.found):
            node = graph.nodes.add()
            for name, number in self.children[i]:
                node.children.add(node_id=number, local_name=name)
            if isinstance(item, VariableV2):
                _fill_variable(node, item, _path(self.paths[i]))
            elif isinstance(item, PythonState):
                key = _key(_path(self.paths[i]), PYTHON_STATE_KEY)
                node.attributes.add(name=PYTHON_STATE_KEY, checkpoint_key=key)
            for name in parts_of(item):
                node.attributes.add(name=name, checkpoint_key=_key(_path(self.paths[i]), name))
        for optimizer, variable, slot_name, slot, key in self.slots:
            graph.nodes[optimizer].slot_variables.add(
                original_variable_node_id=variable, slot_name=slot_name, slot_variable_node_id=len(graph.nodes)
            )
            _fill_variable(graph.nodes.add(), slot, key)
        return graph


def parts_of(value: Any) -> dict[str, Any]:
    """What an object that is no variable saves of itself, by the names of the parts."""
    if isinstance(value, Iterator | EagerIterator):
        return parts_of_iterator(value)
    if isinstance(value, VariableV2) or not hasattr(value, "_gather_saveables_for_checkpoint"):
        return {}
    return dict(value._gather_saveables_for_checkpoint())


def as_saveable(value: Any, key: str) -> Any:
    """What a saver is given under a key: a variable, or the part of another object that the key ends with."""
    if isinstance(value, VariableV2):
        return value
    factory = parts_of(value)[key.rpartition("/")[2]]
    return factory(name=key) if callable(factory) else factory


def as_saveables(values: dict[str, Any]) -> dict[str, Any]:
    """The same for several."""
    return {key: as_saveable(x, key) for key, x in values.items()}


def has_slots(value: Any) -> bool:
    return hasattr(type(value), "get_slot_names")


def slot_of(optimizer: Any, variable: Any, name: str) -> Any:
    """What an optimizer keeps beside a variable under a name, if it does; one of Keras says so by an error."""
    if not isinstance(variable, VariableV2):
        return None
    try:
        return optimizer.get_slot(variable, name)
    except KeyError:
        return None


def _fill_variable(node: Any, variable: Any, path: str) -> None:
    name = variable.name.partition(":")[0]
    node.attributes.add(name=VARIABLE_VALUE_KEY, full_name=name, checkpoint_key=_key(path, VARIABLE_VALUE_KEY))


def _key(path: str, attribute: str) -> str:
    """The name in a checkpoint of what an object at ``path`` saves."""
    return f"{path}/.ATTRIBUTES/{attribute}".lstrip("/")


def _path(names: Iterable[str]) -> str:
    return "/".join(map(_escaped, names))


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


class BytesSaveable(SaveableObject):
    """Bytes that are saved beside the values of variables, such as the description of the objects."""

    def __init__(self, content: Any, key: str) -> None:
        super().__init__(content, [SaveSpec(content, "", key)], key)

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        return control.no_op()
