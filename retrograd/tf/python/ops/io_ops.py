"""The names of ``tensorflow.python.ops.io_ops``."""

from retrograd.faces import missing
from retrograd.ops.readers import (
    FixedLengthRecordReader,
    IdentityReader,
    LMDBReader,
    ReaderBase,
    TextLineReader,
    TFRecordReader,
    WholeFileReader,
)
from retrograd.ops.saving import (
    merge_v2_checkpoints,
    restore_v2,
    save_slices,
    save_v2,
    sharded_filename,
    sharded_filespec,
)
from retrograd.ops.whole_files import matching_files, read_file, write_file

__getattr__ = missing(__name__)
