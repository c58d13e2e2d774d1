"""``tf.keras.datasets``: data from files in ``~/.keras/datasets``, downloaded if they are not there."""

from __future__ import annotations

import gzip
import json
import os
import pickle
from typing import Any

import numpy as np

from retrograd.keras import backend as K
from retrograd.keras.utils import get_file

_BASE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
_Pair = tuple[np.ndarray, np.ndarray]


class mnist:
    """Digits of 28 by 28 pixels."""

    @staticmethod
    def load_data(path: str = "mnist.npz") -> tuple[_Pair, _Pair]:
        """``(x_train, y_train), (x_test, y_test)``."""
        with np.load(get_file(path, origin=_BASE + "mnist.npz"), allow_pickle=True) as f:
            return (f["x_train"], f["y_train"]), (f["x_test"], f["y_test"])


class fashion_mnist:
    """Clothes of 28 by 28 pixels."""

    @staticmethod
    def load_data() -> tuple[_Pair, _Pair]:
        """``(x_train, y_train), (x_test, y_test)``."""
        folder = os.path.join("datasets", "fashion-mnist")
        words = ("train-labels-idx1", "train-images-idx3", "t10k-labels-idx1", "t10k-images-idx3")
        paths = [get_file(f"{w}-ubyte.gz", origin=f"{_BASE}{w}-ubyte.gz", cache_subdir=folder) for w in words]
        arrays = []
        for path, is_image in zip(paths, (False, True) * 2, strict=True):
            with gzip.open(path, "rb") as file:
                values = np.frombuffer(file.read(), np.uint8, offset=16 if is_image else 8)
            arrays.append(values.reshape(-1, 28, 28) if is_image else values)
        return (arrays[1], arrays[0]), (arrays[3], arrays[2])


def _batch(path: str, key: str) -> _Pair:
    with open(path, "rb") as file:
        found: dict[Any, Any] = pickle.load(file, encoding="bytes")
    named = {k.decode() if isinstance(k, bytes) else k: v for k, v in found.items()}
    return named["data"].reshape(-1, 3, 32, 32), np.array(named[key])


def _channels(x: np.ndarray) -> np.ndarray:
    return x.transpose(0, 2, 3, 1) if K.image_data_format() == "channels_last" else x


class cifar10:
    """Photographs of 32 by 32 pixels, of ten kinds."""

    @staticmethod
    def load_data() -> tuple[_Pair, _Pair]:
        """``(x_train, y_train), (x_test, y_test)``."""
        origin = "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz"
        folder = get_file("cifar-10-batches-py", origin=origin, untar=True)
        parts = [_batch(os.path.join(folder, f"data_batch_{i}"), "labels") for i in range(1, 6)]
        x = np.concatenate([p[0] for p in parts])
        y = np.concatenate([p[1] for p in parts]).astype("uint8").reshape(-1, 1)
        x_test, y_test = _batch(os.path.join(folder, "test_batch"), "labels")
        return (_channels(x), y), (_channels(x_test), y_test.reshape(-1, 1))


class cifar100:
    """Photographs of 32 by 32 pixels, of a hundred kinds."""

    @staticmethod
    def load_data(label_mode: str = "fine") -> tuple[_Pair, _Pair]:
        """``(x_train, y_train), (x_test, y_test)``."""
        if label_mode not in ["fine", "coarse"]:
            raise ValueError('`label_mode` must be one of `"fine"`, `"coarse"`.')
        origin = "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz"
        folder = get_file("cifar-100-python", origin=origin, untar=True)
        (x, y), (x_test, y_test) = (
            _batch(os.path.join(folder, part), label_mode + "_labels") for part in ("train", "test")
        )
        return (_channels(x), y.reshape(-1, 1)), (_channels(x_test), y_test.reshape(-1, 1))


