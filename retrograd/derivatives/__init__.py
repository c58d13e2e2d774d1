"""Derivatives that TensorFlow 1 lacks: Jacobians, products with Hessians, gradients per example, recomputation."""
