"""The names of ``tensorflow.python.eager.monitoring``."""

from retrograd.eager.monitoring import (
    BoolGauge,
    BoolGaugeCell,
    Buckets,
    Counter,
    CounterCell,
    ExponentialBuckets,
    IntGauge,
    IntGaugeCell,
    Metric,
    Sampler,
    SamplerCell,
    StringGauge,
    StringGaugeCell,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
