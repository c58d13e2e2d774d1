"""The error tree against TensorFlow 1.15.5's, and the layout of a message that teaches."""

from __future__ import annotations

import inspect
import pickle
import re

import pytest

from retrograd.graph import errors
from retrograd.graph.errors import explain, nearest

CODES = {
    "CancelledError": ("CANCELLED", 1),
    "UnknownError": ("UNKNOWN", 2),
    "InvalidArgumentError": ("INVALID_ARGUMENT", 3),
    "DeadlineExceededError": ("DEADLINE_EXCEEDED", 4),
    "NotFoundError": ("NOT_FOUND", 5),
    "AlreadyExistsError": ("ALREADY_EXISTS", 6),
    "PermissionDeniedError": ("PERMISSION_DENIED", 7),
    "ResourceExhaustedError": ("RESOURCE_EXHAUSTED", 8),
    "FailedPreconditionError": ("FAILED_PRECONDITION", 9),
    "AbortedError": ("ABORTED", 10),
    "OutOfRangeError": ("OUT_OF_RANGE", 11),
    "UnimplementedError": ("UNIMPLEMENTED", 12),
    "InternalError": ("INTERNAL", 13),
    "UnavailableError": ("UNAVAILABLE", 14),
    "DataLossError": ("DATA_LOSS", 15),
    "UnauthenticatedError": ("UNAUTHENTICATED", 16),
}


def exactly(message):
    """A pattern for this message and no other."""
    return f"^{re.escape(message)}$"


class Op:
    """What an error reads of an operation."""

    def __init__(self, name, line, original=None):
        self.name = name
        self.traceback = [("train.py", line, "build_model", f"{name} = ...")]
        self._original_op = original


@pytest.mark.smoke
@pytest.mark.parametrize("name", CODES)
def test_a_class_and_its_code(name):
    constant, code = CODES[name]
    cls = getattr(errors, name)
    error = cls(None, None, "gone")
    assert isinstance(error, errors.OpError)
    assert error.error_code == getattr(errors, constant) == code
    assert (error.node_def, error.op, error.args) == (None, None, ())
    assert error.message == str(error) == "gone"
    assert repr(error) == f"{name}()"
    assert errors.exception_type_from_error_code(code) is cls
    assert errors.error_code_from_exception_type(cls) == code
    extra = ["error_code"] if cls is errors.UnknownError else []
    assert list(inspect.signature(cls).parameters) == ["node_def", "op", "message", *extra]


def test_the_docstring_draws_the_tree():
    drawn = dict(re.findall(r"── (\w+Error) +(\d+) ", errors.__doc__))
    assert drawn == {name: str(code) for name, (_, code) in CODES.items()}
    assert issubclass(errors.InaccessibleTensorError, ValueError)
    assert issubclass(errors.OperatorNotAllowedInGraphError, TypeError)


@pytest.mark.parametrize(
    "error",
    [
        errors.OpError("node", None, "m", 7),
        errors.NotFoundError(None, None, "m"),
        errors.UnknownError(None, None, "m", 99),
    ],
    ids=repr,
)
def test_an_error_survives_pickling(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert vars(again) == vars(error)


def test_the_text_names_the_line_that_built_the_op():
    loss = Op("loss", 41)
    assert str(errors.InternalError(None, loss, "bad value")) == (
        "bad value\n\nOriginal stack trace for 'loss':\n  File \"train.py\", line 41, in build_model\n    loss = ...\n"
    )
    gradient = Op("gradients/loss_grad", 50, original=loss)
    assert str(errors.InternalError(None, gradient, "bad value")).endswith(
        "\n...which was originally created as op 'loss', defined at:\n"
        '  File "train.py", line 41, in build_model\n'
        "    loss = ...\n"
    )


def test_codes_and_classes_without_a_partner():
    for code in (0, 99):
        with pytest.raises(KeyError):
            errors.exception_type_from_error_code(code)
    with pytest.warns(UserWarning, match=exactly("Unknown class exception")):
        assert isinstance(errors.error_code_from_exception_type(ValueError), errors.UnknownError)
    with pytest.warns(UserWarning, match=exactly("Unknown error code: 77")):
        error = errors.error_of_code(None, None, "m", 77)
    assert (type(error), error.error_code) == (errors.UnknownError, 77)


def test_a_status_raises_at_the_end_of_its_block():
    with errors.raise_exception_on_not_ok_status() as status:
        pass
    with (
        pytest.raises(errors.NotFoundError, match=exactly("no such file")),
        errors.raise_exception_on_not_ok_status() as status,
    ):
        status.code, status.message = errors.NOT_FOUND, "no such file"
    with pytest.raises(KeyError), errors.raise_exception_on_not_ok_status():
        raise KeyError


def test_explain_aligns_what_it_is_given():
    assert explain("No gradient") == "No gradient"
    text = explain(
        "No gradient",
        why="a -> b",
        where="train.py:41, in build_model",
        fix="not wanted?  tf.stop_gradient(x)\notherwise:   tf.cast(x, tf.float32)",
    )
    assert text == (
        "No gradient\n"
        "  Why:   a -> b\n"
        "  Where: train.py:41, in build_model\n"
        "  Fix:   not wanted?  tf.stop_gradient(x)\n"
        "         otherwise:   tf.cast(x, tf.float32)"
    )


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("relu_layer", "relu_layer"),
        ("RELU", "relu"),
        ("rleu", "relu"),
        ("softmaxx", "softmax"),
        ("Softmax_Cross_Entropy", "softmax_cross_entropy_with_logits"),
        ("quaternion", None),
        ("", None),
    ],
)
def test_nearest(name, meant):
    assert nearest(name, ["softmax", "relu", "relu_layer", "softmax_cross_entropy_with_logits"]) == meant
