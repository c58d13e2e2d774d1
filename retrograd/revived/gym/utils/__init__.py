"""What environments are written with."""

from gymnasium.utils import EzPickle, colorize

from . import seeding

__all__ = ["EzPickle", "colorize", "seeding"]
