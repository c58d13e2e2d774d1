"""Gymnasium's classes of ``box2d``, with Gym's interface."""

from typing import Any

import gymnasium.envs.box2d as modern

from ..core import with_gyms_interface


def __getattr__(name: str) -> Any:
    found = getattr(modern, name)
    return with_gyms_interface(found) if isinstance(found, type) else found
