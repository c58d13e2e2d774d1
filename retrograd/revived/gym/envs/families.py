"""The packages and modules below ``gym.envs``: Gymnasium's of these names, environments with Gym's interface."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import gymnasium

from ..core import with_gyms_interface

_HERE, _THERE = "gym.envs.", "gymnasium.envs."
_FAMILIES = ("box2d", "classic_control", "mujoco", "toy_text")
_OWN = {"toy_text.discrete": "discrete"}  # modules that Gymnasium has not


class Families(MetaPathFinder, Loader):
    """Finds a family and its modules, ``gym.envs.classic_control.cartpole``; what they hold is Gymnasium's."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(_HERE) or fullname.split(".")[2] not in _FAMILIES:
            return None
        name = fullname.removeprefix(_HERE)
        if name in _OWN:
            return ModuleSpec(fullname, self)
        modern = find_spec(_THERE + name)
        if modern is None:
            return None
        return ModuleSpec(fullname, self, is_package=modern.submodule_search_locations is not None)

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__.removeprefix(_HERE)
        if name in _OWN:
            own = import_module(f".{_OWN[name]}", __package__)
            vars(module).update({k: v for k, v in vars(own).items() if not k.startswith("__")}, __doc__=own.__doc__)
            return
        modern = import_module(_THERE + name)
        module.__doc__ = modern.__doc__

        def held(name: str) -> Any:
            if name.startswith("__") or isinstance(getattr(modern, name), ModuleType):
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            found = getattr(modern, name)
            environment = isinstance(found, type) and issubclass(found, gymnasium.Env)
            return with_gyms_interface(found) if environment else found

        vars(module)["__getattr__"] = held


sys.meta_path.insert(0, Families())
