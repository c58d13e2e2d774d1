"""Where the names of ``tf.autograph`` come from; added to the table of ``faces_table``.  See ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve

SERVED = """
autograph.converting | autograph contrib.autograph python.autograph python.autograph.impl.api | to_graph to_code
autograph.converting | autograph | set_verbosity trace
autograph.converting | autograph.experimental python.autograph python.autograph.impl.api contrib.autograph |
    do_not_convert
autograph.converting | autograph.experimental python.autograph python.autograph.lang.directives contrib.autograph |
    set_loop_options
autograph.converting | contrib.autograph python.autograph python.autograph.impl.api | convert
autograph.converting | python.autograph python.autograph.impl.api | AutoGraphError ConversionError StagingError
autograph.converting | python.autograph.utils.ag_logging | set_verbosity trace
autograph.options | autograph.experimental python.autograph.core.converter contrib.autograph | Feature
autograph.options | python.autograph python.autograph.core.converter | ConversionOptions
autograph.operators | python.autograph.operators.special_values | Undefined UndefinedReturnValue
"""
serve(SERVED)
HIDDEN.update((f"retrograd.autograph.{_file}", "*") for _file in (
    "builtins", "converting", "finding", "lowering", "operators", "options", "ordering", "reading", "rewriting",
))  # fmt: skip
