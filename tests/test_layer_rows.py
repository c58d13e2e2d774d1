"""Layers, cells, losses and metrics: their values, variables and gradients as recorded from TensorFlow 1.15.5."""

from __future__ import annotations

import inspect
from fnmatch import fnmatch
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from layer_rows import ROWS
from layer_table import LayerRow, Runs, mark_of, measured
from layers_without_rows import WITHOUT
from recorded_cases import golden
from test_public import is_inner, public

from retrograd import tf

RECORD = golden("layer_rows")
MODULES = """
    compat.v2.keras.layers compat.v2.keras.losses compat.v2.keras.metrics contrib.crf contrib.cudnn_rnn
    contrib.eager.metrics contrib.grid_rnn contrib.kernel_methods contrib.layers contrib.legacy_seq2seq contrib.losses
    contrib.losses.metric_learning contrib.metrics contrib.model_pruning contrib.rnn contrib.seq2seq contrib.slim
    contrib.sparsemax keras.layers keras.losses keras.metrics layers losses metrics nn.rnn_cell
"""
FUNCTIONS = ["nn.*rnn", *(f"{module}.*" for module in MODULES.split())]
BASES = (
    tf.contrib.eager.metrics.Metric,
    tf.contrib.rnn.FusedRNNCell,
    tf.contrib.seq2seq.AttentionMechanism,
    tf.contrib.seq2seq.Decoder,
    tf.contrib.seq2seq.Helper,
    tf.keras.layers.Layer,
    tf.keras.losses.Loss,
)


def surface() -> dict[Any, list[str]]:
    """Of each public layer, cell, loss, metric, or function about them, the names."""
    found: dict[Any, list[str]] = {}
    for path, name, _, value in public():
        full = f"{path}.{name}".lstrip(".")
        if is_inner(path, name) or not is_about_layers(full, value):
            continue
        found.setdefault(mark_of(value), []).append(full)
    return found


def is_about_layers(full: str, value: Any) -> bool:
    if inspect.isclass(value):
        return issubclass(value, BASES)
    is_function = isinstance(value, FunctionType | partial)
    of = [full, full.removeprefix("compat.v1.")]
    return is_function and any(fnmatch(n, p) and n.count(".") == p.count(".") for n in of for p in FUNCTIONS)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_as_recorded(row: LayerRow) -> None:
    mine, theirs = measured(row), RECORD[str(row)]
    for what in ("variables", "outputs", "collections", "layers"):
        assert mine[what] == theirs[what], what
    for what in ("values", "slopes"):
        close(mine[what], theirs[what], row, what)


def close(mine: Any, theirs: Any, row: LayerRow, where: str) -> None:
    """Lists of arrays, each its shape and numbers, or None where no gradient flows."""
    if isinstance(theirs, list) and not (len(theirs) == 2 and is_shape(theirs[0])):
        assert len(mine) == len(theirs), where
        for i, (ours, recorded) in enumerate(zip(mine, theirs, strict=True)):
            close(ours, recorded, row, f"{where} {i}")
    elif theirs is None or mine is None:
        assert mine is theirs, where
    else:
        assert mine[0] == theirs[0], where
        np.testing.assert_allclose(mine[1], theirs[1], rtol=row.rounding, atol=row.rounding, err_msg=where)


def is_shape(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(n, int) for n in value)


def test_every_row_has_a_name_of_its_own_and_a_record() -> None:
    assert sorted(map(str, ROWS)) == sorted(RECORD)


@pytest.mark.filterwarnings("ignore")
def test_every_layer_cell_loss_and_metric_is_run_by_a_row() -> None:
    """What none runs has a reason, and no reason is given for what is run under every name."""
    names = surface()
    runs = Runs({m for m in names if not inspect.isclass(m)}, {m for m in names if inspect.isclass(m)})
    for row in ROWS:
        with tf.Graph().as_default():
            xs = [tf.placeholder(np.asarray(a).dtype, np.shape(a)) for a in row.inputs]
            with runs.watching():
                row.build(*xs)
    patterns = [pattern for listed in WITHOUT.values() for pattern in listed.split()]
    excused = {mark: any(fnmatch(n, p) for n in group for p in patterns) for mark, group in names.items()}
    assert not sorted(min(group) for mark, group in names.items() if mark not in runs.seen and not excused[mark])
    useless = [p for p in patterns if not any(fnmatch(n, p) for m, g in names.items() if m not in runs.seen for n in g)]
    assert not useless
