"""``tf.image``: what is composed from ops on images ``[batch, height, width, channels]``, or without a batch."""
