"""The names of ``tensorflow.python.summary.writer.writer``."""

from retrograd.faces import missing
from retrograd.io.event_files import FileWriter
from retrograd.io.plugin_assets import _PLUGINS_DIR

__getattr__ = missing(__name__)
