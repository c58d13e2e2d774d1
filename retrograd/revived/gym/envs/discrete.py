"""Environments whose transitions are a table, ``gym.envs.toy_text.discrete``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import Env
from ..spaces import Discrete
from ..utils import seeding


def categorical_sample(prob_n: Any, np_random: Any) -> Any:
    """An index, drawn with the probabilities ``prob_n``: the first whose cumulative sum exceeds a uniform number."""
    return np.argmax(np.cumsum(prob_n) > np_random.rand())


class DiscreteEnv(Env):
    """``P[s][a]`` lists what action a does in state s: ``(probability, next state, reward, done)``, for nS by nA.

    ``isd`` are the probabilities of the nS states at the start of an episode.
    """

    def __init__(self, nS: int, nA: int, P: Any, isd: Any) -> None:
        self.nS, self.nA, self.P, self.isd = nS, nA, P, isd
        self.lastaction: Any = None
        self.action_space, self.observation_space = Discrete(nA), Discrete(nS)
        self.seed()
        self.s = categorical_sample(self.isd, self.np_random)

    def seed(self, seed: int | None = None) -> list[int]:
        """Start the stream of transitions and first states anew; the seed in use."""
        self.np_random, seed = seeding.np_random(seed)
        return [seed]

    def reset(self) -> int:
        """A first state."""
        self.s, self.lastaction = categorical_sample(self.isd, self.np_random), None
        return int(self.s)

    def step(self, action: Any) -> tuple[int, Any, bool, dict[str, Any]]:
        """One of the transitions of ``action``, and how probable it was."""
        transitions = self.P[self.s][action]
        chosen = categorical_sample([t[0] for t in transitions], self.np_random)
        probability, self.s, reward, done = transitions[chosen]
        self.lastaction = action
        return int(self.s), reward, done, {"prob": probability}
