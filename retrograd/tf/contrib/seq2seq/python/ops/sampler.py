"""The names of ``tensorflow.contrib.seq2seq.python.ops.sampler``."""

from retrograd.faces import missing
from retrograd.nn.seq2seq.helpers import bernoulli_sample, categorical_sample
from retrograd.nn.seq2seq.samplers import (
    CustomSampler,
    GreedyEmbeddingSampler,
    InferenceSampler,
    SampleEmbeddingSampler,
    Sampler,
    ScheduledEmbeddingTrainingSampler,
    ScheduledOutputTrainingSampler,
    TrainingSampler,
)

__getattr__ = missing(__name__)
