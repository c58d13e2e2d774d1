"""The environments: Gymnasium's, by their names and those of earlier versions."""

from . import families, registration
from .registration import make, register, registry, spec

__all__ = ["families", "make", "register", "registration", "registry", "spec"]
