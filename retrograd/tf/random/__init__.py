"""The names of ``tensorflow.random``."""

from retrograd.faces import missing
from retrograd.ops.candidates import (
    all_candidate_sampler,
    fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler,
    log_uniform_candidate_sampler,
    uniform_candidate_sampler,
)
from retrograd.ops.random import (
    categorical,
    get_seed,
    multinomial,
    set_random_seed,
    truncated_normal,
)
from retrograd.ops.random import (
    random_normal as normal,
)
from retrograd.ops.random import (
    random_shuffle as shuffle,
)
from retrograd.ops.random import (
    random_uniform as uniform,
)
from retrograd.ops.stateless import (
    stateless_categorical,
    stateless_multinomial,
    stateless_truncated_normal,
)
from retrograd.ops.stateless import (
    stateless_random_normal as stateless_normal,
)
from retrograd.ops.stateless import (
    stateless_random_uniform as stateless_uniform,
)
from retrograd.ops.variates import random_gamma as gamma
from retrograd.ops.variates import random_poisson as poisson

__getattr__ = missing(__name__)
