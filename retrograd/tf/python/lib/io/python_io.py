"""The names of ``tensorflow.python.lib.io.python_io``."""

from retrograd.faces import missing
from retrograd.io.tf_record import (
    TFRecordCompressionType,
    TFRecordOptions,
    TFRecordWriter,
    tf_record_iterator,
)

__getattr__ = missing(__name__)
