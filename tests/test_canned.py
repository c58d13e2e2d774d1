"""Ready models of sequences, and linear ones trained by coordinate ascent: all held to recordings."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest
from golden import canned_cases
from recorded_cases import golden

from retrograd import tf

WANT = golden("canned")


@pytest.fixture(scope="module")
def got(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with warnings.catch_warnings(), tf.Graph().as_default():
        warnings.simplefilter("ignore")  # deprecations, as in TensorFlow
        found = canned_cases.outcome(tf, str(tmp_path_factory.mktemp("canned")))
    tf.summary.FileWriterCache.clear()
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("model", sorted(name for name in WANT if not name.startswith("errors")))
def test_trainings_as_recorded(got: Any, model: str) -> None:
    for what, theirs in WANT[model].items():
        assert got[model][what].keys() == theirs.keys()
        for name, value in theirs.items():
            np.testing.assert_allclose(got[model][what][name], value, rtol=1e-4, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("which", ["errors", "errors of ascent"])
def test_errors_as_recorded(got: Any, which: str) -> None:
    assert got[which] == WANT[which]
