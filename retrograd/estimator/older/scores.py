"""What ``tf.contrib.learn`` measures and splits arrays with where scikit-learn is not imported."""

from __future__ import annotations

from typing import Any

import numpy as np


def accuracy_score(y_true: Any, y_pred: Any) -> Any:
    """The share of predictions that are the labels; predictions of one column are a vector."""
    if not isinstance(y_pred, np.ndarray):
        y_pred = np.array(list(y_pred))
    if y_pred.ndim == 2 and y_pred.shape[1] == 1:
        y_pred = y_pred[:, 0]
    return np.average(np.asarray(y_true) == y_pred)


def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    """``mean((y_true - y_pred)^2)``; what is of one column is a vector."""
    y_true, y_pred = (np.asarray(y)[:, 0] if np.ndim(y) == 2 and np.shape(y)[1] == 1 else y for y in (y_true, y_pred))
    return np.average((np.asarray(y_true) - np.asarray(y_pred)) ** 2)


def train_test_split(
    *args: Any, test_size: float | None = None, train_size: float | None = None, random_state: Any = None
) -> tuple[Any, ...]:
    """Two parts of each array, of rows in one random order: ``train_size`` of them, by default three quarters."""
    if train_size is None:
        train_size = 1 - (0.25 if test_size is None else test_size)
    rows = np.random.RandomState(random_state).permutation(args[0].shape[0])
    count = int(train_size * len(rows))
    return tuple(array[part] for array in args for part in (rows[:count], rows[count:]))
