"""Names and arguments that gensim 4 removed: ``Word2Vec(size=100, iter=5)``, ``model.wv.vocab``, ``model[word]``."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from retrograd.revival.putting import put, renamed, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_WORDS = (
    "most_similar", "most_similar_cosmul", "similarity", "n_similarity", "doesnt_match", "similar_by_word",
    "similar_by_vector", "wmdistance", "distance", "distances", "evaluate_word_pairs", "evaluate_word_analogies",
    "save_word2vec_format",
)  # fmt: skip


def revive_gensim_vectors(vectors: Any) -> None:
    """``vocab``, ``index2word``, ``syn0`` and ``vectors_norm`` of vectors of words."""

    class Vocab:
        """A word: its place among the vectors, and how often it was seen."""

        def __init__(self, index: int, count: int) -> None:
            self.index = index
            self.count = count

        def __repr__(self) -> str:
            return f"Vocab(count:{self.count}, index:{self.index})"

    class Words(Mapping[str, Vocab]):
        def __init__(self, words: Any) -> None:
            self._words = words

        def __getitem__(self, word: str) -> Vocab:
            index = self._words.key_to_index[word]
            counts = self._words.expandos.get("count")
            return Vocab(index, len(self._words) - index if counts is None else int(counts[index]))

        def __iter__(self) -> Iterator[str]:
            return iter(self._words.key_to_index)

        def __len__(self) -> int:
            return len(self._words.key_to_index)

        def __contains__(self, word: object) -> bool:
            return word in self._words.key_to_index

    kind = vectors.KeyedVectors
    _instead(kind, "vocab", Words)
    for name in ("index2word", "index2entity"):
        _instead(kind, name, lambda words: words.index_to_key)
    for name in ("vectors_norm", "syn0norm"):
        _instead(kind, name, lambda words: words.get_normed_vectors())
    for name in ("syn0", "doctag_syn0", "vectors_docs"):
        _instead(kind, name, lambda words: words.vectors)
    put(vectors, Vocab=Vocab)


def _instead(kind: Any, name: str, value: Any) -> None:
    """A property, in the place of one that says why it went; what setting it does stays."""
    first = vars(kind).get(name)
    if first is not None and not isinstance(first, property):
        return
    setattr(kind, name, property(value, getattr(first, "fset", None)))
    undo.append(lambda: delattr(kind, name) if first is None else setattr(kind, name, first))


def revive_gensim_words(module: Any) -> None:
    """``Word2Vec(size=..., iter=...)``, and what a model answered for its words."""
    model = module.Word2Vec
    renamed(model, "__init__", size="vector_size", iter="epochs")

    def asking(name: str) -> Any:
        return lambda self, *args, **kwargs: getattr(self.wv, name)(*args, **kwargs)

    put(model, **{name: asking(name) for name in (*_WORDS, "__getitem__", "__contains__")})
    for name in ("vocab", "index2word", "syn0", "syn0norm"):
        _instead(model, name, lambda self, name=name: getattr(self.wv, name))
    _instead(model, "iter", lambda self: self.epochs)

    def load_word2vec_format(cls: Any, *args: Any, **kwargs: Any) -> Any:
        return import_module("gensim.models.keyedvectors").KeyedVectors.load_word2vec_format(*args, **kwargs)

    put(model, load_word2vec_format=classmethod(load_word2vec_format))


def revive_gensim_subwords(module: Any) -> None:
    renamed(module.FastText, "__init__", size="vector_size", iter="epochs")


def revive_gensim_documents(module: Any) -> None:
    """``Doc2Vec(size=..., iter=...)`` and ``model.docvecs``."""
    renamed(module.Doc2Vec, "__init__", size="vector_size", iter="epochs", docvecs="dv")
