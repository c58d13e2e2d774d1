"""The outermost names against TensorFlow 1.15.5: ``golden/outlying.json.gz``."""

import pytest
from golden import outlying_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("outlying")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", outlying_cases.CASES)
def test_as_recorded(name):
    check(outlying_cases, name, GOLDEN[name])
