"""Tests of Keras run in each of its modes: ``tensorflow.python.keras.keras_parameterized``.

A decorated test becomes several, one for each type of model, or one for each way of running models.
"""

from __future__ import annotations

import functools
import itertools
import unittest
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

from absl.testing import parameterized

from retrograd.eager.context import eager_mode, graph_mode
from retrograd.graph import nest
from retrograd.keras.backend import clear_session
from retrograd.testing.case import TensorFlowTestCase
from retrograd.testing.keras_models import experimental_run_tf_function_scope, model_type_scope, run_eagerly_scope

Test = Callable[..., Any]


class TestCase(TensorFlowTestCase, parameterized.TestCase):
    """A test case that leaves no models behind."""

    def tearDown(self) -> None:
        clear_session()
        super().tearDown()


def run_with_all_model_types(test_or_class: Any = None, exclude_models: Any = None) -> Any:
    """Run a test, or each of a class, with models that are functional, subclassed and sequential."""
    excluded = nest.flatten(exclude_models)
    kinds = [kind for kind in ("functional", "subclass", "sequential") if kind not in excluded]

    def run(test: Test, kind: str, self: Any, *args: Any, **kwargs: Any) -> None:
        with model_type_scope(kind):
            test(self, *args, **kwargs)

    return _each(kinds, run, test_or_class)


def run_all_keras_modes(
    test_or_class: Any = None, config: Any = None, always_skip_v1: bool = False, always_skip_eager: bool = False
) -> Any:
    """Run a test, or each of a class, on functions, on graphs of functions, op by op, and in a session."""
    modes = ["v2_function", "v2_funcgraph"]
    if not always_skip_eager:
        modes.append("v2_eager")
    if not always_skip_v1:
        modes.append("v1_session")

    def run(test: Test, mode: str, self: Any, *args: Any, **kwargs: Any) -> None:
        with ExitStack() as scopes:
            scopes.enter_context(graph_mode() if mode == "v1_session" else eager_mode())
            scopes.enter_context(run_eagerly_scope(mode == "v2_eager"))
            scopes.enter_context(experimental_run_tf_function_scope(mode in ("v2_eager", "v2_function")))
            if mode == "v1_session":
                scopes.enter_context(self.test_session(use_gpu=True, config=config))
            test(self, *args, **kwargs)

    return _each(modes, run, test_or_class)


def _each(choices: list[str], run: Callable[..., None], test_or_class: Any) -> Any:
    """A test for each choice, named after it; of tests that are already several, of each of them."""

    def one(test: Test) -> Any:
        @parameterized.named_parameters(*((f"_{choice}", choice) for choice in choices))
        @functools.wraps(test)
        def decorated(self: Any, choice: str, *args: Any, **kwargs: Any) -> None:
            run(test, choice, self, *args, **kwargs)

        return decorated

    def decorate(found: Any) -> Any:
        if isinstance(found, type):
            for name, value in dict(vars(found)).items():
                if callable(value) and name.startswith(unittest.TestLoader.testMethodPrefix):
                    setattr(found, name, one(value))
            return type(found)(found.__name__, found.__bases__, dict(vars(found)))
        if isinstance(found, Iterable):
            return itertools.chain.from_iterable(one(test) for test in found)
        return one(found)

    return decorate if test_or_class is None else decorate(test_or_class)
