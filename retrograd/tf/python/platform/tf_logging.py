"""The names of ``tensorflow.python.platform.tf_logging``."""

from retrograd.faces import missing
from retrograd.graph.log import (
    DEBUG,
    ERROR,
    FATAL,
    INFO,
    WARN,
    TaskLevelStatusMessage,
    debug,
    error,
    fatal,
    flush,
    get_logger,
    get_verbosity,
    info,
    log,
    log_every_n,
    log_first_n,
    log_if,
    set_verbosity,
    vlog,
    warn,
    warning,
)

__getattr__ = missing(__name__)
