"""The names of ``tensorflow.compat.v2.io``."""

from retrograd.faces import missing
from retrograd.io.graph_defs import write_graph
from retrograd.io.tf_record import TFRecordOptions, TFRecordWriter
from retrograd.nn.image.decoding import decode_image
from retrograd.ops.coded_images import (
    decode_and_crop_jpeg,
    decode_bmp,
    decode_gif,
    decode_jpeg,
    decode_png,
    encode_jpeg,
    extract_jpeg_shape,
    is_jpeg,
)
from retrograd.ops.decoding import (
    decode_csv_v2 as decode_csv,
)
from retrograd.ops.decoding import (
    decode_json_example,
    decode_raw,
    parse_tensor,
    serialize_tensor,
)
from retrograd.ops.example_features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
)
from retrograd.ops.message_fields import decode_proto, encode_proto
from retrograd.ops.parsing import (
    parse_example_v2 as parse_example,
)
from retrograd.ops.parsing import (
    parse_single_example_v2_unoptimized as parse_single_example,
)
from retrograd.ops.sequence_parsing import parse_sequence_example, parse_single_sequence_example
from retrograd.ops.sparse_serialization import (
    deserialize_many_sparse,
)
from retrograd.ops.sparse_serialization import (
    serialize_sparse_v2 as serialize_sparse,
)
from retrograd.ops.whole_files import matching_files, read_file, write_file
from retrograd.ragged.dispatching import decode_base64, decode_compressed, encode_base64
from retrograd.train.input import match_filenames_once

__getattr__ = missing(__name__)
