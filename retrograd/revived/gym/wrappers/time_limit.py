"""Episodes of bounded length."""

from __future__ import annotations

from typing import Any

from ..core import Env, Wrapper


class TimeLimit(Wrapper):
    """Ends an episode after ``max_episode_steps`` steps; ``info["TimeLimit.truncated"]`` then says why."""

    def __init__(self, env: Env, max_episode_steps: int | None = None) -> None:
        super().__init__(env)
        if max_episode_steps is None and env.spec is not None:
            max_episode_steps = env.spec.max_episode_steps
        self._max_episode_steps = max_episode_steps
        self._elapsed_steps: int | None = None

    def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
        assert self._elapsed_steps is not None, "Cannot call env.step() before calling reset()"
        observation, reward, done, info = self.env.step(action)
        self._elapsed_steps += 1
        if self._max_episode_steps is not None and self._elapsed_steps >= self._max_episode_steps:
            info["TimeLimit.truncated"] = not done
            done = True
        return observation, reward, done, info

    def reset(self, **kwargs: Any) -> Any:
        self._elapsed_steps = 0
        return self.env.reset(**kwargs)
