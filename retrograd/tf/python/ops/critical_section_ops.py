"""The names of ``tensorflow.python.ops.critical_section_ops``."""

from retrograd.faces import missing
from retrograd.state.critical_sections import CRITICAL_SECTION_EXECUTIONS, CRITICAL_SECTIONS, CriticalSection

__getattr__ = missing(__name__)
