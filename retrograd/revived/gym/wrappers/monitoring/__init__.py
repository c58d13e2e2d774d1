"""Recordings of environments."""

from . import video_recorder

__all__ = ["video_recorder"]
