"""The names of ``tensorflow.python.training.monitored_session``."""

from retrograd.faces import missing
from retrograd.sessions.monitored import (
    USE_DEFAULT,
    ChiefSessionCreator,
    MonitoredSession,
    MonitoredTrainingSession,
    SessionCreator,
    SingularMonitoredSession,
    WorkerSessionCreator,
    _MonitoredSession,
)
from retrograd.sessions.scaffold import Scaffold
from retrograd.sessions.wrapped import (
    CoordinatedSession as _CoordinatedSession,
)
from retrograd.sessions.wrapped import (
    HookedSession as _HookedSession,
)
from retrograd.sessions.wrapped import (
    RecoverableSession as _RecoverableSession,
)
from retrograd.sessions.wrapped import (
    WrappedSession as _WrappedSession,
)

__getattr__ = missing(__name__)
