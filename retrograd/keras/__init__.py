"""``tf.keras``: networks of layers, their losses and metrics, and how they are trained."""
