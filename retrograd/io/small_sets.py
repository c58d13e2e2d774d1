"""``tf.contrib.learn.datasets``: small tables of numbers, and points that are drawn.

The tables are in the package: Fisher's irises (1936) and the houses of Harrison and Rubinfeld (1978), as UCI and
StatLib give them; their first line tells the number of rows and of features.
"""

from __future__ import annotations

import csv
import os
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.io.gfile import GFile
from retrograd.io.mnist import Dataset, Datasets, load_mnist, maybe_download

_TABLES = os.path.join(os.path.dirname(__file__), "data", "tables")
DBPEDIA_URL = "https://github.com/le-scientifique/torchDatasets/raw/master/dbpedia_csv.tar.gz"

# -- files ---------------------------------------------------------------------------------------


def load_csv_with_header(filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """The rows of a file whose first line begins with the number of rows and of features; one column is the target."""
    with GFile(filename) as file:
        rows = csv.reader(file)
        header = next(rows)
        data = np.zeros((int(header[0]), int(header[1])), dtype=features_dtype)
        target = np.zeros((int(header[0]),), dtype=target_dtype)
        for i, row in enumerate(rows):
            target[i] = np.asarray(row.pop(target_column), dtype=target_dtype)
            data[i] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


def load_csv_without_header(filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """The rows of a file without a header; one column is the target."""
    data, target = [], []
    with GFile(filename) as file:
        for row in csv.reader(file):
            target.append(row.pop(target_column))
            data.append(np.asarray(row, dtype=features_dtype))
    return Dataset(data=np.array(data), target=np.array(target, dtype=target_dtype))


def shrink_csv(filename: str, ratio: int) -> None:
    """Every ``ratio``-th row of ``x.csv`` goes to ``x_small.csv``."""
    with GFile(filename.replace(".", "_small."), "w") as small, GFile(filename) as file:
        writer = csv.writer(small)
        for i, row in enumerate(csv.reader(file)):
            if i % ratio == 0:
                writer.writerow(row)


# -- sets ----------------------------------------------------------------------------------------


def load_iris(data_path: str | None = None) -> Dataset:
    """150 flowers: four lengths, and one of three kinds."""
    return load_csv_with_header(data_path or os.path.join(_TABLES, "iris.csv"), int, float)


def load_boston(data_path: str | None = None) -> Dataset:
    """506 quarters: 13 numbers, and the median price of a house."""
    return load_csv_with_header(data_path or os.path.join(_TABLES, "boston_house_prices.csv"), float, float)


def maybe_download_dbpedia(data_dir: str) -> None:
    """The texts of DBpedia in ``data_dir``, downloaded if they are not there."""
    import tarfile

    folder = os.path.join(data_dir, "dbpedia_csv")
    if not all(os.path.exists(os.path.join(folder, f"{part}.csv")) for part in ("train", "test")):
        with tarfile.open(maybe_download("dbpedia_csv.tar.gz", data_dir, DBPEDIA_URL), "r:*") as archive:
            archive.extractall(data_dir, filter="data")


def load_dbpedia(size: str = "small", test_with_fake_data: bool = False) -> Datasets:
    """Texts of 14 kinds, from ``dbpedia_data`` below the folder that TF_EXP_BASE_DIR names; ``small``: some of them.

    Raises:
      ValueError: ``test_with_fake_data``; the package holds no texts.
    """
    if test_with_fake_data:
        raise ValueError("The package holds no texts to test with: load_dbpedia() downloads them.")
    data_dir = os.path.join(os.getenv("TF_EXP_BASE_DIR", ""), "dbpedia_data")
    maybe_download_dbpedia(data_dir)
    paths = [os.path.join(data_dir, "dbpedia_csv", f"{part}.csv") for part in ("train", "test")]
    if size == "small":
        for path in paths:
            shrink_csv(path, 1000)
        paths = [path.replace(".csv", "_small.csv") for path in paths]
    train, test = (load_csv_without_header(path, np.int32, np.str_, 0) for path in paths)
    return Datasets(train=train, validation=None, test=test)


DATASETS: dict[str, Callable[..., Any]] = {
    "iris": load_iris, "boston": load_boston, "mnist": load_mnist, "dbpedia": load_dbpedia,
}  # fmt: skip


def load_dataset(name: str, size: str = "small", test_with_fake_data: bool = False) -> Any:
    """A data set by its name.

    Raises:
      ValueError: there is none of this name.
    """
    if name not in DATASETS:
        raise ValueError(f"Name of dataset is not found: {name}")
    return DATASETS[name](size, test_with_fake_data) if name == "dbpedia" else DATASETS[name]()


# -- points that are drawn -----------------------------------------------------------------------


def circles(
    n_samples: int = 100, noise: float | None = None, seed: int | None = None, factor: float = 0.8,
    n_classes: int = 2, *args: Any, **kwargs: Any,
) -> Dataset:  # fmt: skip
    """Points of circles around 0, each ``factor`` times the size of the one before."""
    if seed is not None:
        np.random.seed(seed)
    each, rest = divmod(n_samples, n_classes)
    angles = np.linspace(0, 2 * np.pi, each)
    x, y = np.cos(angles), np.sin(angles)
    rows = []
    for _ in range(n_classes):
        rows.append(np.stack([x, y], 1))
        x, y = x * factor, y * factor
    # the two coordinates of what is left over are drawn apart
    rows.append(np.stack([np.cos(np.random.rand(rest) * 2 * np.pi), np.sin(np.random.rand(rest) * 2 * np.pi)], 1))
    return _shuffled(rows, np.repeat(np.arange(n_classes), each), n_samples, noise)


def spirals(
    n_samples: int = 100, noise: float | None = None, seed: int | None = None, mode: str = "archimedes",
    n_loops: int = 2, *args: Any, **kwargs: Any,
) -> Dataset:  # fmt: skip
    """Points of two spirals: ``archimedes``, ``bernoulli`` or ``fermat``.

    Raises:
      ValueError: there is no spiral of this name.
    """
    if mode not in _RADII:
        raise ValueError(f"Cannot generate spiral with mode {mode}")
    if seed is not None:
        np.random.seed(seed)
    each, rest = divmod(n_samples, 2)
    angles = np.linspace(0, 2 * n_loops * np.pi, each)
    rows = [_spiral(mode, angles, label * np.pi, *args, **kwargs) for label in range(2)]
    if rest:
        rows.append(_spiral(mode, np.random.rand(rest) * 2 * np.pi, *args, **kwargs))
    return _shuffled(rows, np.repeat(np.arange(2), each), n_samples, noise)


_RADII: dict[str | None, Callable[..., Any]] = {
    "archimedes": lambda theta, scale: theta,
    "bernoulli": lambda theta, scale: np.exp(scale * theta),
    "fermat": lambda theta, scale: np.sqrt(theta),
}


def _spiral(mode: str, theta: Any, theta_offset: float = 0.0, *args: Any, exp_scale: float = 0.1, **kwargs: Any) -> Any:
    """Points of one spiral, so that no coordinate is above 1."""
    radius = _RADII[mode](theta, exp_scale)
    x, y = radius * np.cos(theta + theta_offset), radius * np.sin(theta + theta_offset)
    return np.stack([x / np.max(np.abs(x)), y / np.max(np.abs(y))], 1)


def _shuffled(rows: list[Any], labels: Any, n_samples: int, noise: float | None) -> Dataset:
    points = np.concatenate(rows)
    target = np.zeros(n_samples, np.int32)  # what is left over counts as of the first class
    target[: len(labels)] = labels
    order = np.random.permutation(range(n_samples))
    if noise is not None:
        points += np.random.normal(scale=noise, size=points.shape)
    return Dataset(data=points[order], target=target[order])


def make_dataset(
    name: str, n_samples: int = 100, noise: float | None = None, seed: int = 42, *args: Any, **kwargs: Any
) -> Dataset:
    """Points that are drawn: ``circles`` or ``spirals``.

    Raises:
      ValueError: there are none of this name.
    """
    if name not in ("circles", "spirals"):
        raise ValueError(f"Synthetic dataset not found or not implemeted: {name}")
    made = circles if name == "circles" else spirals
    return made(*args, n_samples=n_samples, noise=noise, seed=seed, **kwargs)  # type: ignore[misc]


# -- calls that are tried again ------------------------------------------------------------------


def retry(
    initial_delay: float, max_delay: float, factor: float = 2.0, jitter: float = 0.25,
    is_retriable: Callable[[Exception], bool] | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """A decorator: a call that fails is made again after a while, which grows by ``factor``.

    Raises:
      ValueError: ``factor`` below 1, or ``jitter`` of 1 or more.
    """
    if factor < 1:
        raise ValueError(f"factor must be >= 1; was {factor:f}")
    if jitter >= 1:
        raise ValueError(f"jitter must be < 1; was {jitter:f}")

    def delays() -> Iterator[float]:
        delay = initial_delay
        while delay <= max_delay:
            yield delay * random.uniform(1 - jitter, 1 + jitter)
            delay *= factor

    def wrap(f: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*args: Any, **kwargs: Any) -> Any:
            for delay in delays():
                try:
                    return f(*args, **kwargs)
                except Exception as error:
                    if is_retriable is None:
                        continue
                    if not is_retriable(error):
                        raise
                    time.sleep(delay)
            return f(*args, **kwargs)

        return tried

    return wrap