class boston_housing:
    """Prices of houses."""

    @staticmethod
    def load_data(path: str = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> tuple[_Pair, _Pair]:
        """``(x_train, y_train), (x_test, y_test)``."""
        with np.load(get_file(path, origin=_BASE + "boston_housing.npz"), allow_pickle=True) as f:
            x, y = f["x"], f["y"]
        np.random.seed(seed)
        order = np.arange(len(x))
        np.random.shuffle(order)
        x, y = x[order], y[order]
        at = int(len(x) * (1 - test_split))
        return (np.array(x[:at]), np.array(y[:at])), (np.array(x[at:]), np.array(y[at:]))


def shorter(maxlen: int, seq: Any, label: Any) -> tuple[list[Any], list[Any]]:
    """The sequences shorter than ``maxlen``, and their labels."""
    kept = [(x, y) for x, y in zip(seq, label, strict=False) if len(x) < maxlen]
    return [x for x, _ in kept], [y for _, y in kept]


def _words(
    xs: Any, labels: Any, num_words: Any, skip_top: int, maxlen: Any, start_char: Any, oov_char: Any, index_from: int
) -> tuple[list[Any], Any]:
    """Sequences of word numbers as the arguments of ``load_data`` ask for them."""
    if start_char is not None:
        xs = [[start_char] + [w + index_from for w in x] for x in xs]
    elif index_from:
        xs = [[w + index_from for w in x] for x in xs]
    if maxlen:
        xs, labels = shorter(maxlen, xs, labels)
        if not xs:
            raise ValueError(
                f"After filtering for sequences shorter than maxlen={maxlen}, no sequence was kept. Increase maxlen."
            )
    num_words = num_words or max(max(x) for x in xs)
    if oov_char is not None:
        return [[w if skip_top <= w < num_words else oov_char for w in x] for x in xs], labels
    return [[w for w in x if skip_top <= w < num_words] for x in xs], labels


def _objects(rows: list[Any]) -> np.ndarray:
    result = np.empty(len(rows), object)
    result[:] = rows
    return result


class imdb:
    """Reviews of films as numbers of words, good or bad."""

    @staticmethod
    def load_data(
        path: str = "imdb.npz", num_words: int | None = None, skip_top: int = 0, maxlen: int | None = None,
        seed: int = 113, start_char: Any = 1, oov_char: Any = 2, index_from: int = 3, **kwargs: Any,
    ) -> tuple[_Pair, _Pair]:  # fmt: skip
        """``(x_train, y_train), (x_test, y_test)``."""
        num_words = kwargs.pop("nb_words", num_words)
        with np.load(get_file(path, origin=_BASE + "imdb.npz"), allow_pickle=True) as f:
            parts = [(f["x_train"], f["y_train"]), (f["x_test"], f["y_test"])]
        np.random.seed(seed)
        mixed = []
        for x, y in parts:
            order = np.arange(len(x))
            np.random.shuffle(order)
            mixed.append((x[order], y[order]))
        count = len(mixed[0][0])
        xs, labels = _words(
            np.concatenate([x for x, _ in mixed]), np.concatenate([y for _, y in mixed]), num_words, skip_top, maxlen,
            start_char, oov_char, index_from,
        )  # fmt: skip
        return (
            (_objects(xs[:count]), np.array(labels[:count])),
            (_objects(xs[count:]), np.array(labels[count:])),
        )

    @staticmethod
    def get_word_index(path: str = "imdb_word_index.json") -> Any:
        """The number of each word."""
        with open(get_file(path, origin=_BASE + "imdb_word_index.json")) as f:
            return json.load(f)


class reuters:
    """News as numbers of words, by topic."""

    @staticmethod
    def load_data(
        path: str = "reuters.npz", num_words: int | None = None, skip_top: int = 0, maxlen: int | None = None,
        test_split: float = 0.2, seed: int = 113, start_char: Any = 1, oov_char: Any = 2, index_from: int = 3,
        **kwargs: Any,
    ) -> tuple[_Pair, _Pair]:  # fmt: skip
        """``(x_train, y_train), (x_test, y_test)``."""
        num_words = kwargs.pop("nb_words", num_words)
        with np.load(get_file(path, origin=_BASE + "reuters.npz"), allow_pickle=True) as f:
            xs, labels = f["x"], f["y"]
        np.random.seed(seed)
        order = np.arange(len(xs))
        np.random.shuffle(order)
        xs, labels = _words(xs[order], labels[order], num_words, skip_top, maxlen, start_char, oov_char, index_from)
        at = int(len(xs) * (1 - test_split))
        return (_objects(xs[:at]), np.array(labels[:at])), (_objects(xs[at:]), np.array(labels[at:]))

    @staticmethod
    def get_word_index(path: str = "reuters_word_index.json") -> Any:
        """The number of each word."""
        with open(get_file(path, origin=_BASE + "reuters_word_index.json")) as f:
            return json.load(f)
