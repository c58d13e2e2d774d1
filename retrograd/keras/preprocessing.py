"""``tf.keras.preprocessing``: sequences of one length, words as numbers, images moved about."""

from __future__ import annotations

import hashlib
import json
import random
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.keras import backend as K
from retrograd.keras.utils import Sequence

# -- sequences -----------------------------------------------------------------------------------


def pad_sequences(
    sequences: Any, maxlen: int | None = None, dtype: str = "int32", padding: str = "pre", truncating: str = "pre",
    value: Any = 0.0,
) -> np.ndarray:  # fmt: skip
    """The sequences as rows of one array, cut or filled up with ``value`` before or behind.

    >>> pad_sequences([[1, 2, 3], [4]])
    array([[1, 2, 3],
           [0, 0, 4]], dtype=int32)
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    lengths = []
    for x in sequences:
        if not hasattr(x, "__len__"):
            raise ValueError(f"`sequences` must be a list of iterables. Found non-iterable: {x!s}")
        lengths.append(len(x))
    maxlen = maxlen if maxlen is not None else int(np.max(lengths))
    sample: tuple[int, ...] = next((np.asarray(s).shape[1:] for s in sequences if len(s) > 0), ())
    if padding not in ("pre", "post"):
        raise ValueError(f'Padding type "{padding}" not understood')
    if truncating not in ("pre", "post"):
        raise ValueError(f'Truncating type "{truncating}" not understood')
    result = np.full((len(lengths), maxlen, *sample), value, dtype=dtype)
    for i, s in enumerate(sequences):
        if not len(s):
            continue
        kept = np.asarray(s[-maxlen:] if truncating == "pre" else s[:maxlen], dtype=dtype)
        if kept.shape[1:] != sample:
            raise ValueError(
                f"Shape of sample {kept.shape[1:]} of sequence at position {i} is different from expected shape "
                f"{sample}"
            )
        if padding == "post":
            result[i, : len(kept)] = kept
        else:
            result[i, -len(kept) :] = kept
    return result


def make_sampling_table(size: int, sampling_factor: float = 1e-5) -> np.ndarray:
    """How likely each word is kept, by Zipf's law."""
    rank = np.arange(size)
    rank[0] = 1
    inverse = rank * (np.log(rank) + 0.577) + 0.5 - 1.0 / (12.0 * rank)
    f = sampling_factor * inverse
    return np.minimum(1.0, f / np.sqrt(f))


