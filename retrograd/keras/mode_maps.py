"""Values by what a model is built for, under Keras' names of that and under those of estimators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_KINDS = {"train": "train", "test": "test", "eval": "test", "predict": "predict", "infer": "predict"}


def is_train(mode: Any) -> bool:
    """Whether a model is built to be trained."""
    return _KINDS.get(mode) == "train"


def is_eval(mode: Any) -> bool:
    """Whether a model is built to be evaluated."""
    return _KINDS.get(mode) == "test"


def is_predict(mode: Any) -> bool:
    """Whether a model is built to be asked."""
    return _KINDS.get(mode) == "predict"


class ModeKeyMap(Mapping[str, Any]):
    """Values by modes, which cannot be changed: ``predict`` and ``infer`` are one key, and so ``test`` and ``eval``.

    Raises:
      ValueError: a key is no mode, or two are the same one.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._given = list(kwargs)
        self._values: dict[str, Any] = {}
        for key, value in kwargs.items():
            kind = _kind(key)
            if kind in self._values:
                raise ValueError(f"Error creating ModeKeyMap. Multiple keys/values found for {kind} mode.")
            self._values[kind] = value

    def __getitem__(self, key: str) -> Any:
        return self._values[_kind(key)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)


def _kind(mode: str) -> str:
    if mode not in _KINDS:
        raise ValueError(f"Invalid mode key: {mode}.")
    return _KINDS[mode]
