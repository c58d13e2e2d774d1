"""Names that the variables of recurrent cells had before TensorFlow 1.2, and checkpoints that hold them."""

from __future__ import annotations

from typing import Any

from retrograd.graph import log
from retrograd.graph.graph import Graph
from retrograd.io.checkpoint_values import NewCheckpointReader
from retrograd.io.saver import Saver
from retrograd.run.session import Session
from retrograd.state.initialization import global_variables_initializer
from retrograd.state.variables import Variable

# fmt: off
_OF_WEIGHTS_AND_BIASES = [
    "basic_rnn_cell", "gru_cell", "gru_cell/gates", "gru_cell/candidate", "basic_lstm_cell", "lstm_cell",
    "lstm_cell/projection", "output_projection_wrapper", "input_projection_wrapper", "lstm_block_wrapper",
    "layer_norm_basic_lstm_cell", "ugrnn_cell", "nas_rnn", "intersection_rnn_cell",
    "intersection_rnn_cell/in_projection", "phased_lstm_cell/mask_gates", "phased_lstm_cell/new_input",
    "phased_lstm_cell/output_gate", "attention_cell_wrapper", "attention_cell_wrapper/attn_output_projection",
    "attention_cell_wrapper/attention", "attention_decoder", "attention_decoder/Attention_0",
    "attention_decoder/AttnOutputProjection",
]
# fmt: on
_OF_MATRIX_AND_BIAS = ["attention_decoder/Attention_0", "attention_decoder/AttnOutputProjection", "attention_decoder"]


def _replacements() -> dict[str, str]:
    """Old name to new: the first one that stands in a variable's name is replaced there."""
    found = {}
    for scope in _OF_WEIGHTS_AND_BIASES:
        found[f"{scope}/weights"] = f"{scope}/kernel"
        if scope == "nas_rnn":
            found["nas_rnn/recurrent_weights"] = "nas_rnn/recurrent_kernel"
        else:
            found[f"{scope}/biases"] = f"{scope}/bias"
    for scope in _OF_MATRIX_AND_BIAS:
        if scope == "attention_decoder":
            found["attention_decoder/LSTMCell/B"] = "attention_decoder/lstm_cell/bias"
            found["attention_decoder/LSTMCell/W_0"] = "attention_decoder/lstm_cell/kernel"
        found[f"{scope}/Linear/Bias"] = f"{scope}/bias"
        found[f"{scope}/Linear/Matrix"] = f"{scope}/kernel"
    return found


RNN_NAME_REPLACEMENTS = _replacements()


def _renamed(name: str) -> str:
    for old, new in RNN_NAME_REPLACEMENTS.items():
        if old in name:
            return name.replace(old, new)
    return name


def convert_names(
    checkpoint_from_path: str, checkpoint_to_path: str, write_v1_checkpoint: bool = False
) -> tuple[dict[str, Any], dict[str, str]]:
    """A checkpoint of recurrent cells from before TensorFlow 1.2, written again under the names of today.

    Args:
      checkpoint_from_path, checkpoint_to_path: prefixes of the checkpoints that are read and written.
      write_v1_checkpoint: write the format of one file?

    Returns:
      The variables of the new checkpoint by name; the new names of those that changed by their old ones.
    """
    reader = NewCheckpointReader(checkpoint_from_path)
    variables: dict[str, Any] = {}
    converted: dict[str, str] = {}
    with Graph().as_default():
        for name in reader.get_variable_to_shape_map():
            new = _renamed(name)
            variables[new] = Variable(reader.get_tensor(name), name=name)
            if new != name:
                log.info("Converted: %s --> %s", name, new)
                converted[name] = new
        saver = Saver(variables, write_version=1 if write_v1_checkpoint else 2)
        with Session() as sess:
            sess.run(global_variables_initializer())
            saver.save(sess, checkpoint_to_path)
    return variables, converted
