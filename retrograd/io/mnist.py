"""Reads MNIST, the handwritten digits, as ``tensorflow.examples.tutorials.mnist.input_data`` did.

The four files ship with the package, so that no program waits for a server that has moved.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, NamedTuple

import numpy as np

from retrograd.graph.dtypes import as_dtype, float32, uint8
from retrograd.graph.stack import default_graph

TRAIN_IMAGES = "train-images-idx3-ubyte.gz"
TRAIN_LABELS = "train-labels-idx1-ubyte.gz"
TEST_IMAGES = "t10k-images-idx3-ubyte.gz"
TEST_LABELS = "t10k-labels-idx1-ubyte.gz"
SHA256 = {
    TRAIN_IMAGES: "71524e2cd1ad2968737f7f2f2ff69cbfc32df8ccddff51593f7cb2d4e0eb5b64",
    TRAIN_LABELS: "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    TEST_IMAGES: "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    TEST_LABELS: "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
}
DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"
# Other data sets (Fashion-MNIST) bear the same file names: only these addresses mean the digits.
MNIST_URLS = (
    DEFAULT_SOURCE_URL,
    "http://storage.googleapis.com/cvdf-datasets/mnist/",
    "https://storage.googleapis.com/tensorflow/tf-keras-datasets/",
    "http://yann.lecun.com/exdb/mnist/",
    "https://yann.lecun.com/exdb/mnist/",
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
)
_PACKAGED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "mnist")
_IMAGES, _LABELS = 2051, 2049  # the magic numbers at the head of the two kinds of file
_CHUNK = 1 << 16


class Dataset(NamedTuple):
    """Examples and what they should come to."""

    data: Any
    target: Any


class Datasets(NamedTuple):
    """The three parts of a data set."""

    train: Any
    validation: Any
    test: Any


def read_data_sets(
    train_dir: str,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: Any = float32,
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str = DEFAULT_SOURCE_URL,
) -> Datasets:
    """MNIST in three `DataSet`s: 55,000 digits to train on, ``validation_size`` to validate, 10,000 to test.

    Each file is taken from ``train_dir``, else from the package, which leaves ``train_dir`` as it is, else
    (another ``source_url``: another data set) downloaded into ``train_dir``.

    >>> digits = read_data_sets("/tmp/data/", fake_data=True)
    >>> digits.train.num_examples
    10000

    Args:
      train_dir: the folder of the four ``.gz`` files.
      fake_data: no files; every image is all ones, every label 0.
      one_hot: labels are rows of ten numbers instead of digits.
      dtype: ``float32`` scales the pixels to [0, 1]; ``uint8`` leaves them.
      reshape: images are rows of 784 pixels instead of 28 x 28 x 1.
      validation_size: how many of the first 60,000 are kept for validation.
      seed: fixes the shuffling. It seeds NumPy's global stream, as the graph's seed does if this is None;
        without either, that stream is seeded anew from the system.

    Raises:
      ValueError: a file is not what it should be, or ``validation_size`` is more than there are.
      EOFError, OSError: a file is truncated or damaged, or cannot be downloaded.
    """
    if fake_data:
        return Datasets(*(DataSet([], [], fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed) for _ in "123"))

    def images(name: str) -> np.ndarray:
        return _images(*_extracting(name, train_dir, source_url or DEFAULT_SOURCE_URL))

    def labels(name: str) -> np.ndarray:
        digits = _labels(*_extracting(name, train_dir, source_url or DEFAULT_SOURCE_URL))
        return dense_to_one_hot(digits, 10) if one_hot else digits

    x, y = images(TRAIN_IMAGES), labels(TRAIN_LABELS)
    x_test, y_test = images(TEST_IMAGES), labels(TEST_LABELS)
    if not 0 <= validation_size <= len(x):
        raise ValueError(f"Validation size should be between 0 and {len(x)}. Received: {validation_size}.")
    parts = (
        (x[validation_size:], y[validation_size:]),
        (x[:validation_size], y[:validation_size]),
        (x_test, y_test),
    )
    return Datasets(*(DataSet(*part, dtype=dtype, reshape=reshape, seed=seed) for part in parts))


def load_mnist(train_dir: str = "MNIST-data") -> Datasets:
    """MNIST with the settings that `read_data_sets` has by itself."""
    return read_data_sets(train_dir)


class DataSet:
    """Images with labels, dealt out in batches.

    Args:
      images: an array of shape (examples, rows, columns, 1).
      labels: an array of as many labels.
      fake_data, one_hot, dtype, reshape, seed: as in `read_data_sets`.
    """

    def __init__(
        self,
        images: Any,
        labels: Any,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: Any = float32,
        reshape: bool = True,
        seed: int | None = None,
    ) -> None:
        np.random.seed(_stream_seed(seed))
        dtype = as_dtype(dtype).base_dtype
        if dtype not in (uint8, float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self.one_hot = one_hot
        self._fake = fake_data
        self._num_examples = 10000 if fake_data else len(images)
        self._epochs_completed = 0
        self._index_in_epoch = 0
        if not fake_data:
            if len(images) != len(labels):
                raise AssertionError(f"images.shape: {images.shape} labels.shape: {labels.shape}")
            if reshape:
                if images.shape[3] != 1:
                    raise AssertionError(f"reshape=True needs one channel; images.shape: {images.shape}")
                images = images.reshape(len(images), images.shape[1] * images.shape[2])
            self._images = _Rows(images, scaled=dtype == float32)
            self._labels = _Rows(labels, scaled=False)

    @property
    def images(self) -> Any:
        """All images, in the order of this epoch."""
        return [] if self._fake else self._images.all()

    @property
    def labels(self) -> Any:
        """All labels, in the order of this epoch."""
        return [] if self._fake else self._labels.all()

    @property
    def num_examples(self) -> int:
        return self._num_examples

    @property
    def epochs_completed(self) -> int:
        """How often the end of the data has been passed."""
        return self._epochs_completed

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> Any:
        """The next ``batch_size`` examples: ``(images, labels)``.

        A batch that passes the end of an epoch takes its rest from the next one, which ``shuffle`` puts into
        a new order; the first epoch is shuffled by its first batch.
        """
        if fake_data or self._fake:
            label = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]
        start, stop = self._index_in_epoch, self._index_in_epoch + batch_size
        if shuffle and start == 0 and self._epochs_completed == 0:
            self._shuffle()
        if stop <= self._num_examples:
            self._index_in_epoch = stop
            return self._images.part(start, stop), self._labels.part(start, stop)
        rest = self._images.part(start, None), self._labels.part(start, None)
        self._epochs_completed += 1
        if shuffle:
            self._shuffle()
        self._index_in_epoch = stop - self._num_examples
        new = self._images.part(0, self._index_in_epoch), self._labels.part(0, self._index_in_epoch)
        return np.concatenate([rest[0], new[0]]), np.concatenate([rest[1], new[1]])

    def _shuffle(self) -> None:
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images.reorder(order)
        self._labels.reorder(order)


class _Rows:
    """An array's rows, shuffled and scaled from [0, 255] to [0, 1] only where they are read.

    A batch of 100 takes 0.03 ms; to scale and shuffle the whole of MNIST, 0.1 s and 170 MB each epoch.
    An array that others can write is scaled, and so copied, at once.
    """

    def __init__(self, array: np.ndarray, scaled: bool) -> None:
        self.array = array
        self.scaled = scaled  # are the rows read still to be scaled?
        self.order: np.ndarray | None = None
        if scaled and (array.flags.writeable or array.dtype != np.uint8):
            self.all()

    def reorder(self, order: np.ndarray) -> None:
        self.order = order if self.order is None else self.order[order]

    def part(self, start: int, stop: int | None) -> np.ndarray:
        rows: np.ndarray = self.array[start:stop] if self.order is None else self.array[self.order[start:stop]]
        return np.multiply(rows, np.float32(1 / 255), dtype=np.float32) if self.scaled else rows

    def all(self) -> np.ndarray:
        if self.scaled or self.order is not None:
            self.array, self.order, self.scaled = self.part(0, None), None, False
        return self.array


def _stream_seed(seed: int | None) -> int | None:
    """What NumPy's stream is seeded with: the op seed that TensorFlow pairs with the graph's seed.

    Without a seed it is the graph's. The pair (0, 0) would mean "no seed", and counts as (0, 2**31 - 1).
    """
    largest = 2**31 - 1
    of_graph = default_graph().seed
    if seed is None:
        return None if of_graph is None else of_graph % largest
    return seed % largest or (largest if of_graph is not None and of_graph % largest == 0 else 0)


def extract_images(f: IO[bytes]) -> np.ndarray:
    """The images in an open, gzipped file: uint8, of shape (images, rows, columns, 1)."""
    print("Extracting", f.name)
    return _images(f.read(), f.name)


def extract_labels(f: IO[bytes], one_hot: bool = False, num_classes: int = 10) -> np.ndarray:
    """The labels in an open, gzipped file: uint8, of shape (labels,); ``one_hot``: (labels, num_classes)."""
    print("Extracting", f.name)
    labels = _labels(f.read(), f.name)
    return dense_to_one_hot(labels, num_classes) if one_hot else labels


def dense_to_one_hot(labels_dense: np.ndarray, num_classes: int) -> np.ndarray:
    """Rows with a 1 where the label says.

    >>> dense_to_one_hot(np.array([0, 2]), 3)
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    rows = np.zeros((len(labels_dense), num_classes))
    rows.flat[np.arange(len(labels_dense)) * num_classes + labels_dense.ravel()] = 1
    return rows


