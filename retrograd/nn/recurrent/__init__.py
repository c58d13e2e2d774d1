"""Cells of ``tf.contrib.rnn``, what wraps and stacks them, and fields over their outputs."""
