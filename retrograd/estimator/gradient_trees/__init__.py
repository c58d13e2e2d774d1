"""``tf.contrib.boosted_trees``: models of boosted decision trees."""
