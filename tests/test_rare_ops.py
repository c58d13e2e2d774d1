"""Ops that only graphs in files hold, against what TensorFlow gives: ``golden/rare_op.json.gz``."""

import pytest
from golden import rare_op_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("rare_op")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", rare_op_cases.CASES)
def test_as_recorded(name):
    check(rare_op_cases, name, GOLDEN[name], nodes=False)
