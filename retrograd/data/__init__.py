"""``tf.data``: datasets, and iterators over them."""
