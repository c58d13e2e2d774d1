"""The names of ``tensorflow.python.data.experimental.ops.counter``."""

from retrograd.data.experimental import Counter
from retrograd.data.experimental import Counter as CounterV1
from retrograd.faces import missing

__getattr__ = missing(__name__)
