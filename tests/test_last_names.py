"""Names that one program in thousands imports, against TensorFlow 1.15.5: ``golden/last_name.json.gz``."""

import pytest
from golden import last_name_cases
from recorded_cases import check, golden

GOLDEN = golden("last_name")


@pytest.mark.parametrize("name", last_name_cases.CASES)
def test_as_recorded(name):
    check(last_name_cases, name, GOLDEN[name], nodes=False)
