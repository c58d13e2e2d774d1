"""Estimators made of SavedModels, against what TensorFlow gives: ``golden/served_estimator.json``."""

import json
from pathlib import Path

import numpy as np
from golden import served_estimator_cases

from retrograd import tf


def test_as_recorded(tmp_path):
    want = json.loads((Path(__file__).parent / "golden" / "served_estimator.json").read_text())
    found = served_estimator_cases.outcome(tf, np, str(tmp_path))
    assert json.loads(json.dumps(found), parse_float=lambda x: round(float(x), 5)) == json.loads(
        json.dumps(want), parse_float=lambda x: round(float(x), 5)
    )
