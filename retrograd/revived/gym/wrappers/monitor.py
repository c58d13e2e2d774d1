"""What happened in an environment."""

from __future__ import annotations

from typing import Any

from ..core import Env, Wrapper


class Monitor(Wrapper):
    """Counts steps and sums rewards per episode; writes no files and no videos."""

    def __init__(
        self,
        env: Env,
        directory: str | None = None,
        video_callable: Any = None,
        force: bool = False,
        resume: bool = False,
        write_upon_reset: bool = False,
        uid: str | None = None,
        mode: str | None = None,
    ) -> None:
        super().__init__(env)
        self.directory = directory
        self.returns: list[float] = []
        self.lengths: list[int] = []
        self.steps = 0

    def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
        observation, reward, done, info = self.env.step(action)
        self.steps += 1
        if self.returns:
            self.returns[-1] += float(reward)
            self.lengths[-1] += 1
        return observation, reward, done, info

    def reset(self, **kwargs: Any) -> Any:
        self.returns.append(0.0)
        self.lengths.append(0)
        return self.env.reset(**kwargs)

    def get_total_steps(self) -> int:
        """The number of steps so far."""
        return self.steps

    def get_episode_rewards(self) -> list[float]:
        """The return of each episode so far."""
        return self.returns

    def get_episode_lengths(self) -> list[int]:
        """The number of steps of each episode so far."""
        return self.lengths
