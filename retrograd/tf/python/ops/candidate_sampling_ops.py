"""The names of ``tensorflow.python.ops.candidate_sampling_ops``."""

from retrograd.faces import missing
from retrograd.ops.candidates import (
    all_candidate_sampler,
    compute_accidental_hits,
    fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler,
    log_uniform_candidate_sampler,
    uniform_candidate_sampler,
)

__getattr__ = missing(__name__)
