"""Environments by their names."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable
from typing import Any

import gymnasium
from gymnasium.error import UnregisteredEnv

from ..core import Env, with_gyms_interface


class EnvSpec:
    """How an environment of the name ``id`` is made."""

    def __init__(
        self,
        id: str,
        entry_point: str | Callable[..., Any] | None = None,
        reward_threshold: float | None = None,
        nondeterministic: bool = False,
        max_episode_steps: int | None = None,
        kwargs: dict[str, Any] | None = None,
        tags: dict[str, Any] | None = None,
        timestep_limit: int | None = None,
        trials: int = 100,
        **of_earlier_versions: Any,
    ) -> None:
        self.id = id
        self.entry_point = entry_point
        self._creator: str | Callable[..., Any] | None = entry_point
        self.reward_threshold = reward_threshold
        self.nondeterministic = nondeterministic
        self.max_episode_steps = max_episode_steps if max_episode_steps is not None else timestep_limit
        self.tags = dict(tags or {})
        self.trials = trials
        self._kwargs = dict(kwargs or {})

    @property
    def timestep_limit(self) -> int | None:
        """The number of steps after which an episode ends."""
        return self.max_episode_steps

    def make(self, **kwargs: Any) -> Env:
        """A new environment."""
        from ..wrappers.time_limit import TimeLimit

        creator: Any = self._creator
        if isinstance(creator, str):
            module, _, name = creator.partition(":")
            creator = getattr(importlib.import_module(module), name)
        if creator is None:
            raise gymnasium.error.Error(f"no entry point is registered for {self.id!r}")
        modern = isinstance(creator, type) and issubclass(creator, gymnasium.Env) and not issubclass(creator, Env)
        if modern:
            creator = with_gyms_interface(creator)
        env: Env = creator(**{**self._kwargs, **kwargs})
        env.unwrapped.spec = self
        return env if self.max_episode_steps is None else TimeLimit(env, self.max_episode_steps)

    def __repr__(self) -> str:
        return f"EnvSpec({self.id})"


class EnvRegistry:
    """The programs' own environments, and Gymnasium's."""

    def __init__(self) -> None:
        here = _gymnasiums()
        self.env_specs: dict[str, EnvSpec] = {id: _of_gymnasium(id, id) for id in here}
        for known in sorted(here, key=_version):
            for version in range(_version(known)):
                earlier = f"{known.rpartition('-v')[0]}-v{version}"
                self.env_specs.setdefault(earlier, _of_gymnasium(known, earlier))

    def register(self, id: str, **kwargs: Any) -> None:
        """Make ``make(id)`` call ``entry_point``, a class or ``"module:class"``."""
        self.env_specs[id] = EnvSpec(id, **kwargs)

    def all(self) -> Iterable[EnvSpec]:
        """How each environment is made: of every name that ``make`` answers."""
        return self.env_specs.values()

    def spec(self, id: str) -> EnvSpec:
        """How the environment ``id`` is made; for a version that is gone, the next later one.

        Raises:
          UnregisteredEnv: there is none, nor a later version.
        """
        if ":" in id:
            module, _, id = id.partition(":")
            importlib.import_module(module)
        if id in self.env_specs:
            return self.env_specs[id]
        here = _gymnasiums()
        if id in here:
            return _of_gymnasium(id, id)
        later = sorted((_version(known), known) for known in here if _later(known, id))
        if not later:
            raise UnregisteredEnv(
                f"No registered env with id: {id}\n"
                "  Why:   gymnasium, on which retrograd offers gym's interface, has no environment of this name\n"
                "  Fix:   import the package that registers it first; Atari: pip install ale-py, then import ale_py"
            )
        return _of_gymnasium(later[0][1], id)

    def make(self, id: str, **kwargs: Any) -> Env:
        """A new environment; its episodes end after ``spec.max_episode_steps`` steps."""
        return self.spec(id).make(**kwargs)


def _gymnasiums() -> list[str]:
    """The names of Gymnasium's environments, without those that only say what replaced them."""
    return [id for id, modern in gymnasium.registry.items() if isinstance(modern.entry_point, str | type)]


def _of_gymnasium(id: str, name: str) -> EnvSpec:
    """How Gymnasium makes ``id``, under ``name``; its entry point names the family, as gym's did."""
    modern = gymnasium.registry[id]
    spec = EnvSpec(
        name,
        modern.entry_point,
        modern.reward_threshold,
        modern.nondeterministic,
        modern.max_episode_steps,
        modern.kwargs,
    )
    if isinstance(spec.entry_point, str) and spec.entry_point.startswith("gymnasium.envs."):
        module, _, kind = spec.entry_point.partition(":")
        spec.entry_point = f"{'.'.join(module.split('.')[:3])}:{kind}"
    return spec


def _version(id: str) -> int:
    version = id.rpartition("-v")[2]
    return int(version) if version.isdigit() else 0


def _later(known: str, id: str) -> bool:
    """Is ``known`` a later version of ``id``?"""
    pattern = r"(.+)-v(\d+)"
    a, b = re.fullmatch(pattern, known), re.fullmatch(pattern, id)
    return a is not None and b is not None and a[1] == b[1] and int(a[2]) > int(b[2])


registry = EnvRegistry()
make, register, spec = registry.make, registry.register, registry.spec
