"""Gymnasium's classes of ``classic_control``, with Gym's interface."""

from typing import Any

import gymnasium.envs.classic_control as modern

from ..core import with_gyms_interface


def __getattr__(name: str) -> Any:
    found = getattr(modern, name)
    return with_gyms_interface(found) if isinstance(found, type) else found
