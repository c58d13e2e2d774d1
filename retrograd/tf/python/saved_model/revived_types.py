"""The names of ``tensorflow.python.saved_model.revived_types``."""

from retrograd.faces import missing
from retrograd.io.saved_model.revived_types import (
    VersionedTypeRegistration,
    deserialize,
    register_revived_type,
    registered_identifiers,
    serialize,
)

__getattr__ = missing(__name__)
