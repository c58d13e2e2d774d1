"""What ``tf.contrib.learn``'s estimators stand on: what trains and evaluates, and scikit-learn's arguments.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn``: ``evaluable.py``, ``trainable.py``, ``_sklearn.py``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class NotFittedError(ValueError, AttributeError):
    """A model is to be used that was not trained."""


class Evaluable(ABC):
    """What an ``Experiment`` can evaluate."""

    @property
    @abstractmethod
    def model_dir(self) -> Any:
        """Where the checkpoints are."""
        raise NotImplementedError

    @abstractmethod
    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Any = None, feed_fn: Any = None, batch_size: int | None = None,
        steps: int | None = None, metrics: Any = None, name: str | None = None, checkpoint_path: str | None = None,
        hooks: Any = None,
    ) -> Any:  # fmt: skip
        """The metrics by their names, and the global step."""
        raise NotImplementedError


class Trainable(ABC):
    """What an ``Experiment`` can train."""

    @abstractmethod
    def fit(
        self, x: Any = None, y: Any = None, input_fn: Any = None, steps: int | None = None,
        batch_size: int | None = None, monitors: Any = None, max_steps: int | None = None,
    ) -> Any:  # fmt: skip
        """Train, and give back the object itself."""
        raise NotImplementedError


class Parameters:
    """Public attributes as arguments, as scikit-learn's estimators have them."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The attributes that are neither private nor callable; with ``deep`` those of parts, ``part__name``."""
        found: dict[str, Any] = {}
        for key, value in vars(self).items():
            if key.startswith("_") or callable(value):
                continue
            if deep and hasattr(value, "get_params"):
                found.update((f"{key}__{name}", part) for name, part in value.get_params().items())
            found[key] = value
        return found

    def set_params(self, **params: Any) -> Parameters:
        """Set attributes; ``part__name`` is one of a part.

        Raises:
          ValueError: there is no such attribute.
        """
        known = self.get_params(deep=True)
        for key, value in params.items():
            name, inside, of_part = key.partition("__")
            if name not in known:
                owner = self if inside else type(self).__name__
                raise ValueError(
                    f"Invalid parameter {name} for estimator {owner}. Check the list of available parameters with "
                    "`estimator.get_params().keys()`."
                )
            if inside:
                known[name].set_params(**{of_part: value})
            else:
                setattr(self, key, value)
        return self

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={value}" for key, value in self.get_params(deep=False).items())
        return f"{type(self).__name__}({shown})"
