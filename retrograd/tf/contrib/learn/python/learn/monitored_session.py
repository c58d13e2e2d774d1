"""The names of ``tensorflow.contrib.learn.python.learn.monitored_session``."""

from retrograd.faces import missing
from retrograd.sessions.monitored import MonitoredSession, MonitoredTrainingSession
from retrograd.sessions.scaffold import Scaffold

__getattr__ = missing(__name__)
