"""Where names that few programs use come from; added to the table of ``faces_table``. See ``faces_of_contrib``."""

from faces_of_contrib import EXTRA, RENAMED, serve  # noqa: F401

_LOSSES = "contrib.losses.metric_learning contrib.losses.python.metric_learning"
SERVED = f"""
editing.connecting | contrib.graph_editor contrib.graph_editor.reroute | swap_inputs reroute_inputs swap_outputs
    reroute_outputs swap_ios reroute_ios
editing.connecting | contrib.graph_editor contrib.graph_editor.edit | detach_control_inputs detach_control_outputs
    detach_inputs detach_outputs detach connect bypass
state.copies | contrib.copy_graph contrib.copy_graph.python.util.copy_elements | copy_op_to_graph
    copy_variable_to_graph get_copied_op
nn.contrib.losses | contrib.losses contrib.losses.python.losses contrib.losses.python.losses.loss_ops |
    mean_pairwise_squared_error
nn.contrib.metric_losses | {_LOSSES} {_LOSSES.split()[1]}.metric_loss_ops | contrastive_loss lifted_struct_loss
    npairs_loss npairs_loss_multilabel triplet_semihard_loss
nn.contrib.metric_losses | {_LOSSES.split()[1]}.metric_loss_ops | pairwise_distance masked_maximum masked_minimum
"""
serve(SERVED)
