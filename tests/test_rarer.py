"""Names that few programs use against TensorFlow 1.15.5: ``golden/rarer.json.gz``."""

import pytest
from golden import rarer_cases
from recorded_cases import check, golden

GOLDEN = golden("rarer")


@pytest.mark.parametrize("name", rarer_cases.CASES)
def test_as_recorded(name):
    has_roots_of_matrices = name == "dense_0_2"  # whose last digits are the processor's
    check(rarer_cases, name, GOLDEN[name], amplified=5 if has_roots_of_matrices else 1)
