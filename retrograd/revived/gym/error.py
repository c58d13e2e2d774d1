"""Gym's exceptions are Gymnasium's."""

from gymnasium.error import *
from gymnasium.error import Error, UnregisteredEnv

__all__ = ["Error", "UnregisteredEnv"]
