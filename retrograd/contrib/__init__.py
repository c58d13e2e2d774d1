"""What stands on all else under ``tf.contrib``: training loops, evaluation, data sets of files, networks of a kind."""
