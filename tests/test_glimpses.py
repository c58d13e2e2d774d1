"""Glimpses whose offsets are not measured from the middle of the image: what TensorFlow 1.15.5 gave."""

import numpy as np
import pytest

from retrograd import tf


@pytest.mark.parametrize(
    ("offset", "want"),
    [
        ([-2, 2], [[0, 0, 0], [0, 0, 0], [0, 0, 0]]),
        ([-1, 2], [[0, 0, 0], [0, 0, 0], [0, 1, 2]]),
        ([0, 3], [[0, 0, 0], [1, 2, 3], [6, 7, 8]]),
        ([3, 3], [[6, 7, 8], [11, 12, 13], [16, 17, 18]]),
    ],
)
def test_an_offset_is_the_middle_of_its_window(offset, want):
    image = np.arange(25, dtype=np.float32).reshape(1, 5, 5, 1)
    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.compat.v2.image.extract_glimpse(
            image, [3, 3], [np.float32(offset)], centered=False, normalized=False, noise="zero"
        )
        assert session.run(y)[0, :, :, 0].tolist() == want
