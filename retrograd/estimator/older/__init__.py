"""``tf.contrib.learn``'s ready models: heads on logits, deep and linear models on the first feature columns."""
