"""Decorators that note the public names of a symbol: what code beside TensorFlow marks its functions with."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from retrograd.graph import decorators

_ATTRIBUTE = {"tensorflow": "_tf_api_names", "keras": "_keras_api_names", "estimator": "_estimator_api_names"}


class SymbolAlreadyExposedError(Exception):
    """The symbol was given names before."""


class InvalidSymbolNameError(Exception):
    """The name lies under another component."""


class api_export:
    """Notes ``names`` on what it decorates, and gives it back as it was.

    ``v1`` are the names in TensorFlow 1 where they are others than in TensorFlow 2. What stands in ``overrides``
    loses its names. A class does not have the names of its base.

    Raises:
      InvalidSymbolNameError: a name of ``estimator_export`` outside ``estimator``, or of another one in it.
      SymbolAlreadyExposedError: what is decorated has names; not with ``allow_multiple_exports``.
    """

    def __init__(self, *names: str, **options: Any) -> None:
        self.names = names
        self.v1: Sequence[str] = options.get("v1", names)
        self.api: str = options.get("api_name", "tensorflow")
        self.overrides: Sequence[Any] = options.get("overrides", ())
        self.again: bool = options.get("allow_multiple_exports", False)
        inside = [n.startswith("estimator.") for n in (*names, *self.v1)]
        if self.api == "estimator" and not all(inside):
            raise InvalidSymbolNameError(
                "Can only export symbols under package name of component. "
                "e.g. tensorflow_estimator must export all symbols under tf.estimator"
            )
        if self.api != "estimator" and any(inside):
            raise InvalidSymbolNameError("@tf_export is not allowed to export symbols under estimator.*")

    def __call__(self, func: Any) -> Any:
        first, second = _ATTRIBUTE[self.api], _ATTRIBUTE[self.api] + "_v1"
        for other in self.overrides:
            _, plain = decorators.unwrap(other)
            for attribute in (first, second):
                if attribute in vars(plain):
                    delattr(plain, attribute)
        _, plain = decorators.unwrap(func)
        for attribute, names in ((first, self.names), (second, self.v1)):
            if attribute in vars(plain) and not self.again:
                raise SymbolAlreadyExposedError(
                    f"Symbol {plain.__name__} is already exposed as {vars(plain)[attribute]}."
                )
            setattr(plain, attribute, names)
        return func


tf_export = api_export
keras_export = functools.partial(api_export, api_name="keras")
estimator_export = functools.partial(api_export, api_name="estimator")
