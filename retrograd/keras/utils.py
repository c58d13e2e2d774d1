"""``tf.keras.utils``: classes as one-hot rows, downloaded files, sequences of batches, progress."""

from __future__ import annotations

import hashlib
import inspect
import os
import shutil
import sys
import tarfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.keras.backend import home
from retrograd.keras.backend_state import image_data_format
from retrograd.nn.keras import lookup
from retrograd.nn.keras.lookup import described, found
from retrograd.nn.layers.sizes import padding_of_keras

# -- arrays --------------------------------------------------------------------------------------


def to_categorical(y: Any, num_classes: int | None = None, dtype: str = "float32") -> np.ndarray:
    """A row for each class in ``y``, 1 at its place.

    >>> to_categorical([0, 2])
    array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    y = np.array(y, dtype="int")
    shape = y.shape
    if shape and shape[-1] == 1 and len(shape) > 1:
        shape = tuple(shape[:-1])
    y = y.ravel()
    num_classes = num_classes or int(np.max(y)) + 1
    result = np.zeros((len(y), num_classes), dtype=dtype)
    result[np.arange(len(y)), y] = 1
    return result.reshape((*shape, num_classes))


def normalize(x: Any, axis: int = -1, order: int = 2) -> np.ndarray:
    """``x`` over its length along ``axis``."""
    length = np.atleast_1d(np.linalg.norm(x, order, axis))
    length[length == 0] = 1
    return x / np.expand_dims(length, axis)


# -- objects of the user -------------------------------------------------------------------------

_custom = lookup.custom_objects


def normalize_data_format(value: str | None) -> str:
    """``"channels_first"`` or ``"channels_last"``, in lower case; of None, the backend's."""
    value = image_data_format() if value is None else value
    if value.lower() not in ("channels_first", "channels_last"):
        raise ValueError(
            f'The `data_format` argument must be one of "channels_first", "channels_last". Received: {value}'
        )
    return value.lower()


def normalize_padding(value: Any) -> Any:
    """``"valid"``, ``"same"`` or ``"causal"``, in lower case; amounts in a list stay."""
    return value if isinstance(value, list | tuple) else padding_of_keras(value, ("valid", "same", "causal"))


def convert_kernel(kernel: Any) -> np.ndarray:
    """Theano's kernel of a convolution as TensorFlow's, or back: turned over along the axes of space."""
    kernel = np.asarray(kernel)
    if not 3 <= kernel.ndim <= 5:
        raise ValueError("Invalid kernel shape:", kernel.shape)
    return np.flip(kernel, tuple(range(kernel.ndim - 2))).copy()


def get_custom_objects() -> dict[str, Any]:
    """The user's own classes and functions, by name."""
    return _custom


CustomObjectScope = lookup.CustomObjectScope
custom_object_scope = lookup.custom_object_scope


def serialize_keras_object(instance: Any) -> Any:
    """The configuration of an object, or the name of a function."""
    return described(instance)


def deserialize_keras_object(
    identifier: Any, module_objects: Any = None, custom_objects: Any = None, printable_module_name: str = "object"
) -> Any:
    """The object of a name or a configuration."""
    if identifier is None:
        return None
    if not isinstance(identifier, str | dict):
        return identifier
    with custom_object_scope(custom_objects):
        made = found(identifier, module_objects or {}, printable_module_name)
    return made() if isinstance(made, type) and isinstance(identifier, str) else made


# -- functions and arrays --------------------------------------------------------------------------


def has_arg(fn: Any, name: str, accept_all: bool = False) -> bool:
    """Whether ``fn`` has an argument of this name; ``accept_all``: or takes any."""
    found = inspect.getfullargspec(fn)
    return (accept_all and found.varkw is not None) or name in found.args


def slice_arrays(arrays: Any, start: Any = None, stop: Any = None) -> Any:
    """Rows of an array, or of each of several: from ``start`` to ``stop``, or those that ``start`` lists.

    Raises:
      ValueError: ``start`` is a list, and there is a ``stop``.
    """
    if arrays is None:
        return [None]
    if isinstance(start, list) and stop is not None:
        raise ValueError("The stop argument has to be None if the value of start is a list.")
    rows = getattr(start, "tolist", lambda: start)() if hasattr(start, "__len__") else slice(start, stop)
    if isinstance(arrays, list):
        return [x[rows] if hasattr(x, "__getitem__") else None for x in arrays]
    return arrays[rows] if hasattr(start, "__len__") else [None]


# -- files ---------------------------------------------------------------------------------------


def get_file(
    fname: str,
    origin: str,
    untar: bool = False,
    md5_hash: str | None = None,
    file_hash: str | None = None,
    cache_subdir: str = "datasets",
    hash_algorithm: str = "auto",
    extract: bool = False,
    archive_format: Any = "auto",
    cache_dir: str | None = None,
) -> str:
    """The path of a file of ``~/.keras/datasets``, downloaded from ``origin`` if it is not there.

    Raises:
      Exception: it cannot be downloaded.
    """
    folder = os.path.join(os.path.expanduser(cache_dir or home()), cache_subdir)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, fname)
    archive = f"{path}.tar.gz" if untar else path
    wanted = file_hash or md5_hash
    if not os.path.exists(archive) or (wanted and not validate_file(archive, wanted)):
        print("Downloading data from", origin)
        try:
            with urllib.request.urlopen(origin) as source, open(archive, "wb") as target:
                shutil.copyfileobj(source, target)
        except Exception as error:
            if os.path.exists(archive):
                os.remove(archive)
            failure = Exception(f"URL fetch failure on {origin}: {error}")
            failure.add_note(f"  Fix:   put the file there yourself: {archive}")
            raise failure from error
    if untar:
        if not os.path.exists(path):
            _extracted(archive, folder)
        return path
    if extract:
        _extracted(archive, folder)
    return path


