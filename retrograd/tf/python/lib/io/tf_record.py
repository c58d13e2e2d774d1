"""The names of ``tensorflow.python.lib.io.tf_record``."""

from retrograd.faces import missing
from retrograd.io.tf_record import (
    TFRecordCompressionType,
    TFRecordOptions,
    TFRecordWriter,
    tf_record_iterator,
    tf_record_random_reader,
)

__getattr__ = missing(__name__)
