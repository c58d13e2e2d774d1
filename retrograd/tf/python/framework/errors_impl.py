"""The names of ``tensorflow.python.framework.errors_impl``."""

from retrograd.faces import missing
from retrograd.graph.errors import (
    AbortedError,
    AlreadyExistsError,
    CancelledError,
    DataLossError,
    DeadlineExceededError,
    FailedPreconditionError,
    InaccessibleTensorError,
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    OperatorNotAllowedInGraphError,
    OpError,
    OutOfRangeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnauthenticatedError,
    UnavailableError,
    UnimplementedError,
    UnknownError,
    error_code_from_exception_type,
    exception_type_from_error_code,
    raise_exception_on_not_ok_status,
)

__getattr__ = missing(__name__)
