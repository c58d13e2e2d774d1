"""Probability distributions and bijectors."""
