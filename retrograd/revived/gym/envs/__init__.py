"""The environments: Gymnasium's, by their names and those of earlier versions."""

from . import registration
from .registration import make, register, registry, spec

__all__ = ["make", "register", "registration", "registry", "spec"]