def _extracting(name: str, train_dir: str, source_url: str) -> tuple[bytes, str]:
    """The packed content of a file, and where it lies; says that it is extracted from ``train_dir``."""
    wanted = place = os.path.join(train_dir, name)
    if not os.path.exists(wanted):
        with suppress(OSError):  # programs write beside the data, where a download would have made the folder
            os.makedirs(train_dir or ".", exist_ok=True)
        place = _packaged(name, source_url + name) or maybe_download(name, train_dir, source_url + name)
    print("Extracting", wanted)
    with open(place, "rb") as file:
        return file.read(), place


def _images(packed: bytes, path: str) -> np.ndarray:
    content = _unpacked(packed, path, _IMAGES, "image", head=16)
    count, rows, columns = (int(n) for n in np.frombuffer(content, ">u4", 3, offset=4))
    _expect(len(content) - 16, count * rows * columns, f"{count} images of {rows} x {columns}", path)
    return np.frombuffer(content, np.uint8, offset=16).reshape(count, rows, columns, 1)


def _labels(packed: bytes, path: str) -> np.ndarray:
    content = _unpacked(packed, path, _LABELS, "label", head=8)
    count = int(np.frombuffer(content, ">u4", 1, offset=4)[0])
    _expect(len(content) - 8, count, f"{count} labels", path)
    return np.frombuffer(content, np.uint8, offset=8)


