"""The names of ``tensorflow.contrib.session_bundle.manifest_pb2``."""

from retrograd.faces import missing
from retrograd.files.manifests import (
    AssetFile,
    ClassificationSignature,
    GenericSignature,
    RegressionSignature,
    Signature,
    Signatures,
    TensorBinding,
)

__getattr__ = missing(__name__)