def hash_of(fpath: str, algorithm: str = "sha256", chunk_size: int = 65535) -> str:
    """The digest of a file, ``"sha256"`` or ``"md5"``, in hexadecimal digits."""
    digest = hashlib.sha256() if algorithm == "sha256" else hashlib.md5()
    with open(fpath, "rb") as file:
        for chunk in iter(lambda: file.read(chunk_size), b""):
            digest.update(chunk)
    return digest.hexdigest()


def validate_file(fpath: str, file_hash: str, algorithm: str = "auto", chunk_size: int = 65535) -> bool:
    """Whether a file has a digest; ``"auto"``: SHA-256 if that has 64 digits, else MD5."""
    is_long = algorithm == "sha256" or (algorithm == "auto" and len(file_hash) == 64)
    return hash_of(fpath, "sha256" if is_long else "md5", chunk_size) == str(file_hash)


def _extracted(path: str, folder: str) -> None:
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)


# -- batches -------------------------------------------------------------------------------------


class Sequence:
    """Batches by index: ``__len__`` and ``__getitem__``."""

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def on_epoch_end(self) -> None:
        """Called at the end of each epoch."""

    def __iter__(self) -> Iterator[Any]:
        for i in range(len(self)):
            yield self[i]


# -- progress ------------------------------------------------------------------------------------


class Progbar:
    """A line that says how far an epoch is, and the means of what it was told.

    Args:
      target: the number of steps, None if nobody knows.
      verbose: 0 for nothing, 1 for a bar, 2 for one line at the end.
      stateful_metrics: what is no mean, but said as it is.
    """

    def __init__(
        self, target: int | None, width: int = 30, verbose: int = 1, interval: float = 0.05,
        stateful_metrics: Any = None, unit_name: str = "step",
    ) -> None:  # fmt: skip
        self.target, self.width, self.verbose, self.interval = target, width, verbose, interval
        self.unit_name = unit_name
        self.stateful_metrics = set(stateful_metrics or ())
        self._is_dynamic = (hasattr(sys.stdout, "isatty") and sys.stdout.isatty()) or "posix" in sys.modules
        self._seen, self._start, self._last, self._total_width = 0, time.time(), 0.0, 0
        self._values: dict[str, Any] = {}

    def update(self, current: int, values: Any = None) -> None:
        """Say that ``current`` steps are done, with these values."""
        for key, value in values or ():
            if key in self.stateful_metrics:
                self._values[key] = [value, 1]
            else:
                weight = max(current - self._seen, 1)
                total, count = self._values.get(key, (0.0, 0))
                self._values[key] = [total + value * weight, count + weight]
        self._seen = current
        now = time.time()
        is_last = self.target is not None and current >= self.target
        if self.verbose == 1:
            if now - self._last < self.interval and not is_last:
                return
            self._write_bar(current, now, is_last)
        elif self.verbose == 2 and is_last:
            width = len(str(self.target))
            elapsed = f" - {now - self._start:.0f}s"
            head = f"{current:{width}d}/{self.target}" + elapsed
            sys.stdout.write(head + self._said(signed=True) + "\n")
            sys.stdout.flush()
        self._last = now

    def _said(self, signed: bool = False) -> str:
        """The means; small ones with an exponent, and if they are ``signed`` all below 0 too."""
        text = ""
        for key, (total, count) in self._values.items():
            mean = float(np.mean(total / max(1, count)))
            text += f" - {key}: {mean:.4f}" if (mean if signed else abs(mean)) > 1e-3 else f" - {key}: {mean:.4e}"
        return text

    def _write_bar(self, current: int, now: float, is_last: bool) -> None:
        before = self._total_width
        sys.stdout.write("\b" * before + "\r" if self._is_dynamic else "\n")
        if self.target is not None:
            digits = len(str(self.target))
            bar = f"{current:{digits}d}/{self.target} ["
            done = int(self.width * current / self.target)
            if done > 0:
                bar += "=" * (done - 1) + (">" if current < self.target else "=")
            bar += "." * (self.width - done) + "]"
        else:
            bar = f"{current:7d}/Unknown"
        self._total_width = len(bar)
        sys.stdout.write(bar)
        each = (now - self._start) / current if current else 0
        if self.target is None or is_last:
            info = f" - {now - self._start:.0f}s"
            if each >= 1:
                info += f" {each:.0f}s/{self.unit_name}"
            elif each >= 1e-3:
                info += f" {each * 1e3:.0f}ms/{self.unit_name}"
            else:
                info += f" {each * 1e6:.0f}us/{self.unit_name}"
        else:
            eta = each * (self.target - current)
            if eta > 3600:
                text = f"{eta // 3600:.0f}:{eta % 3600 // 60:02.0f}:{eta % 60:02.0f}"
            else:
                text = f"{eta // 60:.0f}:{eta % 60:02.0f}" if eta > 60 else f"{eta:.0f}s"
            info = f" - ETA: {text}"
        info += self._said()
        self._total_width += len(info)
        if before > self._total_width:
            info += " " * (before - self._total_width)
        if is_last:
            info += "\n"
        sys.stdout.write(info)
        sys.stdout.flush()

    def add(self, n: int, values: Any = None) -> None:
        """Say that ``n`` more steps are done."""
        self.update(self._seen + n, values)
