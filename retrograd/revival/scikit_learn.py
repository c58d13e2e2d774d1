"""Names and arguments that later scikit-learns removed."""

from __future__ import annotations

from retrograd.revival.putting import by_places, put, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HOUSES = ["CRIM", "ZN", "INDUS", "CHAS", "NOX", "RM", "AGE", "DIS", "RAD", "TAX", "PTRATIO", "B", "LSTAT"]


def revive_datasets(datasets: Any) -> None:
    """``load_boston``: the table that ``tf.contrib.learn.datasets`` has, with one number that 0.20 corrected."""

    def load_boston(*, return_X_y: bool = False) -> Any:
        """506 quarters of Boston: 13 numbers, and the median price of a house; a bunch, or a pair of arrays."""
        import numpy as np
        from sklearn.utils import Bunch

        from retrograd.io import small_sets

        data, target = small_sets.load_boston()
        data[445, 0] = 10.6718  # 0.6718 in TensorFlow's table
        if return_X_y:
            return data, target
        words = small_sets.load_boston.__doc__
        return Bunch(data=data, target=target, feature_names=np.array(_HOUSES), DESCR=words)

    put(datasets, load_boston=load_boston)


def revive_text(text: Any) -> None:
    """``get_feature_names()``: the words of the columns, as a list."""

    def get_feature_names(self: Any) -> list[str]:
        return list(self.get_feature_names_out())

    for counter in (text.CountVectorizer, text.TfidfVectorizer):
        if not hasattr(counter, "get_feature_names"):
            put(counter, get_feature_names=get_feature_names)


def revive_functions(validation: Any) -> None:
    """Arguments of scikit-learn's functions that are named now, by their places."""
    import functools

    first = getattr(validation, "validate_params", None)
    if first is None:
        return

    @functools.wraps(first)
    def validate_params(*args: Any, **kwargs: Any) -> Any:
        decorated = first(*args, **kwargs)
        return lambda function: by_places(decorated(function))

    validation.validate_params = validate_params
    undo.append(lambda: setattr(validation, "validate_params", first))


def revive_estimators(base: Any) -> None:
    """Arguments of estimators that are named now, by their places."""

    def of_subclass(cls: Any, **kwargs: Any) -> None:
        super(base.BaseEstimator, cls).__init_subclass__(**kwargs)
        if cls.__module__.startswith("sklearn.") and "__init__" in vars(cls):
            cls.__init__ = by_places(cls.__init__)

    put(base.BaseEstimator, __init_subclass__=classmethod(of_subclass))


def revive_preprocessing(preprocessing: Any) -> None:
    """``OneHotEncoder(sparse=...)``, which is ``sparse_output`` now."""
    _accept(preprocessing.OneHotEncoder, "sparse", "sparse_output")


def revive_manifold(manifold: Any) -> None:
    """``TSNE(n_iter=...)``, which is ``max_iter`` now."""
    _accept(manifold.TSNE, "n_iter", "max_iter")


def _accept(estimator: Any, old: str, new: str) -> None:
    """Let ``estimator`` take the argument ``new`` by its old name."""
    import functools
    import inspect

    first = estimator.__init__
    if old in inspect.signature(first).parameters:
        return

    @functools.wraps(first)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        if old in kwargs:
            kwargs[new] = kwargs.pop(old)
        first(self, *args, **kwargs)

    estimator.__init__ = init
    undo.append(lambda: setattr(estimator, "__init__", first))
