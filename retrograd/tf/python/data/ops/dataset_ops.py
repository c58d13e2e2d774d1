"""The names of ``tensorflow.python.data.ops.dataset_ops``."""

from retrograd.data.dataset import AUTOTUNE, Dataset, from_variant, to_variant
from retrograd.data.dataset import Dataset as DatasetV1
from retrograd.data.dataset import Dataset as DatasetV2
from retrograd.data.dataset import VariantDataset as _VariantDataset
from retrograd.data.iterators import (
    get_legacy_output_classes,
    get_legacy_output_shapes,
    get_legacy_output_types,
    get_structure,
    make_initializable_iterator,
    make_one_shot_iterator,
)
from retrograd.data.nodes import (
    MapDataset,
    ParallelMapDataset,
    PrefetchDataset,
    _GeneratorDataset,
    _MaxIntraOpParallelismDataset,
)
from retrograd.data.options import Options
from retrograd.data.structures import DatasetSpec
from retrograd.faces import missing

__getattr__ = missing(__name__)
