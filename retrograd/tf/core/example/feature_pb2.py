"""The names of ``tensorflow.core.example.feature_pb2``."""

from retrograd.faces import missing
from retrograd.files.messages import (
    BytesList,
    Feature,
    FeatureList,
    FeatureLists,
    Features,
    FloatList,
    Int64List,
)

__getattr__ = missing(__name__)
