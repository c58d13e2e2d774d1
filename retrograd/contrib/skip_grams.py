"""``tf.contrib.text``: pairs of a word and one near it, to learn vectors of words from.

Source: TensorFlow 1.15.5, ``contrib/text/python/ops/skip_gram_ops.py``; keeping frequent words more seldom: Mikolov
et al., Distributed Representations of Words and Phrases, 2013, as their program does it.
"""

from __future__ import annotations

import csv
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.io import lookup
from retrograd.io.table_initializers import TextFileInitializer
from retrograd.ops import arrays, comparison, random
from retrograd.ops.casts import cast
from retrograd.ops.indexing import boolean_mask
from retrograd.ops.powers import sqrt
from retrograd.ops.skip_grams import SKIP_GRAM_CANDIDATES
from retrograd.train.input import batch

_BATCHES = 100  # that wait, by default


def skip_gram_sample(
    input_tensor: Any, min_skips: Any = 1, max_skips: Any = 5, start: Any = 0, limit: Any = -1,
    emit_self_as_target: Any = False, vocab_freq_table: Any = None, vocab_min_count: Any = None,
    vocab_subsampling: float | None = None, corpus_size: float | None = None, batch_size: int | None = None,
    batch_capacity: int | None = None, seed: int | None = None, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Each token with all that are at most ``s`` places away, ``s`` drawn for it: (tokens, labels), vectors.

    Args:
      input_tensor: a vector of tokens.
      min_skips, max_skips: the least and the largest ``s``.
      start, limit: the first token and the number of tokens to take; a negative limit takes all behind it.
      emit_self_as_target: whether a token goes with itself too.
      vocab_freq_table: a ``HashTable`` from tokens to their frequencies; others are left out.
      vocab_min_count: the least frequency of a token that stays.
      vocab_subsampling: frequent tokens are left out by chance, the more the smaller it is; needs ``corpus_size``.
      batch_size: gives batches of pairs, which threads make ahead, up to ``batch_capacity`` pairs.

    Raises:
      ValueError: settings of frequencies without a table, or one of ``vocab_subsampling`` and ``corpus_size``.
      InvalidArgumentError: at run time, if the skips are negative or the least is larger than the largest.
    """
    if vocab_freq_table is None and not (vocab_min_count is None and vocab_subsampling is None and corpus_size is None):
        raise ValueError(
            f"vocab_freq_table is not provided, but vocab_min_count={vocab_min_count}, "
            f"vocab_subsampling={vocab_subsampling}, or corpus_size={corpus_size} is not None. These settings are "
            "useless without a vocab_freq_table."
        )
    if (vocab_subsampling is None) != (corpus_size is None):
        raise ValueError(
            f"vocab_subsampling is {vocab_subsampling} while corpus_size is {corpus_size} - both must be provided in "
            "order for subsampling to work."
        )
    with name_scope(name, "skip_gram_sample", [input_tensor, min_skips, max_skips, start, limit]):
        kept = _kept(input_tensor, vocab_freq_table, vocab_min_count, vocab_subsampling, corpus_size, seed)
        seeds = random.seed_attrs(seed)
        tokens, labels = apply(
            SKIP_GRAM_CANDIDATES, kept, min_skips, max_skips, start, limit, emit_self_as_target, **seeds
        )
        if not batch_size or batch_size < 0:
            return tokens, labels
        if not batch_capacity or batch_capacity < 0:
            batch_capacity = _BATCHES * batch_size
        tokens, labels = batch([tokens, labels], batch_size, capacity=batch_capacity, enqueue_many=True)
        return tokens, labels


def skip_gram_sample_with_text_vocab(
    input_tensor: Any, vocab_freq_file: Any, vocab_token_index: int = 0, vocab_token_dtype: Any = dtypes.string,
    vocab_freq_index: int = 1, vocab_freq_dtype: Any = dtypes.float64, vocab_delimiter: str = ",",
    vocab_min_count: Any = 0, vocab_subsampling: float | None = None, corpus_size: float | None = None,
    min_skips: Any = 1, max_skips: Any = 5, start: Any = 0, limit: Any = -1, emit_self_as_target: Any = False,
    batch_size: int | None = None, batch_capacity: int | None = None, seed: int | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """``skip_gram_sample`` with frequencies from two columns of a file; the corpus is as large as their sum, or larger.

    Raises:
      ValueError: the columns are negative, the same or missing, a frequency is negative, or ``corpus_size`` too small.
    """
    if vocab_token_index < 0 or vocab_freq_index < 0:
        raise ValueError(
            f"vocab_token_index={vocab_token_index} and vocab_freq_index={vocab_freq_index} must both be >= 0."
        )
    if vocab_token_index == vocab_freq_index:
        raise ValueError(
            f"vocab_token_index and vocab_freq_index should be different, but are both {vocab_token_index}."
        )
    frequencies = []
    with open(vocab_freq_file, newline="") as file:
        for row in csv.reader(file, delimiter=vocab_delimiter):
            if max(vocab_token_index, vocab_freq_index) >= len(row):
                raise ValueError(
                    f"Row in vocab file only has {len(row)} columns, so vocab_token_index={vocab_token_index} or "
                    f"vocab_freq_index={vocab_freq_index} is out of bounds. Row content: {row}"
                )
            frequencies.append(vocab_freq_dtype.as_numpy_dtype(row[vocab_freq_index]))
            if frequencies[-1] < 0:
                raise ValueError(f"Row in vocab file has negative frequency of {frequencies[-1]}. Row content: {row}")
    counted = sum(frequencies, 0.0)
    if corpus_size and counted - corpus_size > 1e-6:
        raise ValueError(
            f"`corpus_size`={corpus_size} must be greater than or equal to the sum of all the frequency counts "
            f"({counted}) of `vocab_freq_file` ({vocab_freq_file})."
        )
    initializer = TextFileInitializer(
        vocab_freq_file, vocab_token_dtype, vocab_token_index, vocab_freq_dtype, vocab_freq_index,
        vocab_size=len(frequencies), delimiter=vocab_delimiter,
    )  # fmt: skip
    return skip_gram_sample(
        input_tensor, min_skips, max_skips, start, limit, emit_self_as_target,
        lookup.HashTable(initializer, default_value=-1), vocab_min_count, vocab_subsampling,
        None if vocab_subsampling is None else corpus_size or counted, batch_size, batch_capacity, seed, name,
    )  # fmt: skip


def _kept(tokens: Any, table: Any, least: Any, subsampling: float | None, corpus_size: Any, seed: Any) -> Any:
    """The tokens that the table knows, those frequent enough, and of the frequent ones some."""
    if table is None:
        return tokens
    if not isinstance(table, lookup.InitializableLookupTableBase):
        raise ValueError(
            "vocab_freq_table must be a subclass of InitializableLookupTableBase (such as HashTable) instead of type "
            f"{type(table)}."
        )
    with name_scope(None, "filter_vocab", [table, tokens, least]):
        freq = table.lookup(tokens)
        mask = comparison.not_equal(freq, table.default_value)
        if least is not None:
            mask = comparison.logical_and(mask, comparison.greater_equal(freq, cast(least, freq.dtype)))
        tokens, freq = boolean_mask(tokens, mask), boolean_mask(freq, mask)
    if not subsampling:
        return tokens
    if not 0 <= subsampling <= 1:
        raise ValueError(f"Invalid vocab_subsampling={subsampling} - it should be within range [0, 1].")
    with name_scope(None, "subsample_vocab", [tokens, freq, subsampling]):
        size, freq = cast(corpus_size, dtypes.float64), cast(freq, dtypes.float64)
        rate = cast(subsampling, dtypes.float64)
        probability = (sqrt(freq / (rate * size)) + 1.0) * (rate * size / freq)
        drawn = random.random_uniform(arrays.shape(freq), 0, 1, dtypes.float64, seed)
        return boolean_mask(tokens, comparison.less_equal(drawn, probability))
