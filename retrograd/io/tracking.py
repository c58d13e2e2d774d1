"""Objects that are saved with what they hold: their kinds, and what each holds under which names."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from retrograd.data.iterators import EagerIterator, Iterator
from retrograd.eager import deferred
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor, register_tensor_conversion_function
from retrograd.graph.modes import init_scope
from retrograd.graph.scopes import device
from retrograd.graph.stack import default_graph
from retrograd.graph.untracked import NoDependency, TrackableReference, hold, name_taken, unsaved_names
from retrograd.graph.untracked import held as names_held
from retrograd.nn.layers import base as layers
from retrograd.nn.layers.containers import WRAPPERS, Container, is_trackable
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.held_weights import OWN_LISTS
from retrograd.nn.layers.wrapped_containers import assigned, is_private
from retrograd.state.variables import VariableV2
from retrograd.train.optimizer import Optimizer


class Trackable:
    """An object that is saved with what it holds under names that it says itself."""

    _is_trackable = True

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Save ``trackable`` with this object, under a name; the result is ``trackable``.

        Raises:
          TypeError: it is nothing that can be saved.
          ValueError: another has the name, and is not to be replaced.
        """
        if not is_trackable(trackable):
            kind = type(trackable)
            raise TypeError(f"Trackable._track_trackable() passed type {kind}, not a Trackable.")
        if not overwrite and dict(children(self)).get(name, trackable) is not trackable:
            raise name_taken(name)
        return hold(self, trackable, name, overwrite)

    def _maybe_initialize_trackable(self) -> None:
        """Nothing: what it holds is followed from the first on."""

    def _lookup_dependency(self, name: str) -> Any:
        """What it holds under a name, None if it holds nothing; called for each name of a checkpoint."""
        return dict(children(self)).get(name)

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        return [TrackableReference(*pair) for pair in children(self)]


class NotTrackable:
    """An object that cannot be saved, whatever else it is."""


class PythonState(Trackable, ABC):
    """Something of Python's own that is saved with the variables, as bytes."""

    @abstractmethod
    def serialize(self) -> Any:
        """What is saved: bytes or text."""

    @abstractmethod
    def deserialize(self, string_value: bytes) -> None:
        """Take over what was saved; called while ``restore`` runs."""


class AutoTrackable(Trackable):
    """The same, whose attributes are saved that are themselves objects of this kind or variables."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, assigned(self, name, value) if type(value) in WRAPPERS else value)
        deferred.variables_made()

    def _no_dependency(self, value: Any) -> NoDependency:
        """``value`` for an attribute that checkpoints are not to follow."""
        return NoDependency(value)


def cached_per_instance(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The method ``f``, whose result is worked out once for each object and goes with it.

    Nothing is set of the object, so the result is not saved with it.
    """
    known: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()

    @functools.wraps(f)
    def found(item: Any) -> Any:
        if item not in known:
            known[item] = f(item)
        return known[item]

    found.cache = known  # type: ignore[attr-defined]
    return found


class TrackableAsset(Trackable):
    """A file that SavedModels take along."""

    def __init__(self, path: Any) -> None:
        with init_scope(), device("CPU"):
            self._path = as_tensor(path, dtypes.string, name="asset_path")

    @property
    def asset_path(self) -> Any:
        """The path, as a tensor."""
        return self._path


def _path_of(asset: TrackableAsset, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    return as_tensor(asset.asset_path, dtype)


register_tensor_conversion_function(TrackableAsset, _path_of)


class CapturableResourceDeleter:
    """Takes a resource away when nobody refers to it any more."""

    def __init__(self, destroy_resource_fn: Callable[[], Any] | None = None) -> None:
        if destroy_resource_fn is not None:
            self.destroy_resource = destroy_resource_fn  # type: ignore[method-assign]

    def destroy_resource(self) -> Any:
        """What it does; by default nothing."""
        return None

    def __del__(self) -> None:
        self.destroy_resource()


class CapturableResource(Trackable):
    """Something behind a handle, such as a table, that functions capture and SavedModels make anew."""

    _resource_handle: Any = None
    _resource_device = ""

    def __init__(self, device: str = "", deleter: Any = None) -> None:
        self._resource_device = device

    def _create_resource(self) -> Any:
        raise NotImplementedError("TrackableResource._create_resource not implemented.")

    def _initialize(self) -> Any:
        """What fills it; nothing by default."""

    @property
    def resource_handle(self) -> Any:
        """The handle."""
        if self._resource_handle is None:
            with init_scope():
                self._resource_handle = self._create_resource()
        return self._resource_handle


class TrackableResource(CapturableResource):
    """The same, under the name of the class to inherit from."""


def children(value: Any) -> list[tuple[str, Any]]:
    """The objects that ``value`` holds, with the names under which it does."""
    if isinstance(value, VariableV2 | Iterator | EagerIterator):
        return []
    if hasattr(type(value), "_checkpoint_children"):
        return list(value._checkpoint_children())
    if isinstance(value, Optimizer):
        graph = default_graph()
        owned = {name: v for (name, of), v in value._non_slot_dict.items() if of is None or of is graph}
        return sorted(owned.items())
    found = {**_attributes_followed(value), **names_held(value)}.items()
    return [(name, item) for name, item in found if isinstance(name, str) and is_trackable(item)]


def _attributes_followed(value: Any) -> dict[str, Any]:
    """The attributes of an object with which it is saved."""
    is_its_own = isinstance(value, Trackable) and not isinstance(value, AutoTrackable | Layer)
    return {} if is_its_own else attributes_of(value)


def attributes_of(value: Any) -> dict[str, Any]:
    """What an object holds by its attributes; of a layer its variables too, of one of ``tf.layers`` nothing else."""
    if isinstance(value, layers.Layer) and not value._is_of_keras:
        return names_held(value)
    unsaved = unsaved_names(value)
    own = {name: item for name, item in vars(value).items() if name not in unsaved}
    if isinstance(value, Layer):
        others = {n: x for n, x in own.items() if n not in OWN_LISTS and not _is_own_affair(value, n, x)}
        own = {**names_held(value), **others}
    return own


def _is_own_affair(layer: Layer, name: str, item: Any) -> bool:
    """Whether a layer has the attribute on its own account, for its weights or for no variable at all."""
    return not isinstance(item, Layer | Container) and is_private(type(layer), name)
