"""Variables, and the scopes and initializers that programs make them with."""
