"""The way out: graphs as functions of JAX, and as files that need neither TensorFlow nor this package."""