def skipgrams(
    sequence: Any, vocabulary_size: int, window_size: int = 4, negative_samples: float = 1.0, shuffle: bool = True,
    categorical: bool = False, sampling_table: Any = None, seed: int | None = None,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    """Pairs of words near each other, and pairs of random ones, with labels that say which."""
    couples, labels = [], []
    for i, word in enumerate(sequence):
        if not word or (sampling_table is not None and sampling_table[word] < random.random()):
            continue
        for j in range(max(0, i - window_size), min(len(sequence), i + window_size + 1)):
            if j != i and sequence[j]:
                couples.append([word, sequence[j]])
                labels.append([0, 1] if categorical else 1)
    if negative_samples > 0:
        count = int(len(labels) * negative_samples)
        words = [c[0] for c in couples]
        random.shuffle(words)
        couples += [[words[i % len(words)], random.randint(1, vocabulary_size - 1)] for i in range(count)]
        labels += [[1, 0]] * count if categorical else [0] * count
    if shuffle:
        seed = random.randint(0, 10**7) if seed is None else seed
        random.seed(seed)
        random.shuffle(couples)
        random.seed(seed)
        random.shuffle(labels)
    return couples, labels


class TimeseriesGenerator(Sequence):
    """Batches of windows over a series, with what follows each."""

    def __init__(
        self, data: Any, targets: Any, length: int, sampling_rate: int = 1, stride: int = 1, start_index: int = 0,
        end_index: int | None = None, shuffle: bool = False, reverse: bool = False, batch_size: int = 128,
    ) -> None:  # fmt: skip
        if len(data) != len(targets):
            raise ValueError(
                f"Data and targets have to be of same length. Data length is {len(data)} while target length is "
                f"{len(targets)}"
            )
        self.data, self.targets, self.length, self.sampling_rate = data, targets, length, sampling_rate
        self.stride, self.start_index = stride, start_index + length
        self.end_index = len(data) - 1 if end_index is None else end_index
        self.shuffle, self.reverse, self.batch_size = shuffle, reverse, batch_size
        if self.start_index > self.end_index:
            raise ValueError(
                f"`start_index+length={self.start_index} > end_index={self.end_index}` is disallowed, as no part of "
                "the sequence would be left to be used as current step."
            )

    def __len__(self) -> int:
        return (self.end_index - self.start_index + self.batch_size * self.stride) // (self.batch_size * self.stride)

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        if self.shuffle:
            rows = np.random.randint(self.start_index, self.end_index + 1, size=self.batch_size)
        else:
            i = self.start_index + self.batch_size * self.stride * index
            rows = np.arange(i, min(i + self.batch_size * self.stride, self.end_index + 1), self.stride)
        samples = np.array([self.data[row - self.length : row : self.sampling_rate] for row in rows])
        targets = np.array([self.targets[row] for row in rows])
        return (samples[:, ::-1, ...], targets) if self.reverse else (samples, targets)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make this generator, the series as JSON.

        Raises:
          TypeError: the series hold what has no form in JSON.
        """
        data, targets = (x.tolist() if isinstance(x, np.ndarray) else x for x in (self.data, self.targets))
        names = ("length", "sampling_rate", "stride", "start_index", "end_index", "shuffle", "reverse", "batch_size")
        config = {name: getattr(self, name) for name in names}
        try:
            return {"data": json.dumps(data), "targets": json.dumps(targets), **config}
        except TypeError as error:
            raise TypeError(f"Data not JSON Serializable: {data}") from error

    def to_json(self, **kwargs: Any) -> str:
        """That configuration with the name of the class, as JSON; ``kwargs`` go to ``json.dumps``."""
        return json.dumps({"class_name": type(self).__name__, "config": self.get_config()}, **kwargs)


# -- text ----------------------------------------------------------------------------------------

_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(text: str, filters: str = _FILTERS, lower: bool = True, split: str = " ") -> list[str]:
    """The words of a text, without the characters of ``filters``."""
    text = text.lower() if lower else text
    text = text.translate({ord(mark): split for mark in filters})
    return [word for word in text.split(split) if word]


def one_hot(text: str, n: int, filters: str = _FILTERS, lower: bool = True, split: str = " ") -> list[int]:
    """The words of a text as numbers below ``n``."""
    return hashing_trick(text, n, hash_function=hash, filters=filters, lower=lower, split=split)


def hashing_trick(
    text: str, n: int, hash_function: Any = None, filters: str = _FILTERS, lower: bool = True, split: str = " "
) -> list[int]:
    """The words of a text as numbers below ``n``, by a hash."""

    def by_md5(word: str) -> int:
        return int(hashlib.md5(word.encode()).hexdigest(), 16)

    function: Callable[[str], int] = by_md5 if hash_function == "md5" else hash_function or hash
    return [function(w) % (n - 1) + 1 for w in text_to_word_sequence(text, filters, lower, split)]


class Tokenizer:
    """Numbers for words, the most frequent first, from 1."""

    def __init__(
        self, num_words: int | None = None, filters: str = _FILTERS, lower: bool = True, split: str = " ",
        char_level: bool = False, oov_token: Any = None, document_count: int = 0, **kwargs: Any,
    ) -> None:  # fmt: skip
        num_words = kwargs.pop("nb_words", num_words)
        if kwargs:
            raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
        self.word_counts: OrderedDict[str, int] = OrderedDict()
        self.word_docs: defaultdict[str, int] = defaultdict(int)
        self.filters, self.split, self.lower, self.num_words = filters, split, lower, num_words
        self.document_count, self.char_level, self.oov_token = document_count, char_level, oov_token
        self.index_docs: defaultdict[int, int] = defaultdict(int)
        self.word_index: dict[str, int] = {}
        self.index_word: dict[int, str] = {}

    def _words(self, text: Any) -> Any:
        if self.char_level or isinstance(text, list):
            if self.lower:
                return [w.lower() for w in text] if isinstance(text, list) else text.lower()
            return text
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts: Any) -> None:
        """Count the words of texts."""
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1
        ranked = sorted(self.word_counts.items(), key=lambda pair: pair[1], reverse=True)
        vocabulary = [] if self.oov_token is None else [self.oov_token]
        vocabulary += [word for word, _ in ranked]
        self.word_index = dict(zip(vocabulary, range(1, len(vocabulary) + 1), strict=True))
        self.index_word = {number: word for word, number in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences: Any) -> None:
        """Count the numbers of sequences."""
        self.document_count += len(sequences)
        for sequence in sequences:
            for number in set(sequence):
                self.index_docs[number] += 1

    def texts_to_sequences(self, texts: Any) -> list[list[int]]:
        """Texts as lists of numbers."""
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts: Any) -> Iterator[list[int]]:
        """The same, one by one."""
        unknown = self.word_index.get(self.oov_token) if self.oov_token is not None else None
        for text in texts:
            numbers = []
            for word in self._words(text):
                number = self.word_index.get(word)
                if number is None or (self.num_words and number >= self.num_words):
                    number = unknown
                if number is not None:
                    numbers.append(number)
            yield numbers

    def sequences_to_texts(self, sequences: Any) -> list[str]:
        """Lists of numbers as texts."""
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences: Any) -> Iterator[str]:
        """The same, one by one."""
        unknown = self.word_index.get(self.oov_token) if self.oov_token is not None else None
        for sequence in sequences:
            words = []
            for number in sequence:
                word = self.index_word.get(number)
                if word is None or (self.num_words and number >= self.num_words):
                    word = self.index_word[unknown] if unknown is not None else None
                if word is not None:
                    words.append(word)
            yield " ".join(words)

    def texts_to_matrix(self, texts: Any, mode: str = "binary") -> np.ndarray:
        """Texts as rows: whether, how often, or how typically each word is in them."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode=mode)

    def sequences_to_matrix(self, sequences: Any, mode: str = "binary") -> np.ndarray:
        """Sequences as rows: ``"binary"``, ``"count"``, ``"freq"`` or ``"tfidf"``."""
        if not self.num_words and not self.word_index:
            raise ValueError("Specify a dimension (`num_words` argument), or fit on some text data first.")
        size = self.num_words or len(self.word_index) + 1
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        result = np.zeros((len(sequences), size))
        for row, sequence in zip(result, sequences, strict=True):
            counts: defaultdict[int, int] = defaultdict(int)
            for number in sequence:
                if number < size:
                    counts[number] += 1
            for number, count in counts.items():
                if mode == "count":
                    row[number] = count
                elif mode == "freq":
                    row[number] = count / len(sequence)
                elif mode == "binary":
                    row[number] = 1
                elif mode == "tfidf":
                    idf = np.log(1 + self.document_count / (1 + self.index_docs.get(number, 0)))
                    row[number] = (1 + np.log(count)) * idf
                else:
                    raise ValueError("Unknown vectorization mode:", mode)
        return result

    def get_config(self) -> dict[str, Any]:
        """The arguments and the counts."""
        return {
            "num_words": self.num_words, "filters": self.filters, "lower": self.lower, "split": self.split,
            "char_level": self.char_level, "oov_token": self.oov_token, "document_count": self.document_count,
            "word_counts": json.dumps(self.word_counts), "word_docs": json.dumps(self.word_docs),
            "index_docs": json.dumps(self.index_docs), "index_word": json.dumps(self.index_word),
            "word_index": json.dumps(self.word_index),
        }  # fmt: skip

    def to_json(self, **kwargs: Any) -> str:
        """The same as JSON."""
        return json.dumps({"class_name": type(self).__name__, "config": self.get_config()}, **kwargs)


# -- images --------------------------------------------------------------------------------------


def img_to_array(img: Any, data_format: str | None = None, dtype: Any = None) -> np.ndarray:
    """A PIL image as an array with channels."""
    data_format = data_format or K.image_data_format()
    x = np.asarray(img, dtype=dtype or K.floatx())
    if x.ndim == 2:
        x = x[None] if data_format == "channels_first" else x[..., None]
    elif data_format == "channels_first":
        x = x.transpose(2, 0, 1)
    return x


def array_to_img(x: Any, data_format: str | None = None, scale: bool = True, dtype: Any = None) -> Any:
    """An array as a PIL image."""
    from PIL import Image

    x = np.asarray(x, dtype=dtype or K.floatx())
    if (data_format or K.image_data_format()) == "channels_first":
        x = x.transpose(1, 2, 0)
    if scale:
        x = x - np.min(x)
        top = np.max(x)
        x = x / top * 255 if top != 0 else x
    x = x.astype("uint8")
    return Image.fromarray(x[:, :, 0], "L") if x.shape[2] == 1 else Image.fromarray(x)


def load_img(
    path: str, grayscale: bool = False, color_mode: str = "rgb", target_size: Any = None, interpolation: str = "nearest"
) -> Any:
    """A file as a PIL image."""
    from PIL import Image

    image = Image.open(path).convert("L" if grayscale or color_mode == "grayscale" else color_mode.upper())
    if target_size is not None:
        forms = Image.Resampling
        methods = {"nearest": forms.NEAREST, "bilinear": forms.BILINEAR, "bicubic": forms.BICUBIC}
        image = image.resize((target_size[1], target_size[0]), methods[interpolation])
    return image


def save_img(
    path: str, x: Any, data_format: str | None = None, file_format: Any = None, scale: bool = True, **kwargs: Any
) -> None:
    """Write an array as an image file."""
    array_to_img(x, data_format=data_format, scale=scale).save(path, format=file_format, **kwargs)
