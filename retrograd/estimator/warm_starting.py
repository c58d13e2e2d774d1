"""``tf.train.warm_start``: variables that begin with the values of a checkpoint, their rows moved to a new vocabulary.

Source: TensorFlow 1.15.5, ``training/warm_starting_util.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.estimator.remapping import load_and_remap_matrix_initializer
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import convert_to_tensor
from retrograd.graph.scopes import get_collection
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.checkpoint_values import init_from_checkpoint, load_checkpoint
from retrograd.io.object_graphs import object_graph_of
from retrograd.io.saveables import op_list_to_dict
from retrograd.ops import state
from retrograd.state.partitioned import PartitionedVariable, PartitionInfo
from retrograd.state.variables import VariableV2


class _Vocab(NamedTuple):
    new_vocab: str
    new_vocab_size: int
    num_oov_buckets: int
    old_vocab: str
    old_vocab_size: int
    backup_initializer: Any
    axis: int


class VocabInfo(_Vocab):
    """How the rows (``axis=0``) or columns of a variable move from an old vocabulary to a new one.

    Args:
      new_vocab, old_vocab: files with a word a line.
      new_vocab_size, old_vocab_size: how many of their words count; -1 for all of the old.
      num_oov_buckets: how many rows follow for unknown words.
      backup_initializer: for words that the old vocabulary lacks; zeros by default.
    """

    __slots__ = ()

    def __new__(
        cls,
        new_vocab: str,
        new_vocab_size: int,
        num_oov_buckets: int,
        old_vocab: str,
        old_vocab_size: int = -1,
        backup_initializer: Any = None,
        axis: int = 0,
    ) -> VocabInfo:
        if axis not in (0, 1):
            raise ValueError(f"The only supported values for the axis argument are 0 and 1.  Provided axis: {axis}")
        return super().__new__(
            cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size, backup_initializer, axis
        )


def warm_start(
    ckpt_to_initialize_from: Any,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: Any = None,
    var_name_to_prev_var_name: Any = None,
) -> None:
    """Let variables begin with the values of a checkpoint.

    Args:
      ckpt_to_initialize_from: the checkpoint, or the folder of one.
      vars_to_warm_start: a pattern of names of trainable variables, a list of patterns of names of any, a list of
        variables, or None for those of ``var_name_to_vocab_info`` alone.
      var_name_to_vocab_info: names to ``VocabInfo``.
      var_name_to_prev_var_name: names to names in the checkpoint, where they differ.

    Raises:
      ValueError: a name of the dictionaries is of no such variable, or the checkpoint lacks one.
    """
    log.info("Warm-starting from: %s", ckpt_to_initialize_from)
    grouped = _get_grouped_variables(vars_to_warm_start)
    vocabularies = var_name_to_vocab_info or {}
    old_names = var_name_to_prev_var_name or _get_object_checkpoint_renames(ckpt_to_initialize_from, grouped)
    plain: dict[str, Any] = {}
    count = 0
    for name, parts in grouped.items():
        old_name = old_names.get(name)
        vocabulary = vocabularies.get(name)
        if vocabulary:
            count += 1
            log.debug(
                "Warm-starting variable: %s; current_vocab: %s current_vocab_size: %s prev_vocab: %s prev_vocab_size: "
                "%s current_oov: %s prev_tensor: %s initializer: %s",
                name, vocabulary.new_vocab, vocabulary.new_vocab_size, vocabulary.old_vocab,
                vocabulary.old_vocab_size if vocabulary.old_vocab_size > 0 else "All", vocabulary.num_oov_buckets,
                old_name or "Unchanged", vocabulary.backup_initializer or "zero-initialized",
            )  # fmt: skip
            _warm_start_var_with_vocab(
                parts,
                current_vocab_path=vocabulary.new_vocab,
                current_vocab_size=vocabulary.new_vocab_size,
                prev_ckpt=ckpt_to_initialize_from,
                prev_vocab_path=vocabulary.old_vocab,
                previous_vocab_size=vocabulary.old_vocab_size,
                current_oov_buckets=vocabulary.num_oov_buckets,
                prev_tensor_name=old_name,
                initializer=vocabulary.backup_initializer,
                axis=vocabulary.axis,
            )
        elif vars_to_warm_start:
            count += 1
            log.debug("Warm-starting variable: %s; prev_var_name: %s", name, old_name or "Unchanged")
            saved, variable = _get_var_info(parts[0] if len(parts) == 1 else parts, old_name)
            plain[saved] = variable
    init_from_checkpoint(ckpt_to_initialize_from, plain)
    log.info("Warm-started %d variables.", count)
    for names, argument in ((old_names, "var_name_to_prev_var_name"), (vocabularies, "var_name_to_vocab_info")):
        unused = set(names) - set(grouped)
        if unused:
            raise ValueError(
                f"You provided the following variables in {argument} that were not used: {unused}.  Perhaps you "
                f"misspelled them?  Here is the list of viable variable names: {grouped.keys()}"
            )


def _is_variable(x: Any) -> bool:
    return isinstance(x, VariableV2)


def _infer_var_name(var: Any) -> str:
    """The one name under which variables are saved."""
    names = op_list_to_dict(var)
    if len(names) > 1:
        raise TypeError(f"`var` = {var} passed as arg violates the constraints.  name_to_var_dict = {names}")
    return str(next(iter(names)))


def _parts(var: Any) -> list[Any]:
    """The parts of a variable."""
    if _is_variable(var):
        return [var]
    if isinstance(var, list) and all(map(_is_variable, var)):
        return var
    if isinstance(var, PartitionedVariable):
        return list(var._get_variable_list())
    raise TypeError(
        f"var MUST be one of the following: a Variable, list of Variable or PartitionedVariable, but is {type(var)}"
    )


def _get_var_info(var: Any, prev_tensor_name: str | None = None) -> tuple[str, Any]:
    """The name of a variable in the checkpoint, and the variable, or a list of its parts."""
    parts = _parts(var)
    name = _infer_var_name(var if isinstance(var, list) else [var])
    return prev_tensor_name or name, var if _is_variable(var) else parts


def _get_grouped_variables(vars_to_warm_start: Any) -> dict[str, list[Any]]:
    """The wanted variables by the names under which they are saved, parts of one together."""
    if isinstance(vars_to_warm_start, str) or vars_to_warm_start is None:
        log.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        wanted = get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=vars_to_warm_start)
    elif not isinstance(vars_to_warm_start, list):
        raise ValueError(f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(vars_to_warm_start)}")
    elif all(isinstance(v, str) for v in vars_to_warm_start):
        wanted = [v for p in vars_to_warm_start for v in get_collection(GraphKeys.GLOBAL_VARIABLES, scope=p)]
    elif all(map(_is_variable, vars_to_warm_start)):
        wanted = vars_to_warm_start
    else:
        raise ValueError(
            "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given types are "
            f"{[type(v) for v in vars_to_warm_start]}"
        )
    grouped: dict[str, list[Any]] = {}
    for v in wanted:
        grouped.setdefault(_infer_var_name(v if isinstance(v, list) else [v]), []).append(v)
    return grouped


def _get_object_checkpoint_renames(path: Any, variable_names: Any) -> dict[str, str]:
    """Names to the keys of a checkpoint of objects; none for one of names.

    Raises:
      ValueError: a variable is not in it.
    """
    graph = object_graph_of(load_checkpoint(path), path)
    if graph is None:
        return {}
    keys = {attribute.full_name: attribute.checkpoint_key for node in graph.nodes for attribute in node.attributes}
    missing = set(variable_names) - set(keys)
    if missing:
        raise ValueError(
            "Attempting to warm-start from an object-based checkpoint, but found that the checkpoint did not contain "
            f"values for all variables. The following variables were missing: {missing}"
        )
    return {name: keys[name] for name in variable_names}


def _warm_start_var_with_vocab(
    var: Any,
    current_vocab_path: str,
    current_vocab_size: int,
    prev_ckpt: Any,
    prev_vocab_path: str,
    previous_vocab_size: int = -1,
    current_oov_buckets: int = 0,
    prev_tensor_name: str | None = None,
    initializer: Any = None,
    axis: int = 0,
) -> None:
    """Let each part of a variable begin with the old rows or columns of its words."""
    if not (current_vocab_path and current_vocab_size and prev_ckpt and prev_vocab_path):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, prev_vocab_path}."
        )
    parts = _parts(var)
    old_name = prev_tensor_name or _infer_var_name(parts)
    rows = sum(part.get_shape().as_list()[0] for part in parts)
    for part in parts:
        shape = part.get_shape().as_list()
        info = part._get_save_slice_info()
        words = {
            "new_row_vocab_size": current_vocab_size,
            "new_col_vocab_size": shape[1],
            "old_row_vocab_size": previous_vocab_size,
            "old_row_vocab_file": prev_vocab_path,
            "new_row_vocab_file": current_vocab_path,
            "num_row_oov_buckets": current_oov_buckets,
        }
        if axis == 1:
            words = {
                "new_row_vocab_size": rows,
                "new_col_vocab_size": current_vocab_size,
                "old_col_vocab_file": prev_vocab_path,
                "new_col_vocab_file": current_vocab_path,
                "num_col_oov_buckets": current_oov_buckets,
            }
        elif axis != 0:
            raise ValueError(f"The only supported values for the axis argument are 0 and 1.  Provided axis: {axis}")
        begin = load_and_remap_matrix_initializer(
            ckpt_path=latest_checkpoint(prev_ckpt) or prev_ckpt,
            old_tensor_name=old_name,
            initializer=initializer,
            **words,
        )
        place = PartitionInfo(full_shape=info.full_shape, var_offset=info.var_offset) if info else None
        value = convert_to_tensor(begin(shape=shape, partition_info=place))
        part._initializer_op = state.assign(part, value)
