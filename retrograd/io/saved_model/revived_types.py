"""Kinds of objects that SavedModels name, so that loading makes objects of these kinds again."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from retrograd.io.tracking import AutoTrackable, Trackable
from retrograd.nn.layers.wrapped_containers import DictWrapper, ListWrapper


class VersionedTypeRegistration:
    """How a version of a kind is made and filled, and which versions can read which."""

    def __init__(
        self, object_factory: Callable[[Any], Any], version: int, min_producer_version: int,
        min_consumer_version: int, bad_consumers: Sequence[int] | None = None, setter: Callable[..., None] = setattr,
    ) -> None:  # fmt: skip
        self.setter = setter
        self.identifier = ""
        self._factory = object_factory
        self.version = version
        self._min_producer_version, self._min_consumer_version = min_producer_version, min_consumer_version
        self._bad_consumers = list(bad_consumers or ())

    def to_proto(self) -> Any:
        """The ``SavedUserObject`` of this version."""
        from tensorboard.compat.proto.saved_object_graph_pb2 import SavedUserObject
        from tensorboard.compat.proto.versions_pb2 import VersionDef

        version = VersionDef(
            producer=self.version, min_consumer=self._min_consumer_version, bad_consumers=self._bad_consumers
        )
        return SavedUserObject(identifier=self.identifier, version=version)

    def from_proto(self, proto: Any) -> Any:
        """A new object of the kind."""
        return self._factory(proto)

    def should_load(self, proto: Any) -> bool:
        """Whether this version can read what the message describes."""
        return (
            proto.identifier == self.identifier
            and self.version >= proto.version.min_consumer
            and proto.version.producer >= self._min_producer_version
            and self.version not in proto.version.bad_consumers
        )


_known: dict[str, tuple[Callable[[Any], bool], list[VersionedTypeRegistration]]] = {}


def register_revived_type(
    identifier: str, predicate: Callable[[Any], bool], versions: Sequence[VersionedTypeRegistration]
) -> None:
    """Let objects that ``predicate`` accepts be saved under a name.

    Raises:
      AssertionError: the name is taken, or a version is there twice.
    """
    by_version = sorted(versions, key=lambda v: v.version, reverse=True)
    if not by_version:
        raise AssertionError("Need at least one version of a registered type.")
    numbers = set()
    for registration in by_version:
        registration.identifier = identifier
        if registration.version in numbers:
            raise AssertionError(f"Got multiple registrations with version {registration.version}.")
        numbers.add(registration.version)
    if identifier in _known:
        raise AssertionError(f"Duplicate registrations for type '{identifier}'")
    _known[identifier] = predicate, by_version


def serialize(obj: Any) -> Any:
    """The ``SavedUserObject`` of an object of a known kind; None of another."""
    for predicate, versions in _known.values():
        if predicate(obj):
            return versions[0].to_proto()
    return None


def deserialize(proto: Any) -> Any:
    """A new object of the kind that a message names, and how it is given its parts; None if no version fits."""
    _, versions = _known.get(proto.identifier, (None, ()))
    for registration in versions:
        if registration.should_load(proto):
            return registration.from_proto(proto), registration.setter
    return None


def registered_identifiers() -> list[str]:
    """The names of the known kinds."""
    return list(_known)


class SignatureMap(Trackable, Mapping[str, Any]):
    """The functions of a SavedModel by the names of its signatures; it cannot be changed."""

    def __init__(self, signatures: Mapping[str, Any] | None = None) -> None:
        self._signatures = dict(signatures or {})

    def __getitem__(self, key: str) -> Any:
        return self._signatures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    def __len__(self) -> int:
        return len(self._signatures)

    def __repr__(self) -> str:
        return f"_SignatureMap({self._signatures})"

    def add(self, name: str, function: Any) -> None:
        """Take in a function, while the SavedModel is being loaded."""
        self._signatures[name] = function


class RestoredOptimizer(AutoTrackable):
    """The variables of an optimizer that was saved: functions that were saved with it go on with them."""

    _object_identifier = "optimizer"

    def __init__(self) -> None:
        self._slots: dict[tuple[int, str], Any] = {}

    def get_slot_names(self) -> list[str]:
        """The names of what it keeps beside variables."""
        return sorted({name for _, name in self._slots})

    def get_slot(self, var: Any, slot_name: str) -> Any:
        """What it keeps beside a variable; None if nothing."""
        return self._slots.get((id(var), slot_name))

    def _add_slot(self, var: Any, slot_name: str, slot: Any) -> None:
        self._slots[id(var), slot_name] = slot

    def get_config(self, *args: Any, **kwargs: Any) -> Any:
        """What it computed is not known, only what it kept."""
        raise NotImplementedError(
            "Restoring functional Optimzers from SavedModels is not currently supported. Please file a feature "
            "request if this limitation bothers you."
        )

    apply_gradients = minimize = get_config


def _is_optimizer(obj: Any) -> bool:
    return getattr(type(obj), "_object_identifier", None) == "optimizer"


def _set_in_list(target: Any, name: str, value: Any) -> None:
    """Put an item in its place; what was not saved is None."""
    target.extend([None] * (int(name) + 1 - len(target)))
    target[int(name)] = value


def _set_in_dict(target: Any, name: str, value: Any) -> None:
    target[name] = value


def _is_a(kind: type, obj: Any) -> bool:
    return isinstance(obj, kind)


def _one(factory: Callable[[], Any], setter: Callable[..., None]) -> list[VersionedTypeRegistration]:
    return [
        VersionedTypeRegistration(
            lambda proto: factory(), version=1, min_producer_version=1, min_consumer_version=1, setter=setter
        )
    ]


for _name, _kind, _setter in (
    ("trackable_list_wrapper", ListWrapper, _set_in_list), ("trackable_dict_wrapper", DictWrapper, _set_in_dict)
):  # fmt: skip
    register_revived_type(_name, functools.partial(_is_a, _kind), _one(_kind, _setter))
register_revived_type("signature_map", lambda obj: isinstance(obj, SignatureMap), _one(SignatureMap, SignatureMap.add))
register_revived_type("optimizer", _is_optimizer, _one(RestoredOptimizer, setattr))
