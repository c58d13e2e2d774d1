"""Texts as numbers of words: ``tf.contrib.learn.preprocessing``."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from retrograd.graph.deprecation import deprecated

# Words: capitals in a row, a capital before another one, or letters, digits, hyphens and apostrophes.
TOKENIZER_RE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)
_INSTEAD = "Please use tensorflow/transform or tf.data."


@deprecated(None, _INSTEAD)
def tokenizer(iterator: Iterable[str]) -> Iterator[list[str]]:
    """The words of each text."""
    return _tokens(iterator)


def _tokens(texts: Iterable[str]) -> Iterator[list[str]]:
    for text in texts:
        yield TOKENIZER_RE.findall(text)


class CategoricalVocabulary:
    """Numbers for categories, from 1 in the order in which they come; 0 is what is not known.

    Args:
      unknown_token: the category of 0.
      support_reverse: keep the way back from numbers to categories.
    """

    @deprecated(None, _INSTEAD)
    def __init__(self, unknown_token: str = "<UNK>", support_reverse: bool = True) -> None:
        self._unknown_token = unknown_token
        self._mapping: dict[Any, int] = {unknown_token: 0}
        self._support_reverse = support_reverse
        self._reverse_mapping: list[Any] = [unknown_token]
        self._freq: dict[Any, int] = {}
        self._freeze = False

    def __len__(self) -> int:
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """Take no new categories, or, with False, take them again."""
        self._freeze = freeze

    def get(self, category: Any) -> int:
        """The number of a category; a new one gets the next, unless the vocabulary is frozen."""
        if category not in self._mapping:
            if self._freeze:
                return 0
            self._mapping[category] = len(self._mapping)
            if self._support_reverse:
                self._reverse_mapping.append(category)
        return self._mapping[category]

    def add(self, category: Any, count: int = 1) -> None:
        """Count a category, unless it is unknown and the vocabulary is frozen."""
        if self.get(category) > 0:
            self._freq[category] = self._freq.get(category, 0) + count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Keep what came more often than ``min_frequency`` and less than ``max_frequency``, the most frequent first."""
        by_name = sorted(self._freq.items(), key=lambda item: (isinstance(item[0], str), item[0]))
        kept = [
            (category, count)
            for category, count in sorted(by_name, key=lambda item: item[1], reverse=True)
            if count > min_frequency and not 0 < max_frequency <= count
        ]
        self._freq = dict(kept)
        self._mapping = {self._unknown_token: 0, **{category: i + 1 for i, (category, _) in enumerate(kept)}}
        if self._support_reverse:
            self._reverse_mapping = list(self._mapping)

    def reverse(self, class_id: int) -> Any:
        """The category of a number.

        Raises:
          ValueError: the way back was not kept.
        """
        if not self._support_reverse:
            raise ValueError("This vocabulary wasn't initialized with support_reverse to support reverse() function.")
        return self._reverse_mapping[class_id]


class ByteProcessor:
    """Texts as their first ``max_document_length`` bytes in UTF-8."""

    @deprecated(None, _INSTEAD)
    def __init__(self, max_document_length: int) -> None:
        self.max_document_length = max_document_length

    def fit(self, x: Any) -> ByteProcessor:
        """Nothing is learnt."""
        return self

    def fit_transform(self, x: Any) -> Iterator[Any]:
        """``transform``."""
        return self.transform(x)

    def transform(self, x: Any) -> Iterator[Any]:
        """The bytes of each text."""
        for document in x:
            data = document if isinstance(document, bytes) else document.encode()
            yield np.frombuffer(data, np.uint8)[: self.max_document_length].copy()

    def reverse(self, x: Any) -> Iterator[str]:
        """The text of each row of bytes."""
        for row in x:
            yield bytes(bytearray(b for b in row if b)).decode("utf-8", errors="ignore")


class VocabularyProcessor:
    """Texts as rows of ``max_document_length`` numbers of words, cut or filled with 0.

    Args:
      min_frequency: keep words that come more often.
      vocabulary: a ``CategoricalVocabulary``; by default a new one.
      tokenizer_fn: makes lists of words of texts.
    """

    @deprecated(None, _INSTEAD)
    def __init__(
        self,
        max_document_length: int,
        min_frequency: int = 0,
        vocabulary: Any = None,
        tokenizer_fn: Callable[[Any], Iterable[Any]] | None = None,
    ) -> None:
        self.max_document_length, self.min_frequency = max_document_length, min_frequency
        self.vocabulary_ = vocabulary if vocabulary else CategoricalVocabulary()
        self._tokenizer = tokenizer_fn if tokenizer_fn else _tokens

    def fit(self, raw_documents: Any, unused_y: Any = None) -> VocabularyProcessor:
        """Learn the words of the texts, and freeze the vocabulary."""
        for tokens in self._tokenizer(raw_documents):
            for token in tokens:
                self.vocabulary_.add(token)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents: Any, unused_y: Any = None) -> Iterator[Any]:
        """``fit``, then ``transform``."""
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents: Any) -> Iterator[Any]:
        """The row of each text."""
        for tokens in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            for i, token in zip(range(self.max_document_length), tokens, strict=False):
                row[i] = self.vocabulary_.get(token)
            yield row

    def reverse(self, documents: Any) -> Iterator[str]:
        """The words of each row, with blanks between."""
        for row in documents:
            yield " ".join(self.vocabulary_.reverse(i) for i in row)

    def save(self, filename: Any) -> None:
        """Write the processor to a file, as a pickle."""
        with open(filename, "wb") as file:
            pickle.dump(self, file)

    @classmethod
    def restore(cls, filename: Any) -> Any:
        """The processor of a file; like any pickle, only from those whom you trust."""
        with open(filename, "rb") as file:
            return pickle.load(file)


class ModeKeys:
    """What a model function is called for."""

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"
