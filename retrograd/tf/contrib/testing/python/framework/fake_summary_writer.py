"""The names of ``tensorflow.contrib.testing.python.framework.fake_summary_writer``."""

from retrograd.faces import missing
from retrograd.testing.fake_summaries import FakeSummaryWriter

__getattr__ = missing(__name__)
