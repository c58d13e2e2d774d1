"""The names of ``tensorflow.python.client.timeline``."""

from retrograd.faces import missing
from retrograd.sessions.timeline import AllocationMaximum, StepStatsAnalysis, Timeline

__getattr__ = missing(__name__)