def _unpacked(packed: bytes, path: str, magic: int, kind: str, head: int) -> bytes:
    """The content of a gzipped file that begins with ``magic`` and is at least ``head`` bytes long."""
    import gzip
    import zlib

    try:
        content = gzip.decompress(packed)
    except (EOFError, OSError, zlib.error) as error:
        size = f"{path} is damaged: expected a whole gzip file, found {len(packed)} bytes"
        raise type(error)(_with_way_out(size, str(error), path)) from None
    found = int.from_bytes(content[:4], "big")
    if found != magic:
        first = f"Invalid magic number {found} in MNIST {kind} file: {path}"
        raise ValueError(_with_way_out(first, f"expected {magic}, which such a file begins with", path))
    _expect(min(len(content), head), head, "its head", path)
    return content


def _expect(found: int, expected: int, what: str, path: str) -> None:
    if found != expected:
        first = f"{path} is damaged: expected {expected} bytes, found {found}"
        raise ValueError(_with_way_out(first, f"it says that it holds {what}", path))


def _with_way_out(first: str, why: str, path: str) -> str:
    if path.startswith(_PACKAGED):
        return f"{first}\n  Why:   {why}\n  Fix:   pip install --force-reinstall retrograd"
    return f"{first}\n  Why:   {why}\n  Fix:   delete it and run again:  rm {path}"


def _packaged(name: str, url: str) -> str | None:
    """The package's copy of the file that ``url`` leads to."""
    path = os.path.join(_PACKAGED, name)
    return path if url.removesuffix(name) in MNIST_URLS and name in SHA256 and os.path.exists(path) else None


def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """The path of ``filename`` in ``work_directory``, downloaded from ``source_url`` if it is not there.

    The file appears whole or not at all. One that the package holds is copied instead.
    """
    path = os.path.join(work_directory, filename)
    if os.path.exists(path):
        return path
    os.makedirs(work_directory, exist_ok=True)
    ours = _packaged(filename, source_url)
    if ours:
        with open(ours, "rb") as source, _appearing(path) as file:
            file.write(source.read())
        return path
    digest = SHA256.get(filename) if source_url.removesuffix(filename) in MNIST_URLS else None
    size = _download(source_url, path, digest)
    print("Successfully downloaded", filename, size, "bytes.")
    return path


def _download(url: str, path: str, sha256: str | None) -> int:
    """Bring ``url`` to ``path``; its size."""
    import hashlib
    from urllib.request import urlopen

    digest, size = hashlib.sha256(), 0
    try:
        with urlopen(url, timeout=60) as answer, _appearing(path) as file:
            total = int(answer.headers.get("Content-Length") or 0)
            show = _progress(os.path.basename(path), total)
            while chunk := answer.read(_CHUNK):
                file.write(chunk)
                digest.update(chunk)
                size += len(chunk)
                show(size)
            if total and size != total:
                raise OSError(f"expected {total} bytes, found {size}")
            if sha256 and digest.hexdigest() != sha256:
                raise OSError(f"expected SHA-256 {sha256}, found {digest.hexdigest()}")
    except (OSError, ValueError) as error:
        getattr(error, "close", int)()  # an HTTP error holds its connection
        raise OSError(
            f"could not download {url}\n"
            f"  Why:   {error}\n"
            f"  Fix:   run again, or put the file there yourself:  curl -L -o {path} {url}"
        ) from error
    return size


@contextmanager
def _appearing(path: str) -> Iterator[IO[bytes]]:
    """A file to write, which bears the name ``path`` only once it is whole and on the disk."""
    from tempfile import mkstemp

    handle, temporary = mkstemp(dir=os.path.dirname(path) or ".", prefix=os.path.basename(path) + ".")
    try:
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _progress(name: str, total: int) -> Callable[[int], None]:
    """Draws how much of ``total`` bytes has come, on a terminal."""
    if not sys.stderr.isatty():
        return lambda size: None

    def show(size: int) -> None:
        filled = 30 * size // total if total else 0
        end = "\n" if size == total else ""
        bar = f"[{'#' * filled:30}] {size / 1e6:.1f}" + (f" of {total / 1e6:.1f} MB" if total else " MB")
        print(f"\r{name} {bar}", end=end, file=sys.stderr, flush=True)

    return show
