"""OpenAI's Gym on Gymnasium: the interface that TensorFlow 1 programs were written for.

``step`` returns four values, ``reset`` the observation alone, ``seed`` is a method. Found only where no
real ``gym`` is installed.
"""

from __future__ import annotations

try:
    import gymnasium
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "No module named 'gym'\n"
        "  Why:   neither gym nor gymnasium, on which retrograd offers gym's interface, is installed\n"
        '  Fix:   pip install "gymnasium[classic-control]"',
        name="gym",
    ) from missing

from gymnasium.spaces import Space

from . import core, envs, error, logger, spaces, utils, wrappers
from .core import ActionWrapper, Env, GoalEnv, ObservationWrapper, RewardWrapper, Wrapper
from .envs.registration import make, register, registry, spec

__version__ = VERSION = "0.17.3"  # the interface is that version's

__all__ = [
    "ActionWrapper", "Env", "GoalEnv", "ObservationWrapper", "RewardWrapper", "Space", "Wrapper", "core", "envs",
    "error", "gymnasium", "logger", "make", "register", "registry", "spaces", "spec", "undo_logger_setup", "utils",
    "wrappers",
]  # fmt: skip


def undo_logger_setup() -> None:
    """Nothing: no logger has been set up."""
