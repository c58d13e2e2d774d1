"""TensorFlow 1.15's public names."""
from retrograd.graph.dtypes import *  # noqa
from retrograd.graph.scopes import *  # noqa
from retrograd.graph.stack import default_graph as get_default_graph
from retrograd.graph.graph import Graph
from retrograd.ops.operators import *  # noqa
from retrograd.ops.constants import *
from retrograd.ops.arrays import *
from retrograd.ops.arithmetic import *
from retrograd.ops.comparison import *
from retrograd.ops.reductions import *
from retrograd.ops.matrices import *
from retrograd.grad.gradients import gradients
from retrograd.run.session import Session
from retrograd.state.variables import Variable, global_variables_initializer
__version__ = "1.15.5"
