"""The names of ``tensorflow.contrib.testing.python.framework.util_test``."""

from retrograd.faces import missing
from retrograd.testing.event_files import (
    latest_event_file,
    latest_events,
    latest_summaries,
    simple_values_from_events,
)

__getattr__ = missing(__name__)
