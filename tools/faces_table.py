"""What names alone cannot say, filled in by ``table_of_...`` and ``faces_of_...``; read by write_faces.py."""


def words(text: str) -> list[str]:
    """The names in a text."""
    return text.split()


# (module or "*", TensorFlow's name): "module of a part:its name", the same name if there is none, or "" for nothing
RENAMED: dict[tuple[str, str], str] = {}
# (module of a part, name or "*"): definitions that only share a name with TensorFlow's
HIDDEN: set[tuple[str, str]] = set()
# module: {name: the module that holds it}, imported at first use
LAZY: dict[str, dict[str, str]] = {}
# module: lines of its own
EXTRA: dict[str, str] = {}
# modules that are there to be imported, whatever they hold
EMPTY: list[str] = []
# modules beside the generated ones in which every op is a bare function
WITH_RAW_OPS = {
    "python.ops.gen_rnn_ops",
    "raw_ops",
    "python.ops.nn",
    "python.training.training_ops",
    "python.framework.test_ops",
    *(f"python.ops.{topic}_ops" for topic in ("array", "math", "nn", "resource_variable", "state")),
}
# packages that are written by hand
HAND: set[str] = set()

G, T, PB = "retrograd.graph.", "retrograd.testing.", "tensorboard.compat.proto."
