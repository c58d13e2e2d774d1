"""What a distribution says of its shapes."""

from typing import Any

from retrograd import tf


def test_distributions_may_answer_whether_they_are_scalar() -> None:
    """TensorFlow asks a method that programs replace where a shape is a structure of shapes."""

    class Pair(tf.distributions.Normal):
        def _is_scalar_helper(self, static_shape: Any, dynamic_shape_fn: Any) -> bool:
            return False

    with tf.Graph().as_default(), tf.Session() as session:
        kinds = (tf.distributions.Normal, Pair)
        assert session.run([kind(0.0, 1.0).is_scalar_event() for kind in kinds]) == [True, False]
        assert session.run([kind(0.0, 1.0).is_scalar_batch() for kind in kinds]) == [True, False]
