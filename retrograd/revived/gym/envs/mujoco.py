"""Gymnasium's classes of ``mujoco``, with Gym's interface."""

from typing import Any

import gymnasium.envs.mujoco as modern

from ..core import with_gyms_interface


def __getattr__(name: str) -> Any:
    found = getattr(modern, name)
    return with_gyms_interface(found) if isinstance(found, type) else found
