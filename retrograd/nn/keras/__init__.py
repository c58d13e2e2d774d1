"""What Keras finds by name: activations, initializers, regularizers, constraints."""
