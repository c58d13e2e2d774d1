"""``tf.contrib.testing``: what event files hold, for tests."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import Any

from retrograd.io.event_files import summary_iterator


def latest_event_file(base_dir: str) -> str | None:
    """The path of the last event file of a folder."""
    return max(glob.glob(os.path.join(base_dir, "events.*")), default=None)


def latest_events(base_dir: str) -> Iterable[Any]:
    """The events of the last event file."""
    path = latest_event_file(base_dir)
    return summary_iterator(path) if path else []


def latest_summaries(base_dir: str) -> list[Any]:
    """Those of them that hold summaries."""
    return [event for event in latest_events(base_dir) if event.HasField("summary")]


def simple_values_from_events(events: Iterable[Any], tags: Iterable[str]) -> dict[str, float]:
    """The number of each tag at its latest step.

    Raises:
      ValueError: the summary of a tag is no number.
    """
    wanted = set(tags)
    found: dict[str, tuple[int, float]] = {}
    for event in events:
        for value in event.summary.value if event.HasField("summary") else ():
            if value.tag not in wanted:
                continue
            if not value.HasField("simple_value"):
                raise ValueError(f"Summary for {value.tag} is not a simple_value.")
            if value.tag not in found or event.step > found[value.tag][0]:
                found[value.tag] = event.step, value.simple_value
    return {tag: number for tag, (_, number) in found.items()}
