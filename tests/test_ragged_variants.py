"""Ragged tensors as variants and back, as TensorFlow 1.15.5's ``RaggedTensor._to_variant`` has them."""

import pytest

from retrograd import tf


def test_variants_come_back_as_they_were():
    with tf.Graph().as_default(), tf.Session() as sess:
        rows = tf.ragged.constant([[[1], [2, 3]], [[4]]])
        one, each = rows._to_variant(), rows._to_variant(batched_input=True)
        assert (one.shape.ndims, each.shape.ndims) == (0, 1)
        back = tf.RaggedTensor._from_variant(one, tf.int32, output_ragged_rank=2)
        joined = tf.RaggedTensor._from_variant(each, tf.int32, output_ragged_rank=2, input_ragged_rank=1)
        stacked = tf.RaggedTensor._from_variant(tf.stack([one, one]), tf.int32, output_ragged_rank=3)
        assert [x.to_list() for x in sess.run([back, joined])] == [[[[1], [2, 3]], [[4]]]] * 2
        assert sess.run(stacked).to_list() == [[[[1], [2, 3]], [[4]]]] * 2
        with pytest.raises(ValueError, match="output_ragged_rank must be equal to input_ragged_rank"):
            tf.RaggedTensor._from_variant(one, tf.int32, output_ragged_rank=1, input_ragged_rank=2)
