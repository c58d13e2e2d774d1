"""Wrapped cells of ``tf.compat.v2.nn``, held to a recording."""

import json

import numpy as np
import pytest
from golden import cell_wrapper_cases
from recorded_cases import golden

from retrograd import tf

WANT = golden("cell_wrappers")


@pytest.fixture(scope="module")
def got():
    return json.loads(json.dumps(cell_wrapper_cases.outcome(tf)))


@pytest.mark.parametrize("case", sorted(WANT))
def test_wrapped_cells_as_recorded(got, case):
    ours, theirs = got[case], WANT[case]
    if case == "errors":
        assert ours == theirs
        return
    for mine, want in zip(ours.pop("values"), theirs["values"], strict=True):
        np.testing.assert_allclose(mine, want, rtol=1e-5, atol=1e-6)
    assert ours == {k: v for k, v in theirs.items() if k != "values"}


def test_named_functions_come_back_from_configurations():
    cell = tf.compat.v2.nn.RNNCellDropoutWrapper(
        tf.keras.layers.GRUCell(2), dropout_state_filter_visitor=lambda state: False
    )
    again = type(cell).from_config(cell.get_config())
    assert again.get_config()["dropout_fn_type"] == "lambda"
    assert again._dropout_state_filter(1) is False
