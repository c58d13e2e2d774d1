"""Attributes that a test replaces and puts back."""

from __future__ import annotations

import inspect
from typing import Any


class StubOutForTesting:
    """Attributes replaced by ``Set`` and ``SmartSet`` until ``CleanUp``, or until a ``with`` ends.

    ``SmartSet`` replaces an attribute of an instance that is not its own in its class.
    """

    def __init__(self) -> None:
        self.cache: list[tuple[Any, Any, str]] = []
        self.stubs: list[tuple[Any, str, Any]] = []

    def __del__(self) -> None:
        self.CleanUp()

    def __enter__(self) -> StubOutForTesting:
        return self

    def __exit__(self, *unused: object) -> None:
        self.CleanUp()

    def CleanUp(self) -> None:
        """Put back whatever was replaced."""
        self.SmartUnsetAll()
        self.UnsetAll()

    def SmartSet(self, obj: Any, attr_name: str, new_attr: Any) -> None:
        """Replace an attribute where it is defined.

        Raises:
          AttributeError: there is none of this name.
        """
        obj = inspect.unwrap(obj) if callable(obj) and not inspect.isclass(obj) else obj
        if not hasattr(obj, attr_name):
            raise AttributeError("Attribute not found.")
        place = obj
        if not inspect.ismodule(obj) and (inspect.isclass(obj) or attr_name not in obj.__dict__):
            place = obj if inspect.isclass(obj) else type(obj)
        old = getattr(obj, attr_name)
        if isinstance(obj.__dict__.get(attr_name), staticmethod):
            old = staticmethod(old)
        self.stubs.append((place, attr_name, old))
        setattr(place, attr_name, new_attr)

    def SmartUnsetAll(self) -> None:
        """Put back what ``SmartSet`` replaced, the last one first."""
        for place, name, old in reversed(self.stubs):
            setattr(place, name, old)
        self.stubs = []

    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replace an attribute of ``parent``."""
        old = getattr(parent, child_name)
        if isinstance(parent.__dict__.get(child_name), staticmethod):
            old = staticmethod(old)
        self.cache.append((parent, old, child_name))
        setattr(parent, child_name, new_child)

    def UnsetAll(self) -> None:
        """Put back what ``Set`` replaced, the last one first."""
        for parent, old, name in reversed(self.cache):
            setattr(parent, name, old)
        self.cache = []
