"""The names of ``tensorflow.python.ops.resources``."""

from retrograd.faces import missing
from retrograd.state.initialization import initialize_resources
from retrograd.state.registered import (
    local_resources,
    register_resource,
    report_uninitialized_resources,
    shared_resources,
)

__getattr__ = missing(__name__)
