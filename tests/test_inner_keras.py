"""What stands behind ``tf.keras`` in TensorFlow's inner modules, against TensorFlow 1.15.5:
``golden/inner_keras.json.gz``."""

import pytest
from golden import inner_keras_cases
from recorded_cases import check, golden

GOLDEN = golden("inner_keras")


@pytest.mark.parametrize("name", inner_keras_cases.CASES)
def test_as_recorded(name):
    check(inner_keras_cases, name, GOLDEN[name], nodes=name.startswith("kernels"))
