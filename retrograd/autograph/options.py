"""What a conversion includes."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


class Feature(enum.Enum):
    """The parts of a conversion that must be asked for."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """Every feature."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Any) -> tuple[Feature, ...]:
        """Every feature except ``exclude``, one or several."""
        left_out = {exclude} if isinstance(exclude, Feature) else set(exclude)
        return tuple(each for each in cls if each not in left_out and each is not cls.ALL)


@dataclass(frozen=True)
class ConversionOptions:
    """How functions are converted.

    Args:
      recursive: also what the function calls.
      user_requested: the function itself, wherever it was defined.
      optional_features: of ``Feature``.
    """

    recursive: bool = True
    user_requested: bool = False
    optional_features: frozenset[Feature] = frozenset()

    def uses(self, feature: Feature) -> bool:
        """Whether the feature is on."""
        return Feature.ALL in self.optional_features or feature in self.optional_features


def features(given: Feature | Iterable[Feature] | None) -> frozenset[Feature]:
    """One feature, several or none as a set."""
    if given is None:
        return frozenset()
    return frozenset((given,) if isinstance(given, Feature) else given)


STANDARD = ConversionOptions()
