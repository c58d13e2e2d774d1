"""How an exported model gets its input: receivers of tensors, and the functions that make them.

Source: ``tensorflow_estimator`` 1.15.1, ``export/export.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from retrograd.estimator.export_outputs import (
    SINGLE_FEATURE_DEFAULT_NAME,
    SINGLE_LABEL_DEFAULT_NAME,
    SINGLE_RECEIVER_DEFAULT_NAME,
)
from retrograd.estimator.preparing import parse_input_fn_result
from retrograd.graph import dtypes
from retrograd.graph.graph import Graph
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, parsing

_DEFAULT_NAMES = {
    "feature": SINGLE_FEATURE_DEFAULT_NAME,
    "label": SINGLE_LABEL_DEFAULT_NAME,
    "receiver_tensor": SINGLE_RECEIVER_DEFAULT_NAME,
    "receiver_tensors_alternative": SINGLE_RECEIVER_DEFAULT_NAME,
}


def wrap_and_check_input_tensors(tensors: Any, field_name: str, allow_int_keys: bool = False) -> dict[Any, Any]:
    """Tensors by their names; one without a name gets the field's.

    Raises:
      ValueError: there are none, one is no tensor, or a key is of a wrong type.
    """
    if tensors is None:
        raise ValueError(f"{field_name}s must be defined.")
    if not isinstance(tensors, dict):
        tensors = {_DEFAULT_NAMES[field_name]: tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, str):
            if not allow_int_keys:
                raise ValueError(f"{field_name} keys must be strings: {name}.")
            if not isinstance(name, int):
                raise ValueError(f"{field_name} keys must be strings or ints: {name}.")
        _check_tensor(tensor, name, field_name)
    return tensors


def _check_tensor(tensor: Any, name: Any, label: str) -> None:
    if not isinstance(tensor, Tensor | SparseTensor):
        raise ValueError(f"{label}{f' {name}' if name else ''} must be a Tensor or SparseTensor.")


class _Received(NamedTuple):
    features: Any
    receiver_tensors: Any
    receiver_tensors_alternatives: Any


class ServingInputReceiver(_Received):
    """The features of a model, and the placeholders that a request feeds.

    Raises:
      ValueError: something is no tensor, or has a wrong key.
    """

    __slots__ = ()

    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> ServingInputReceiver:
        features = wrap_and_check_input_tensors(features, "feature", allow_int_keys=True)
        receiver_tensors = wrap_and_check_input_tensors(receiver_tensors, "receiver_tensor")
        others = receiver_tensors_alternatives
        if others is not None:
            if not isinstance(others, dict):
                raise ValueError(f"receiver_tensors_alternatives must be a dict: {others}.")
            for name, tensors in others.items():
                others[name] = wrap_and_check_input_tensors(tensors, "receiver_tensors_alternative")
        return super().__new__(cls, features, receiver_tensors, others)


class TensorServingInputReceiver(_Received):
    """The same for a model whose features are one tensor, not a dictionary of them."""

    __slots__ = ()

    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> TensorServingInputReceiver:
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, None, "feature")
        found = ServingInputReceiver(features, receiver_tensors, receiver_tensors_alternatives)
        feature = found.features[SINGLE_FEATURE_DEFAULT_NAME]
        return super().__new__(cls, feature, found.receiver_tensors, found.receiver_tensors_alternatives)


class UnsupervisedInputReceiver(ServingInputReceiver):
    """The features of a model that trains without labels, and its placeholders."""

    __slots__ = ()

    def __new__(cls, features: Any, receiver_tensors: Any) -> UnsupervisedInputReceiver:  # type: ignore[misc]
        return super().__new__(cls, features, receiver_tensors)  # type: ignore[return-value]


class _Supervised(NamedTuple):
    features: Any
    labels: Any
    receiver_tensors: Any


class SupervisedInputReceiver(_Supervised):
    """Features and labels of a model, and its placeholders."""

    __slots__ = ()

    def __new__(cls, features: Any, labels: Any, receiver_tensors: Any) -> SupervisedInputReceiver:
        wrap_and_check_input_tensors(features, "feature", allow_int_keys=True)
        wrap_and_check_input_tensors(labels, "label", allow_int_keys=True)
        return super().__new__(cls, features, labels, wrap_and_check_input_tensors(receiver_tensors, "receiver_tensor"))


# -- functions that make receivers ---------------------------------------------------------------


def build_parsing_serving_input_receiver_fn(
    feature_spec: Any, default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """A function that makes a receiver of serialized ``tf.train.Example``s, parsed by ``feature_spec``."""

    def serving_input_receiver_fn() -> ServingInputReceiver:
        examples = constants.placeholder(dtypes.string, shape=[default_batch_size], name="input_example_tensor")
        return ServingInputReceiver(parsing.parse_example(examples, feature_spec), {"examples": examples})

    return serving_input_receiver_fn


def _placeholder_like(tensor: Any, batch_size: int | None) -> Tensor:
    shape = TensorShape([batch_size]).concatenate(tensor.get_shape()[1:])
    name = tensor.op.name if hasattr(tensor, "op") else None
    return constants.placeholder(tensor.dtype, shape=shape, name=name)


def _placeholders_like(tensors: dict[str, Any], batch_size: int | None) -> dict[str, Tensor]:
    return {name: _placeholder_like(tensor, batch_size) for name, tensor in tensors.items()}


def build_raw_serving_input_receiver_fn(
    features: dict[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """A function that makes a receiver of the features themselves: a placeholder for each."""

    def serving_input_receiver_fn() -> ServingInputReceiver:
        tensors = _placeholders_like(features, default_batch_size)
        return ServingInputReceiver(tensors, tensors)

    return serving_input_receiver_fn


def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: int | None = None
) -> Callable[[], SupervisedInputReceiver]:
    """A function that makes a receiver of features and labels: a placeholder for each.

    Raises:
      ValueError: a feature and a label have one name.
    """
    feature_keys = features.keys() if isinstance(features, dict) else [SINGLE_RECEIVER_DEFAULT_NAME]
    label_keys = labels.keys() if isinstance(labels, dict) else [SINGLE_LABEL_DEFAULT_NAME]
    overlap = set(feature_keys) & set(label_keys)
    if overlap:
        raise ValueError(f"Features and labels must have distinct keys. Found overlapping keys: {overlap}")

    def fed(tensors: Any, single_name: str) -> tuple[Any, dict[str, Tensor]]:
        if isinstance(tensors, dict):
            made = _placeholders_like(tensors, default_batch_size)
            return made, made
        one = _placeholder_like(tensors, default_batch_size)
        return one, {single_name: one}

    def supervised_input_receiver_fn() -> SupervisedInputReceiver:
        given, by_name = fed(features, SINGLE_RECEIVER_DEFAULT_NAME)
        wanted, label_by_name = fed(labels, SINGLE_LABEL_DEFAULT_NAME)
        return SupervisedInputReceiver(given, wanted, {**by_name, **label_by_name})

    return supervised_input_receiver_fn


def build_supervised_input_receiver_fn_from_input_fn(
    input_fn: Callable[..., Any], **input_fn_args: Any
) -> Callable[[], SupervisedInputReceiver]:
    """A function that makes a receiver of what an input function gives: a placeholder for each tensor."""
    with Graph().as_default():
        features, labels, _ = parse_input_fn_result(input_fn(**input_fn_args))
    return build_raw_supervised_input_receiver_fn(features, labels)
