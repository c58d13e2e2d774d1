"""Environments and wrappers with Gym's interface, and Gymnasium's classes given that interface."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Any

from gymnasium.spaces import Discrete, Space
from gymnasium.utils import seeding

_METHODS = ("step", "reset", "render", "close", "seed", "observation", "reward", "action")


class Env:
    """What an agent acts in: ``obs = reset()``, then ``obs, reward, done, info = step(action)``."""

    metadata: dict[str, Any] = {"render.modes": []}  # noqa: RUF012
    reward_range = (-float("inf"), float("inf"))
    spec: Any = None
    action_space: Any = None
    observation_space: Any = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Before Gym 0.9.6 a class wrote ``_step`` for what is ``step`` now, and so for the others."""
        super().__init_subclass__(**kwargs)
        for name in _METHODS:
            if f"_{name}" in vars(cls) and name not in vars(cls):
                setattr(cls, name, vars(cls)[f"_{name}"])

    def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
        """The next observation, the reward, whether the episode has ended, and more."""
        raise NotImplementedError

    def reset(self) -> Any:
        """The first observation of a new episode."""
        raise NotImplementedError

    def render(self, mode: str = "human") -> Any:
        """Show the state, or return its picture (``mode="rgb_array"``)."""
        raise NotImplementedError

    def close(self) -> None:
        """Close what is open."""

    def seed(self, seed: int | None = None) -> list[int] | None:
        """Start the environment's random stream anew; the seeds in use."""
        return None

    @property
    def unwrapped(self) -> Env:
        """The environment below all wrappers."""
        return self

    def __enter__(self) -> Env:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()


class GoalEnv(Env):
    """An environment whose observations hold what was desired and what was achieved."""

    def compute_reward(self, achieved_goal: Any, desired_goal: Any, info: Any) -> float:
        """The reward for having achieved the one where the other was desired."""
        raise NotImplementedError


class Wrapper(Env):
    """An environment that passes everything on to another, ``env``."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self.action_space: Space[Any] = env.action_space
        self.observation_space: Space[Any] = env.observation_space
        self.reward_range = env.reward_range
        self.metadata = env.metadata

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"attempted to get missing private attribute '{name}'")
        return getattr(self.env, name)

    @property
    def spec(self) -> Any:  # type: ignore[override]
        """How the environment is registered."""
        return self.env.spec

    @classmethod
    def class_name(cls) -> str:
        """The name of the class."""
        return cls.__name__

    def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
        return self.env.step(action)

    def reset(self, **kwargs: Any) -> Any:
        return self.env.reset(**kwargs)

    def render(self, mode: str = "human", **kwargs: Any) -> Any:
        return self.env.render(mode, **kwargs)

    def close(self) -> None:
        return self.env.close()

    def seed(self, seed: int | None = None) -> list[int] | None:
        return self.env.seed(seed)

    @property
    def unwrapped(self) -> Env:
        return self.env.unwrapped

    def __str__(self) -> str:
        return f"<{type(self).__name__}{self.env}>"


class ObservationWrapper(Wrapper):
    """Shows ``observation(obs)`` instead of ``obs``."""

    def reset(self, **kwargs: Any) -> Any:
        return self.observation(self.env.reset(**kwargs))

    def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
        observation, reward, done, info = self.env.step(action)
        return self.observation(observation), reward, done, info

    def observation(self, observation: Any) -> Any:
        """What the agent sees of ``observation``."""
        raise NotImplementedError


class RewardWrapper(Wrapper):
    """Pays ``reward(r)`` instead of ``r``."""

    def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
        observation, reward, done, info = self.env.step(action)
        return observation, self.reward(reward), done, info

    def reward(self, reward: Any) -> Any:
        """What the agent gets of ``reward``."""
        raise NotImplementedError


class ActionWrapper(Wrapper):
    """Does ``action(a)`` instead of ``a``."""

    def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
        return self.env.step(self.action(action))

    def action(self, action: Any) -> Any:
        """What is done for ``action``."""
        raise NotImplementedError

    def reverse_action(self, action: Any) -> Any:
        """The action for what is done."""
        raise NotImplementedError


@cache
def with_gyms_interface(modern: type[Any]) -> type[Any]:
    """A subclass of Gymnasium's class ``modern`` whose methods are those of ``Env``; its attributes stay.

    The observation space, the dynamics and the random draws are Gymnasium's.
    """

    class Adapted(Env, modern):  # type: ignore[misc, valid-type]
        metadata = {  # noqa: RUF012
            **modern.metadata,
            "render.modes": modern.metadata.get("render_modes", []),
            "video.frames_per_second": modern.metadata.get("render_fps", 30),
        }

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            modern.__init__(self, *args, **kwargs)
            for space in (self.observation_space, self.action_space):
                if isinstance(space, Discrete):
                    space.n = int(space.n)  # type: ignore[assignment]
            if hasattr(self.observation_space, "n") and hasattr(self.action_space, "n"):
                self.nS, self.nA = self.observation_space.n, self.action_space.n

        def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
            observation, reward, terminated, truncated, info = modern.step(self, action)
            return observation, reward, bool(terminated or truncated), info

        def reset(self, **kwargs: Any) -> Any:
            return modern.reset(self, **kwargs)[0]

        def seed(self, seed: int | None = None) -> list[int]:
            self._np_random, self._np_random_seed = seeding.np_random(seed)
            return [self._np_random_seed]

        def render(self, mode: str = "human", **kwargs: Any) -> Any:
            """Text is printed; a window is opened where there is a display, else nothing is shown."""
            modes = self.metadata["render.modes"]
            if mode == "human" and "ansi" in modes:
                print(self._rendered("ansi"))
                return None
            if mode == "human" and not _display():
                return None
            return self._rendered(mode)

        def _rendered(self, mode: str) -> Any:
            if getattr(self, "_rendered_as", mode) != mode:
                self.screen = None  # the other mode's
            self._rendered_as = mode
            self.metadata = {**self.metadata, "render_fps": 0}  # the clock's word for: wait for no frame
            self.render_mode: str | None = mode
            try:
                return modern.render(self)
            finally:
                self.render_mode = None  # else each step draws too

    Adapted.__name__, Adapted.__qualname__ = modern.__name__, modern.__qualname__
    Adapted.__doc__ = modern.__doc__
    return Adapted


def _display() -> bool:
    """Can a window be opened?"""
    return not sys.platform.startswith("linux") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    )
