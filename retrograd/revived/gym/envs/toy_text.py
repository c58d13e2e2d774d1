"""Gymnasium's classes of ``toy_text``, with Gym's interface."""

from typing import Any

import gymnasium.envs.toy_text as modern

from ..core import with_gyms_interface


def __getattr__(name: str) -> Any:
    found = getattr(modern, name)
    return with_gyms_interface(found) if isinstance(found, type) else found
