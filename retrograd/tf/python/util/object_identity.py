"""The names of ``tensorflow.python.util.object_identity``."""

from retrograd.faces import missing
from retrograd.graph.identity import (
    ObjectIdentityDictionary,
    ObjectIdentitySet,
    ObjectIdentityWeakKeyDictionary,
    ObjectIdentityWeakSet,
)
from retrograd.graph.identity import (
    StandIn as _ObjectIdentityWrapper,
)
from retrograd.graph.identity import (
    WeakStandIn as _WeakObjectIdentityWrapper,
)
from retrograd.graph.tensor import Reference

__getattr__ = missing(__name__)
