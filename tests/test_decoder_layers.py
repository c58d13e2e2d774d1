"""Decoders that are layers, against TensorFlow 1.15.5: ``golden/decoding.json.gz``."""

import pytest
from golden import decoding_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("decoding")


@pytest.mark.parametrize("name", decoding_cases.CASES)
def test_as_recorded(name):
    with tf.Graph().as_default():
        check(decoding_cases, name, GOLDEN[name], nodes=False, amplified=10)
