"""The names of ``tensorflow.flags``."""

from absl.flags import *

from retrograd.command_line import *
from retrograd.command_line import (
    FLAGS,
    DEFINE_bool,
    DEFINE_boolean,
    DEFINE_float,
    DEFINE_integer,
    DEFINE_string,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
