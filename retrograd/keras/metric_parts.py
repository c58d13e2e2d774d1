"""What metrics share: values of ragged tensors, and the kinds of areas under curves."""

from __future__ import annotations

import enum
from typing import Any

from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.ops import arrays
from retrograd.ragged.splits import same_splits
from retrograd.ragged.tensor import RaggedTensor
from retrograd.state.variables import VariableV2

BELOW_ALL = -1e10  # a threshold that every prediction exceeds but those that are left out, which become it


class AUCCurve(enum.Enum):
    """Which curve: true over false positives, or precision over recall."""

    ROC = "ROC"
    PR = "PR"

    @staticmethod
    def from_str(key: Any) -> AUCCurve:
        """The curve of this name.

        Raises:
          ValueError: there is none.
        """
        return _named(AUCCurve, key, {"roc", "pr", "ROC", "PR"}, "curve")


class AUCSummationMethod(enum.Enum):
    """Which height has the area between two thresholds: one between, the lower or the higher of theirs."""

    INTERPOLATION = "interpolation"
    MAJORING = "majoring"
    MINORING = "minoring"

    @staticmethod
    def from_str(key: Any) -> AUCSummationMethod:
        """The method of this name.

        Raises:
          ValueError: there is none.
        """
        names = {m.value for m in AUCSummationMethod}
        return _named(AUCSummationMethod, key, names | {n.capitalize() for n in names}, "summation method")


def _named(kind: Any, key: Any, names: set[str], what: str) -> Any:
    if isinstance(key, kind):
        return key
    if key not in names:
        raise ValueError(f'Invalid AUC {what} value "{key}".')
    return kind[key.upper()]


def check_thresholds(thresholds: Any) -> None:
    """Raises ``ValueError`` for thresholds that are none of [0, 1]."""
    invalid = [t for t in thresholds if t is None or not 0 <= t <= 1]
    if invalid:
        raise ValueError(f"Threshold values must be in [0, 1]. Invalid values: {invalid}")


def flat_values(values: Any, mask: Any = None) -> tuple[Any, Any]:
    """The values of ragged tensors with the same rows, each behind the other, and those of their weights.

    Raises:
      TypeError: some are ragged and some are not.
    """
    given = values if isinstance(values, list) else [values]
    ragged = [isinstance(v, RaggedTensor) for v in given]
    if not any(ragged):
        if isinstance(mask, RaggedTensor):
            raise TypeError("Ragged mask is not allowed with non-ragged inputs.")
        return values, mask
    if not all(ragged) or not (mask is None or isinstance(mask, RaggedTensor)):
        raise TypeError("One of the inputs does not have acceptable types.")
    splits = [v.nested_row_splits for v in given]
    flat = _behind_checks([v.flat_values for v in given], splits)
    if mask is not None:
        mask = _behind_checks([mask.flat_values], [splits[0], mask.nested_row_splits])[0]
    return flat if isinstance(values, list) else flat[0], mask


def _behind_checks(values: list[Any], splits: list[Any]) -> list[Tensor]:
    """The values with one more dimension of 1, once the splits are found to be the same."""
    with control_dependencies([op for op in same_splits(splits) if op is not None]):
        return [arrays.expand_dims(v, -1) for v in values]


def number_of(value: Any) -> Any:
    """The value of a tensor or variable; anything else as it is."""
    return K.eval_(value) if isinstance(value, Tensor | VariableV2) else value
