"""Observations in another form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import Env, ObservationWrapper
from ..spaces import Dict, flatten, flatten_space


class FlattenObservation(ObservationWrapper):
    """Every observation as one vector."""

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        self.observation_space = flatten_space(env.observation_space)

    def observation(self, observation: Any) -> Any:
        return flatten(self.env.observation_space, observation)


class FilterObservation(ObservationWrapper):
    """Of observations that are dictionaries, the entries ``filter_keys``."""

    def __init__(self, env: Env, filter_keys: Sequence[str] | None = None) -> None:
        super().__init__(env)
        self.keys = tuple(env.observation_space.spaces if filter_keys is None else filter_keys)
        self.observation_space = Dict({key: env.observation_space.spaces[key] for key in self.keys})

    def observation(self, observation: Any) -> Any:
        return {key: observation[key] for key in self.keys}
