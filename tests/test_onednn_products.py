"""Products of NumPy's matrices by oneDNN: what NumPy gives, however they lie in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd.ops import blas, onednn_library, onednn_products


@pytest.fixture(autouse=True)
def _every_one(monkeypatch: Any) -> None:
    monkeypatch.setattr(blas, "_WORTH_SHARING", 0)
    monkeypatch.setattr(onednn_products, "_numpy_is_narrow", lambda: True)


def normal(*shape: int) -> Any:
    return np.random.RandomState(0).standard_normal(shape).astype("f")


@pytest.mark.skipif(onednn_library.library() is None, reason="onednn-cpu-gomp is not installed, or not for this system")
@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.parametrize("columns", [1, 7])
@pytest.mark.parametrize("terms", [1, 6])
def test_as_numpy_does(rows: int, terms: int, columns: int) -> None:
    for a in (normal(rows, terms), normal(terms, rows).T, normal(rows, 2 * terms)[:, ::2]):
        for b in (normal(terms, columns), normal(columns, terms).T, normal(2 * terms, columns)[::2]):
            found = onednn_products.product(a, b)
            assert found.dtype == np.float32
            np.testing.assert_allclose(found, a @ b, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "arrays", [(normal(2, 3).astype("d"), normal(3, 2).astype("d")), (normal(2, 3, 4), normal(4, 5))]
)
def test_others_are_numpys(arrays: Any) -> None:
    assert onednn_products.product(*arrays) is None
    np.testing.assert_array_equal(blas.matmul(*arrays), np.matmul(*arrays))


def test_what_cannot_be_multiplied_is_refused_as_before() -> None:
    with pytest.raises(ValueError, match="matmul"):
        blas.matmul(normal(2, 3), normal(2, 3))


def test_nothing_is_left_of_what_was_in_memory() -> None:
    a = np.full((3, 4), np.nan, "f")
    assert np.isnan(blas.matmul(a, normal(4, 2))).all()
    np.testing.assert_array_equal(blas.matmul(normal(3, 0), normal(0, 2)), np.zeros((3, 2)))


def test_small_matrices_are_decomposed_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    class Library:
        now = 4

        def get_num_threads(self) -> int:
            return self.now

        def set_num_threads(self, number: int) -> None:
            self.now = number

    library = Library()
    threads = (blas.Threads(library),)
    monkeypatch.setattr(blas, "_WORTH_SHARING", 1 << 25)
    monkeypatch.setattr(blas, "threads", lambda: threads)
    taken = []
    kernel = blas.of_matrices(lambda xp, x: taken.append(library.now))
    kernel(np, np.zeros([64, 8, 8]))
    kernel(np, np.zeros([400, 400]))
    assert taken == [1, 4]
