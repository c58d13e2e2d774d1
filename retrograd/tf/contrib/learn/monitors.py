"""The names of ``tensorflow.contrib.learn.monitors``."""

from retrograd.estimator.older.monitors import ValidationMonitor
from retrograd.faces import missing
from retrograd.sessions.hooks import NanLossDuringTrainingError

__getattr__ = missing(__name__)
