"""The names of ``tensorflow.python.framework.function``."""

from retrograd.faces import missing
from retrograd.graph.functions import (
    FunctionGraph as _FuncGraph,
)
from retrograd.graph.functions import (
    get_extra_args,
    get_extra_inputs,
    get_extra_vars,
)
from retrograd.state.defun import (
    Defun,
    _DefinedFunction,
    _from_definition,
    _OverloadedFunction,
    from_library,
    func_graph_from_py_func,
)
from retrograd.state.defun import (
    _letters_of as _type_list_to_str,
)

__getattr__ = missing(__name__)
