"""``tf.keras`` against TensorFlow 1.15.5: ``golden/keras.json.gz``."""

import pytest
from golden import keras_cases
from recorded_cases import check, golden

GOLDEN = golden("keras")


@pytest.mark.parametrize("name", keras_cases.CASES)
def test_as_recorded(name):
    check(keras_cases, name, GOLDEN[name], nodes=name.startswith(("layers", "models")))
