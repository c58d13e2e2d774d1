"""``tf.contrib.losses``, ``.layers`` and ``slim.nets`` against TensorFlow 1.15.5: ``golden/contrib.json.gz``."""

import pytest
from golden import contrib_cases
from recorded_cases import check, golden

GOLDEN = golden("contrib")


@pytest.mark.parametrize("name", contrib_cases.CASES)
def test_as_recorded(name):
    check(contrib_cases, name, GOLDEN[name], nodes=True)
