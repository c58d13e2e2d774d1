"""Networks of ``slim.nets``."""
