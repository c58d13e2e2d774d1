"""The names of ``tensorflow.contrib.testing``."""

from retrograd.faces import missing
from retrograd.testing.event_files import (
    latest_event_file,
    latest_events,
    latest_summaries,
    simple_values_from_events,
)
from retrograd.testing.fake_summaries import FakeSummaryWriter

__getattr__ = missing(__name__)
