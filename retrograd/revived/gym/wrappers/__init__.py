"""Wrappers of environments."""

from .clip_action import ClipAction
from .monitor import Monitor
from .time_limit import TimeLimit

__all__ = ["ClipAction", "Monitor", "TimeLimit"]
