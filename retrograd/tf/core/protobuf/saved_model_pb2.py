"""The names of ``tensorflow.core.protobuf.saved_model_pb2``."""

from retrograd.faces import missing
from retrograd.io.saved_model.messages import SavedModel

__getattr__ = missing(__name__)
