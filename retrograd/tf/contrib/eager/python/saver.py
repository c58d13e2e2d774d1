"""The names of ``tensorflow.contrib.eager.python.saver``."""

from retrograd.contrib.eager_saving import (
    EagerSaver as Saver,
)
from retrograd.contrib.eager_saving import (
    get_optimizer_variables,
    restore_variables_on_create,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
