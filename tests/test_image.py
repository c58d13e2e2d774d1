"""``tf.image`` against TensorFlow 1.15.5: ``golden/image.json.gz``."""

import pytest
from golden import image_cases
from recorded_cases import check, golden

GOLDEN = golden("image")


@pytest.mark.parametrize("name", image_cases.CASES)
def test_as_recorded(name):
    check(image_cases, name, GOLDEN[name])
