"""The messages of session bundles, the exports before SavedModel: what an exported graph computes, and its files."""

from __future__ import annotations

from functools import cache
from typing import Any

from retrograd.files.messages import classes_of

_PACKAGE = "tensorflow.serving"
_MESSAGES: dict[str, list[tuple[str, int, str]]] = {
    "Signatures": [("default_signature", 1, "Signature"), ("named_signatures", 2, "%Signature")],
    "TensorBinding": [("tensor_name", 1, "string")],
    "AssetFile": [("tensor_binding", 1, "TensorBinding"), ("filename", 2, "string")],
    "Signature": [
        ("regression_signature", 1, "RegressionSignature|type"),
        ("classification_signature", 2, "ClassificationSignature|type"),
        ("generic_signature", 3, "GenericSignature|type"),
    ],
    "RegressionSignature": [("input", 1, "TensorBinding"), ("output", 2, "TensorBinding")],
    "ClassificationSignature": [
        ("input", 1, "TensorBinding"),
        ("classes", 2, "TensorBinding"),
        ("scores", 3, "TensorBinding"),
    ],
    "GenericSignature": [("map", 1, "%TensorBinding")],
}


@cache
def _classes() -> Any:
    return classes_of(_MESSAGES, _PACKAGE)


def __getattr__(name: str) -> Any:
    """The class of a message is found under its name."""
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _classes()[f"{_PACKAGE}.{name}"]
