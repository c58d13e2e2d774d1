"""The names of ``tensorflow.summary``."""

from retrograd.faces import missing
from retrograd.io.event_files import FileWriter, FileWriterCache
from retrograd.io.summary_writers import all_v2_summary_ops, initialize
from retrograd.nn.summaries import (
    audio,
    get_summary_description,
    histogram,
    image,
    merge,
    merge_all,
    scalar,
    tensor_summary,
    text,
)

_LAZY = {
    "Event": "tensorboard.compat.proto.event_pb2",
    "SessionLog": "tensorboard.compat.proto.event_pb2",
    "Summary": "tensorboard.compat.proto.summary_pb2",
    "SummaryDescription": "tensorboard.compat.proto.summary_pb2",
    "TaggedRunMetadata": "tensorboard.compat.proto.event_pb2",
}
__getattr__ = missing(__name__, _LAZY)
