"""``tf.feature_column``: what each feature of an example means to a model, and layers and models made of that."""
