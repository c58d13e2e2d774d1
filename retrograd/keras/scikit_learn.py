"""``tf.keras.wrappers.scikit_learn``: models as estimators of scikit-learn, which is not needed for them."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.keras.sequential import Sequential
from retrograd.keras.utils import to_categorical


class _Estimator:
    """A function that builds a compiled model, and the arguments for it and for ``fit``.

    Raises:
      ValueError: an argument belongs to neither.
    """

    def __init__(self, build_fn: Callable[..., Any] | None = None, **sk_params: Any) -> None:
        self.build_fn, self.sk_params = build_fn, sk_params
        self.check_params(sk_params)

    def _builder(self) -> Callable[..., Any]:
        if self.build_fn is None:
            own: Callable[..., Any] = type(self).__call__.__get__(self)  # a subclass builds by being called
            return own
        return self.build_fn

    def check_params(self, params: dict[str, Any]) -> None:
        """Hold the arguments to those of the functions that take them."""
        methods: list[Any] = [
            Sequential.fit,
            Sequential.predict,
            Sequential.predict_classes,
            Sequential.evaluate,
            self._builder(),
        ]
        known = {name for method in methods for name in inspect.signature(method).parameters} | {"nb_epoch"}
        for name in params:
            if name not in known:
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params: Any) -> dict[str, Any]:
        """The arguments, with ``build_fn``."""
        return {**copy.deepcopy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params: Any) -> Any:
        """Change arguments."""
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def filter_sk_params(self, fn: Callable[..., Any], override: dict[str, Any] | None = None) -> dict[str, Any]:
        """The arguments that a function takes."""
        names = inspect.signature(fn).parameters
        return {**{k: v for k, v in self.sk_params.items() if k in names}, **(override or {})}

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Build the model and train it."""
        self.model = self._builder()(**self.filter_sk_params(self._builder()))
        loss = self.model.loss
        name = loss if isinstance(loss, str) else getattr(loss, "__name__", "")
        if name == "categorical_crossentropy" and len(np.shape(y)) != 2:
            y = to_categorical(y)
        return self.model.fit(x, y, **{**self.filter_sk_params(Sequential.fit), **kwargs})


class KerasClassifier(_Estimator):
    """A classifier of scikit-learn."""

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Train on classes, or on rows with 1 at the place of the class.

        Raises:
          ValueError: the targets are neither.
        """
        y = np.array(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif y.ndim == 1 or (y.ndim == 2 and y.shape[1] == 1):
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError("Invalid shape for y: " + str(y.shape))
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The class of each example."""
        return self.classes_[self.model.predict_classes(x, **self.filter_sk_params(Sequential.predict_classes, kwargs))]

    def predict_proba(self, x: Any, **kwargs: Any) -> Any:
        """The probabilities of the classes."""
        probabilities = self.model.predict(x, **self.filter_sk_params(Sequential.predict_classes, kwargs))
        if probabilities.shape[1] == 1:
            probabilities = np.hstack([1 - probabilities, probabilities])
        return probabilities

    def score(self, x: Any, y: Any, **kwargs: Any) -> float:
        """The accuracy.

        Raises:
          ValueError: the model does not compute it.
        """
        y = np.searchsorted(self.classes_, y)
        kwargs = self.filter_sk_params(Sequential.evaluate, kwargs)
        if getattr(self.model.loss, "__name__", self.model.loss) == "categorical_crossentropy" and y.ndim != 2:
            y = to_categorical(y)
        outputs = self.model.evaluate(x, y, **kwargs)
        outputs = outputs if isinstance(outputs, list) else [outputs]
        for name, output in zip(self.model.metrics_names, outputs, strict=True):
            if name in ("accuracy", "acc"):
                return output
        raise ValueError(
            'The model is not configured to compute accuracy. You should pass `metrics=["accuracy"]` to the '
            "`model.compile()` method."
        )


class KerasRegressor(_Estimator):
    """A regressor of scikit-learn."""

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The predicted numbers."""
        return np.squeeze(self.model.predict(x, **self.filter_sk_params(Sequential.predict, kwargs)))

    def score(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """The loss, negative: the more the better."""
        loss = self.model.evaluate(x, y, **self.filter_sk_params(Sequential.evaluate, kwargs))
        return -loss[0] if isinstance(loss, list) else -loss
