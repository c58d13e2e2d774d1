"""What a graph takes and gives: ``SignatureDef``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import NotFoundError
from retrograd.graph.tensor import Tensor
from retrograd.io.saved_model import signature_constants as names
from retrograd.io.saved_model.tensor_infos import (
    build_tensor_info,
    build_tensor_info_from_op,
    get_element_from_tensor_info,
)

_FLOAT, _STRING = as_dtype("float32").as_datatype_enum, as_dtype("string").as_datatype_enum


def build_signature_def(
    inputs: Mapping[str, Any] | None = None, outputs: Mapping[str, Any] | None = None, method_name: str | None = None
) -> Any:
    """A ``SignatureDef`` of ``TensorInfo``s by their names."""
    from tensorboard.compat.proto.meta_graph_pb2 import SignatureDef

    signature = SignatureDef()
    for infos, target in ((inputs, signature.inputs), (outputs, signature.outputs)):
        for key in infos or ():
            target[key].CopyFrom(infos[key])  # type: ignore[index]
    if method_name is not None:
        signature.method_name = method_name
    return signature


def _checked(tensor: Any, dtype: int, words: str) -> Any:
    info = build_tensor_info(tensor)
    if info.dtype != dtype:
        raise ValueError(words)
    return info


def _examples(examples: Any, kind: str) -> dict[str, Any]:
    if examples is None:
        raise ValueError(f"{kind} examples cannot be None.")
    words = f"{kind} examples must be a string Tensor."
    if not isinstance(examples, Tensor):
        raise ValueError(words)
    return {names.REGRESS_INPUTS: _checked(examples, _STRING, words)}


def regression_signature_def(examples: Any, predictions: Any) -> Any:
    """The signature of a graph that gives numbers for serialized examples.

    Raises:
      ValueError: ``examples`` are no strings, or ``predictions`` no float32.
    """
    inputs = _examples(examples, "Regression")
    if predictions is None:
        raise ValueError("Regression predictions cannot be None.")
    info = _checked(predictions, _FLOAT, "Regression output must be a float Tensor.")
    return build_signature_def(inputs, {names.REGRESS_OUTPUTS: info}, names.REGRESS_METHOD_NAME)


def classification_signature_def(examples: Any, classes: Any, scores: Any) -> Any:
    """The signature of a graph that gives classes, their scores, or both for serialized examples.

    Raises:
      ValueError: there are neither, or one is of another dtype.
    """
    inputs = _examples(examples, "Classification")
    if classes is None and scores is None:
        raise ValueError("Classification classes and scores cannot both be None.")
    outputs = {}
    if classes is not None:
        words = "Classification classes must be a string Tensor."
        outputs[names.CLASSIFY_OUTPUT_CLASSES] = _checked(classes, _STRING, words)
    if scores is not None:
        words = "Classification scores must be a float Tensor."
        outputs[names.CLASSIFY_OUTPUT_SCORES] = _checked(scores, _FLOAT, words)
    return build_signature_def(inputs, outputs, names.CLASSIFY_METHOD_NAME)


def predict_signature_def(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Any:
    """The signature of any function from tensors to tensors, by their names.

    Raises:
      ValueError: there are no inputs, or no outputs.
    """
    if not inputs:
        raise ValueError("Prediction inputs cannot be None or empty.")
    if not outputs:
        raise ValueError("Prediction outputs cannot be None or empty.")
    ins, outs = ({key: build_tensor_info(t) for key, t in tensors.items()} for tensors in (inputs, outputs))
    return build_signature_def(ins, outs, names.PREDICT_METHOD_NAME)


def supervised_train_signature_def(inputs: Any, loss: Any, predictions: Any = None, metrics: Any = None) -> Any:
    """The signature of a graph that trains."""
    return _supervised(names.SUPERVISED_TRAIN_METHOD_NAME, inputs, loss, predictions, metrics)


def supervised_eval_signature_def(inputs: Any, loss: Any, predictions: Any = None, metrics: Any = None) -> Any:
    """The signature of a graph that evaluates."""
    return _supervised(names.SUPERVISED_EVAL_METHOD_NAME, inputs, loss, predictions, metrics)


def _supervised(method: str, inputs: Any, *outputs: Any) -> Any:
    if not inputs:
        raise ValueError(f"{method} inputs cannot be None or empty.")
    ins = {key: build_tensor_info(t) for key, t in inputs.items()}
    outs = {key: build_tensor_info(t) for tensors in outputs if tensors is not None for key, t in tensors.items()}
    return build_signature_def(ins, outs, method)


def is_valid_signature(signature_def: Any) -> bool:
    """Whether a server could use the signature: its method's inputs and outputs are there, of the right dtypes."""
    if signature_def is None:
        return False
    inputs = {key: info.dtype for key, info in signature_def.inputs.items()}
    outputs = {key: info.dtype for key, info in signature_def.outputs.items()}
    if signature_def.method_name == names.PREDICT_METHOD_NAME:
        return bool(inputs and outputs)
    if signature_def.method_name == names.REGRESS_METHOD_NAME:
        return inputs == {names.REGRESS_INPUTS: _STRING} and outputs == {names.REGRESS_OUTPUTS: _FLOAT}
    if signature_def.method_name == names.CLASSIFY_METHOD_NAME:
        allowed = {names.CLASSIFY_OUTPUT_CLASSES: _STRING, names.CLASSIFY_OUTPUT_SCORES: _FLOAT}
        return inputs == {names.CLASSIFY_INPUTS: _STRING} and bool(outputs) and outputs.items() <= allowed.items()
    return False


def op_signature_def(op: Any, key: str) -> Any:
    """The signature that stands for an op."""
    return build_signature_def(outputs={key: build_tensor_info_from_op(op)})


def load_op_from_signature_def(signature_def: Any, key: str, import_scope: str | None = None) -> Any:
    """The op that such a signature stands for.

    Raises:
      NotFoundError: the graph has none of that name.
    """
    try:
        return get_element_from_tensor_info(signature_def.outputs[key], import_scope=import_scope)
    except KeyError:
        raise NotFoundError(
            None,
            None,
            f"The {key} could not be found in the graph. Please make sure the SavedModel was created by the internal "
            "_SavedModelBuilder. If you are using the public API, please make sure the SignatureDef in the SavedModel "
            f'does not contain the key "{key}".',
        ) from None
