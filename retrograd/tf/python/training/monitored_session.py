"""The names of ``tensorflow.python.training.monitored_session``."""

from retrograd.faces import missing
from retrograd.sessions.monitored import (
    ChiefSessionCreator,
    MonitoredSession,
    MonitoredTrainingSession,
    SessionCreator,
    SingularMonitoredSession,
    WorkerSessionCreator,
)
from retrograd.sessions.scaffold import Scaffold

__getattr__ = missing(__name__)
