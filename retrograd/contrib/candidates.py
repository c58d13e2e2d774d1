"""Which of several models of a constrained problem is best: one of them, or a distribution over them.

Source: Cotter, Jiang and Sridharan, "Two-player games for efficient non-convex constrained optimization", 2018: lemma 3
and section 5.2.  SciPy is imported when they are called.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def _check_shapes(objective_vector: Any, constraints_matrix: Any) -> None:
    if np.shape(objective_vector) != np.shape(constraints_matrix)[1:] or np.ndim(constraints_matrix) != 2:
        raise ValueError(
            "objective_vector must have shape (n,), and constraints_matrix (m, n), where n is the number of "
            "candidates, and m is the number of constraints"
        )


def _best_within(objective: Any, constraints: Any, violation: float) -> Any:
    """The weights of the candidates with the least objective, each constraint at most at ``violation``; or None."""
    from scipy.optimize import linprog

    m, n = np.shape(constraints)
    found = linprog(
        objective, A_ub=constraints, b_ub=np.full(m, violation), A_eq=np.ones((1, n)), b_eq=np.ones(1), bounds=(0, None)
    )
    return found.x if found.success else None


def find_best_candidate_distribution(objective_vector: Any, constraints_matrix: Any, epsilon: float = 0.0) -> Any:
    """The distribution over candidates with the least mean objective among those that violate the constraints least.

    Args:
      objective_vector: the objective of each of n candidates.
      constraints_matrix: m constraints of each, a matrix of m rows and n columns.
      epsilon: how exactly the least violation is searched for.

    Returns:
      n probabilities, of which at most m + 1 are not 0.

    Raises:
      ValueError: shapes that do not fit, or a negative ``epsilon``.
    """
    if epsilon < 0.0:
        raise ValueError("epsilon must be nonnegative")
    _check_shapes(objective_vector, constraints_matrix)
    best = _best_within(objective_vector, constraints_matrix, 0.0)
    if best is not None:
        return best
    low, high = 0.0, float(np.min(np.max(constraints_matrix, axis=0)))  # what one candidate alone attains
    best = _best_within(objective_vector, constraints_matrix, high)
    while low + epsilon < (middle := 0.5 * (low + high)) < high - epsilon:
        found = _best_within(objective_vector, constraints_matrix, middle)
        if found is None:
            low = middle
        else:
            best, high = found, middle
    return best


def find_best_candidate_index(objective_vector: Any, constraints_matrix: Any, rank_objectives: bool = False) -> int:
    """The candidate whose worst rank, over the violations of each constraint, is best; of these, the least objective.

    Args:
      objective_vector: the objective of each of n candidates.
      constraints_matrix: m constraints of each, a matrix of m rows and n columns.
      rank_objectives: whether the objective is ranked, too.

    Raises:
      ValueError: shapes that do not fit.
    """
    from scipy.stats import rankdata

    _check_shapes(objective_vector, constraints_matrix)
    ranked = [np.maximum(0.0, row) for row in np.asarray(constraints_matrix)]
    ranked += [np.asarray(objective_vector)] if rank_objectives else []
    worst = np.max([rankdata(values, method="min") for values in ranked], axis=0) if ranked else np.zeros(1)
    objectives = np.where(worst == worst.min(), objective_vector, np.inf)
    return int(np.flatnonzero(objectives == objectives.min())[-1])
