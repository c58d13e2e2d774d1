"""The names of ``tensorflow.data``."""

from retrograd.data.dataset import Dataset
from retrograd.data.iterators import (
    Iterator,
    make_initializable_iterator,
    make_one_shot_iterator,
)
from retrograd.data.iterators import (
    get_legacy_output_classes as get_output_classes,
)
from retrograd.data.iterators import (
    get_legacy_output_shapes as get_output_shapes,
)
from retrograd.data.iterators import (
    get_legacy_output_types as get_output_types,
)
from retrograd.data.options import Options
from retrograd.data.readers import FixedLengthRecordDataset, TextLineDataset, TFRecordDataset
from retrograd.data.structures import DatasetSpec
from retrograd.faces import missing

__getattr__ = missing(__name__)
