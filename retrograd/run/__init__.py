"""Execution: plans, the interpreter, sessions, and what a session keeps between runs."""
