"""Weighted alternating least squares: a sparse matrix A as a product U V^T of narrow ones.

What is minimized is sum_ij w_ij (a_ij - u_i v_j)^2 + l (|U|^2 + |V|^2), where w_ij = w_0 + r_i c_j if A has an entry
and w_0 if not.  For fixed V each row of U solves (w_0 V^T V + l + sum_j r_i c_j v_j v_j^T) u_i =
sum_j w_ij a_ij v_j, the sums over the entries of row i.  Source: Hu, Koren and Volinsky,
"Collaborative filtering for implicit feedback datasets", 2008; names and numbers: TensorFlow 1.15.5,
``contrib/factorization/python/ops/factorization_ops.py``.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.nn.embeddings import embedding_lookup
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    comparison,
    constants,
    control,
    factorization,
    grids,
    joining,
    powers,
    random,
    solving,
    sparse,
    sparse_arithmetic,
    stitching,
)
from retrograd.ops import state as state_ops
from retrograd.ops.conditions import cond
from retrograd.ops.contraction import trace
from retrograd.ops.matrices import matmul
from retrograd.ops.permuting import transpose
from retrograd.ops.scatters import scatter_update
from retrograd.ops.sparse_reductions import sparse_reduce_sum
from retrograd.ops.sums import add_n
from retrograd.ops.uniqueness import unique
from retrograd.state.variables import Variable as variable


class _Copy:
    """Local variables that hold copies of others while these are read; or these themselves."""

    def __init__(self, held: list[Any] | None, name: str, is_kept: bool, is_sharded: bool = True) -> None:
        self.values = held
        self.fill: Any = None if held is None else control.no_op()
        self.drop: Any = self.fill if held is None else control.no_op()
        if held is None or not is_kept:
            return
        names = [f"{name}_shard_{i}" for i in range(len(held))] if is_sharded else [name]
        self.values = [
            variable(
                1.0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], validate_shape=False, name=each
            )
            for each in names
        ]  # fmt: skip
        drops = []
        filled: list[Any] = []
        for copy, value in zip(self.values, held, strict=True):
            with colocate_with(copy), control_dependencies(filled):
                filled = [state_ops.assign(copy, value, validate_shape=False)]
            with colocate_with(copy):
                drops.append(state_ops.assign(copy, 1.0, validate_shape=False))
        self.fill, self.drop = filled[0], control.group(*drops)


class _Side:
    """The rows or the columns of the matrix: their factors, their weights, and the product of the factors."""

    def __init__(self, name: str, size: int, width: int, shards: int) -> None:
        self.name, self.size, self.width, self.shards = name, size, width, shards
        most, rest = divmod(size, shards)
        self.sizes = [most + 1] * rest + [most] * (shards - rest)
        self.weights: list[Any] | None = None
        self.factors: list[Any] = []
        self.gramian: Any = None

    def make_weights(self, given: Any) -> None:
        """The weights of ``given``: a number for all, or a list for each part; none for None."""
        if given is None:
            return
        if isinstance(given, Iterable):
            parts = [given] if self.shards == 1 and len(given) == self.size else given  # type: ignore[arg-type]
            assert len(parts) == self.shards, "as many lists of weights as parts"  # type: ignore[arg-type]
            first: Callable[[int], Any] = lambda i: parts[i]  # type: ignore[index]  # noqa: E731
        elif isinstance(given, numbers.Real) and given >= 0:  # type: ignore[operator]
            first = lambda i: given * constants.ones([self.sizes[i]])  # noqa: E731
        else:
            raise ValueError(
                "Invalid weight initialization argument. Must be one of these: None, a real non-negative real number, "
                "or a list of lists of non-negative real numbers (or equivalent iterables) corresponding to sharded "
                "factors."
            )
        self.weights = self._parts("weights", first)

    def make_factors(self, given: Any) -> None:
        """The factors: random numbers for "random", or those given, one matrix for each part."""
        given = given() if callable(given) else given
        is_random = isinstance(given, str) and given == "random"
        if isinstance(given, list):
            assert len(given) == self.shards, "as many matrices of factors as parts"
        elif not is_random and self.shards == 1:
            given = [given]

        def first(i: int) -> Any:
            return random.random_normal([self.sizes[i], self.width]) if is_random else given[i]

        self.factors = self._parts("factors", first)

    def _parts(self, what: str, first: Callable[[int], Any]) -> list[Any]:
        return [
            variable(lambda i=i: first(i), dtype=dtypes.float32, name=f"{self.name}_{what}_shard_{i}")  # type: ignore[misc]
            for i in range(self.shards)
        ]

    def make_gramian(self) -> None:
        first = constants.zeros([self.width, self.width])
        self.gramian = variable(first, dtype=dtypes.float32, name=f"{self.name}_gramian")

    def measured(self) -> Any:
        """The op that works out the product of the factors with themselves."""
        parts = []
        for part in self.factors:
            with colocate_with(part):
                parts.append(matmul(part, part, transpose_a=True))
        with colocate_with(self.gramian):
            return state_ops.assign(self.gramian, add_n(parts)).op

    def stored(self, rows: Tensor, values: Tensor) -> Any:
        """The op that puts values in the place of the factors of ``rows``."""
        name = f"{self.name}_update"
        if self.shards == 1:
            with colocate_with(self.factors[0]):
                return scatter_update(self.factors[0], rows, values, name=name).op
        most, rest = divmod(self.size, self.shards)
        part = arithmetic.maximum(rows // (most + 1), (rows - rest) // most)
        inside = comparison.where_v2(part < rest, rows % (most + 1), (rows - rest) % most)
        part = casts.cast(part, dtypes.int32)
        ids = stitching.dynamic_partition(inside, part, self.shards)
        parts = stitching.dynamic_partition(values, part, self.shards)
        steps = [scatter_update(*each) for each in zip(self.factors, ids, parts, strict=True)]
        return control.group(*steps, name=name)


class WALSModel:
    """The graph of weighted alternating least squares.

    Args:
      input_rows, input_cols: the size of the matrix.
      n_components: how wide the factors are.
      unobserved_weight: w_0.
      regularization: l; None: none.
      row_init, col_init: the first factors, a matrix or one for each part; "random": normal numbers.
      num_row_shards, num_col_shards: in how many variables the factors are.
      row_weights, col_weights: a number, a list for each part, or both None: all entries weigh w_0.
      use_factors_weights_cache, use_gramian_cache: whether a sweep reads local copies.
      use_scoped_vars: whether the names of variables stand below names of what they hold.

    Raises:
      ValueError: weights of another kind.
    """

    def __init__(
        self,
        input_rows: int,
        input_cols: int,
        n_components: int,
        unobserved_weight: float = 0.1,
        regularization: float | None = None,
        row_init: Any = "random",
        col_init: Any = "random",
        num_row_shards: int = 1,
        num_col_shards: int = 1,
        row_weights: Any = 1,
        col_weights: Any = 1,
        use_factors_weights_cache: bool = True,
        use_gramian_cache: bool = True,
        use_scoped_vars: bool = False,
    ) -> None:
        self._input_rows, self._input_cols = input_rows, input_cols
        self._unobserved_weight, self._regularization = unobserved_weight, regularization
        self._ridge = None if regularization is None else regularization * grids.eye(n_components)
        assert (row_weights is None) == (col_weights is None), "row_weights and col_weights, or neither"
        self._rows = rows = _Side("row", input_rows, n_components, num_row_shards)
        self._cols = cols = _Side("col", input_cols, n_components, num_col_shards)
        for make, name in (
            (lambda: rows.make_weights(row_weights), "row_weights"),
            (lambda: cols.make_weights(col_weights), "col_weights"),
            (lambda: rows.make_factors(row_init), "row_factors"),
            (lambda: cols.make_factors(col_init), "col_factors"),
        ):
            if use_scoped_vars:
                with name_scope(name):
                    make()
            else:
                make()
        rows.make_gramian()
        cols.make_gramian()
        with name_scope("row_prepare_gramian"):
            self._row_update_prep_gramian = cols.measured()
        with name_scope("col_prepare_gramian"):
            self._col_update_prep_gramian = rows.measured()
        with name_scope("transient_vars"):
            self._make_copies(use_factors_weights_cache, use_gramian_cache)

    def _make_copies(self, keeps_factors: bool, keeps_gramian: bool) -> None:
        sides = (self._rows, self._cols)
        factors = [_Copy(s.factors, f"{s.name}_factors_cache", keeps_factors) for s in sides]
        weights = [_Copy(s.weights, f"{s.name}_wt_cache", keeps_factors) for s in sides]
        gramians = [_Copy([s.gramian], f"{s.name}_gramian_cache", keeps_gramian, False) for s in sides]
        self._factors_used = [c.values for c in factors]
        self._weights_used = [c.values for c in weights]
        self._gramians_used = [c.values[0] for c in gramians]  # type: ignore[index]
        self._row_updates_init, self._col_updates_init = (
            control.group(factors[read].fill, factors[1 - read].drop, gramians[read].fill, gramians[1 - read].drop)
            for read in (1, 0)
        )
        if weights[0].values is None:
            self._worker_init = control.no_op(name="worker_init")
        else:
            self._worker_init = control.group(weights[0].fill, weights[1].fill, name="worker_init")

    @property
    def row_factors(self) -> list[Any]:
        """The variables of U."""
        return self._rows.factors

    @property
    def col_factors(self) -> list[Any]:
        """The variables of V."""
        return self._cols.factors

    @property
    def row_weights(self) -> list[Any] | None:
        """The variables of r."""
        return self._rows.weights

    @property
    def col_weights(self) -> list[Any] | None:
        """The variables of c."""
        return self._cols.weights

    _row_factors, _col_factors = row_factors, col_factors
    _row_weights, _col_weights = row_weights, col_weights

    @property
    def initialize_op(self) -> Any:
        """The op that gives all variables their first values."""
        from retrograd.state.initialization import variables_initializer

        rows, cols = self._rows, self._cols
        made = [*rows.factors, *cols.factors, rows.gramian, cols.gramian]
        return variables_initializer([*made, *(rows.weights or []), *(cols.weights or [])])

    @property
    def worker_init(self) -> Any:
        """The op that copies the weights; once, before any update."""
        return self._worker_init

    @property
    def row_update_prep_gramian_op(self) -> Any:
        """The op that works out V^T V; before a sweep over rows."""
        return self._row_update_prep_gramian

    @property
    def col_update_prep_gramian_op(self) -> Any:
        """The op that works out U^T U; before a sweep over columns."""
        return self._col_update_prep_gramian

    @property
    def initialize_row_update_op(self) -> Any:
        """The op that copies what a sweep over rows reads."""
        return self._row_updates_init

    @property
    def initialize_col_update_op(self) -> Any:
        """The op that copies what a sweep over columns reads."""
        return self._col_updates_init

    def update_row_factors(self, sp_input: Any = None, transpose_input: bool = False) -> tuple[Any, ...]:
        """The best factors of some rows of A.

        Args:
          sp_input: their entries, a sparse matrix with the places of A; or of its transposed, with transpose_input.

        Returns:
          (the factors, the op that stores them, the loss, the regularization, the sum of weights): the last three as
          if A had no other rows, times how many rows there are for one of these.
        """
        return self._solved(0, sp_input, transpose_input)

    def update_col_factors(self, sp_input: Any = None, transpose_input: bool = False) -> tuple[Any, ...]:
        """The same for some columns of A."""
        return self._solved(1, sp_input, transpose_input)

    def project_row_factors(
        self, sp_input: Any = None, transpose_input: bool = False, projection_weights: Any = None
    ) -> Tensor:
        """The best factors of rows that A need not have, whose weights are ``projection_weights``, 1 by default."""
        weights = 1 if projection_weights is None else projection_weights
        return self._solved(0, sp_input, transpose_input, weights)[0]  # type: ignore[no-any-return]

    def project_col_factors(
        self, sp_input: Any = None, transpose_input: bool = False, projection_weights: Any = None
    ) -> Tensor:
        """The same for columns."""
        weights = 1 if projection_weights is None else projection_weights
        return self._solved(1, sp_input, transpose_input, weights)[0]  # type: ignore[no-any-return]

    def _solved(self, of: int, sp_input: Any, is_transposed: bool, weights: Any = None) -> tuple[Any, ...]:
        assert isinstance(sp_input, SparseTensor), "sp_input is a sparse tensor"
        side = (self._rows, self._cols)[of]
        is_transposed = is_transposed != bool(of)
        solved, read, entries = _renumbered(sp_input, is_transposed)
        count = casts.cast(arrays.shape(solved)[0], dtypes.int64)
        right = embedding_lookup(self._factors_used[1 - of], read, partition_strategy="div")
        gramian = self._gramians_used[1 - of]
        left = self._unobserved_weight * gramian
        if self._ridge is not None:
            left = left + self._ridge
        row_weights = col_weights = None
        if side.weights is None:
            sums = sparse_arithmetic.sparse_tensor_dense_matmul(entries, right, adjoint_a=is_transposed)
            found = transpose(solving.matrix_solve(left, transpose(self._unobserved_weight * sums)))
        else:
            row_weights = self._row_weights_of(of, solved, weights)
            col_weights = embedding_lookup(self._weights_used[1 - of], read, partition_strategy="div")
            partial, sums = factorization.wals_compute_partial_lhs_and_rhs(
                right, col_weights, self._unobserved_weight, row_weights, entries.indices, entries.values, [], count,
                is_transposed, name="wals_compute_partial_lhs_rhs",
            )  # fmt: skip
            left = arrays.expand_dims(left, 0) + partial
            found = arrays.squeeze(solving.matrix_solve(left, arrays.expand_dims(sums, -1)), [2])
        stored = side.stored(solved, found)
        entries = sparse.sparse_transpose(entries) if is_transposed else entries
        share = side.size / casts.cast(count, dtypes.float32)
        return found, stored, *self._losses(entries, found, right, gramian, share, row_weights, col_weights)

    def _row_weights_of(self, of: int, solved: Tensor, weights: Any) -> Tensor:
        if weights is None:
            return embedding_lookup(self._weights_used[of], solved, partition_strategy="div")
        with control_dependencies([checks.assert_less_equal(arrays.rank(weights), 1)]):
            return cond(  # type: ignore[no-any-return]
                comparison.equal(arrays.rank(weights), 0),
                lambda: constants.ones([arrays.shape(solved)[0]]) * weights,
                lambda: casts.cast(weights, dtypes.float32),
            )

    def _losses(
        self, entries: Any, left: Any, right: Any, gramian: Any, share: Any, row_weights: Any, col_weights: Any
    ) -> tuple[Any, Any, Any]:
        """(loss, regularization, sum of weights), by |A|^2 over the entries and tr(U^T U V^T V) over all places."""
        values = factorization.masked_matmul(left, right, entries.indices, False, True)
        near = SparseTensor(entries.indices, values, entries.dense_shape)
        squares = powers.square(near)
        negative = SparseTensor(entries.indices, -values, entries.dense_shape)
        off = powers.square(sparse_arithmetic.sparse_add(entries, negative))
        partial = matmul(left, left, transpose_a=True)
        everywhere = (
            sparse_reduce_sum(off) - sparse_reduce_sum(squares) + trace(matmul(partial, gramian))
        )  # fmt: skip
        rows = constants.constant(0.0) if row_weights is None else arrays.expand_dims(row_weights, 1)
        cols = constants.constant(0.0) if col_weights is None else arrays.expand_dims(col_weights, 0)
        loss = (self._unobserved_weight * everywhere + sparse_reduce_sum(rows * (off * cols))) * share
        ridge = constants.constant(0.0)
        if self._regularization is not None:
            ridge = self._regularization * (trace(partial) * share + trace(gramian))
        places = self._unobserved_weight * casts.cast(self._input_rows * self._input_cols, dtypes.float32)
        if row_weights is not None:
            ones = SparseTensor(entries.indices, constants.ones(arrays.shape(entries.values)), entries.dense_shape)
            places = places + sparse_reduce_sum(rows * (ones * cols)) * share
        return loss, ridge, places


def _renumbered(sp_input: Any, is_transposed: bool) -> tuple[Tensor, Tensor, SparseTensor]:
    """(the rows that have entries, the columns that have some, the entries with rows and columns counted by these)."""
    found, counted = zip(*(unique(i[:, 0]) for i in joining.split(sp_input.indices, 2, axis=1)), strict=True)
    places = [arrays.expand_dims(casts.cast(i, dtypes.int64), 1) for i in counted]
    sizes = [[casts.cast(arrays.shape(i)[0], dtypes.int64)] for i in found]
    indices = joining.concat(places, 1)
    entries = SparseTensor(indices, sp_input.values, joining.concat(sizes, 0))
    return (*(found[::-1] if is_transposed else found), entries)  # type: ignore[return-value]
