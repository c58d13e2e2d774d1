"""The names of ``tensorflow.contrib.tfprof.model_analyzer``."""

from retrograd.faces import missing
from retrograd.sessions.older_profiling import (
    FLOAT_OPS_OPTIONS,
    PRINT_ALL_TIMING_MEMORY,
    TRAINABLE_VARS_PARAMS_STAT_OPTIONS,
    advise,
    print_model_analysis,
)
from retrograd.sessions.profiling import Profiler

__getattr__ = missing(__name__)
