"""The names of ``tensorflow.compat.v2.data``."""

from retrograd.data.dataset import Dataset
from retrograd.data.options import Options
from retrograd.data.readers import FixedLengthRecordDataset, TextLineDataset, TFRecordDataset
from retrograd.data.structures import DatasetSpec
from retrograd.faces import missing

__getattr__ = missing(__name__)
