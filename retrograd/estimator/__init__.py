"""``tf.estimator``: a model as a function, trained, evaluated, run and exported from checkpoints in a folder."""
