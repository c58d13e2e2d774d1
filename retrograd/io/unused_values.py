"""What a checkpoint holds that no object has taken, and what is said of it when nobody can take it any more."""

from __future__ import annotations

from typing import Any

from retrograd.graph import log

_ADVICE = (
    "A checkpoint was restored (e.g. tf.train.Checkpoint.restore or tf.keras.Model.load_weights) but not all "
    "checkpointed values were used. See above for specific issues. Use expect_partial() on the load status object, "
    "e.g. tf.train.Checkpoint.restore(...).expect_partial(), to silence these warnings, or use assert_consumed() to "
    "make the check explicit. See https://www.tensorflow.org/alpha/guide/checkpoints#loading_mechanics for details."
)


class UnusedValues:
    """The values of a restored checkpoint that are left over; they are logged when the last who could use them ends."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.is_expected = False

    def __del__(self) -> None:
        if self.lines and not self.is_expected:
            for line in (*self.lines, _ADVICE):
                log.warning(line)


def names_of(nodes: Any) -> dict[int, str]:
    """How the root of a checkpoint leads to each of its objects."""
    names, waiting = {0: "(root)"}, [0]
    while waiting:
        at = waiting.pop(0)
        for child in nodes[at].children:
            if child.node_id not in names:
                names[child.node_id] = f"{names[at]}.{child.local_name}"
                waiting.append(child.node_id)
    for number, optimizer in list(names.items()):
        for row in nodes[number].slot_variables:
            of = names.get(row.original_variable_node_id)
            names.setdefault(row.slot_variable_node_id, f"{optimizer}'s state '{row.slot_name}' for {of}")
    return names
