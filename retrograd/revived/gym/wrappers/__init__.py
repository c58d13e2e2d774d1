"""Wrappers of environments."""

from .clip_action import ClipAction
from .monitor import Monitor
from .observations import FilterObservation, FlattenObservation
from .time_limit import TimeLimit

__all__ = ["ClipAction", "FilterObservation", "FlattenObservation", "Monitor", "TimeLimit"]
