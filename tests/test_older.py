"""Older estimators and what they stand on, against TensorFlow 1.15.5: ``golden/older.json.gz``."""

import pytest
from golden import older_cases
from recorded_cases import check, golden

GOLDEN = golden("older")
for _record in GOLDEN.values():
    for _node in _record.get("nodes", ()):
        if _node["op"] == "HashTableV2":
            _node["attrs"]["shared_name"] = ""  # TensorFlow's is random


@pytest.mark.parametrize("name", older_cases.CASES)
def test_as_recorded(name):
    check(older_cases, name, GOLDEN[name])
