"""What models make of the columns of ``tf.contrib.layers``: the input of a deep one, the sums of a linear one.

A linear model adds up, for each column, the weights of an example's ids or the products of its numbers, and a bias.
Source: TensorFlow 1.15.5, ``contrib/layers/python/layers/feature_column_ops.py``: scopes, names, order of nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from retrograd.feature_column import older_columns as columns
from retrograd.feature_column import older_embeddings as embeddings
from retrograd.feature_column import older_numbers as numbers
from retrograd.feature_column.scattered import scattered_embedding_lookup_sparse
from retrograd.graph import dtypes, log, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io.checkpoint_values import init_from_checkpoint
from retrograd.nn.contrib.model_variables import model_variable
from retrograd.nn.contrib.older_layers import _inner_flatten, safe_embedding_lookup_sparse
from retrograd.ops import arrays, joining, sparse, sparse_joining
from retrograd.ops.biases import bias_add
from retrograd.ops.matrices import matmul
from retrograd.ops.parsing import parse_example
from retrograd.ops.sequence_parsing import parse_single_sequence_example
from retrograd.ops.sums import add_n
from retrograd.state.initializers import zeros_initializer
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.scopes import variable_scope


def check_feature_columns(feature_columns: Any) -> None:
    """Raises:
    ValueError: it is a dictionary, or two columns have one key.
    """
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    seen = set()
    for column in feature_columns:
        if column.key in seen:
            raise ValueError(
                f"Duplicate feature column key found for column: {column.name}. This usually means that the column is "
                "almost identical to another column, and one must be discarded."
            )
        seen.add(column.key)


def _by_key(feature_columns: Iterable[Any]) -> list[Any]:
    return sorted(set(feature_columns), key=lambda column: column.key)


def _transform(column: Any, columns_to_tensors: dict[Any, Any]) -> Any:
    log.debug("Transforming feature_column %s", column)
    if column not in columns_to_tensors:
        column.insert_transformed_feature(columns_to_tensors)
    return columns_to_tensors[column]


def _also_global(collections: Any) -> Any:
    """The collections of a variable that is in others than usual too."""
    return list({*collections, GraphKeys.GLOBAL_VARIABLES}) if collections else collections


# -- the input of a deep model -----------------------------------------------------------------


def _of_rank(x: Any, column_name: str, output_rank: int) -> Any:
    rank = x.get_shape().ndims
    if rank is None and isinstance(x, SparseTensor):
        rank = x.dense_shape.get_shape().as_list()[0]
    if rank is None:
        raise ValueError(f"Error while processing column {column_name}. Rank of input Tensor can not be None.")
    if output_rank > rank + 1:
        raise ValueError(f"Error while processing column {column_name}. {columns.rank_error(rank, output_rank)}")
    if output_rank < rank:
        return _inner_flatten(x, output_rank)
    if output_rank == rank:
        return x
    if isinstance(x, SparseTensor):
        return sparse.sparse_reshape(x, joining.concat([x.dense_shape, [1]], 0))
    wider = arrays.expand_dims(x, -1)
    wider.set_shape([*x.get_shape().as_list(), 1])
    return wider


def _input(
    features: dict[Any, Any], feature_columns: Any, weight_collections: Any, trainable: bool, scope: Any,
    output_rank: int, default_name: str, cols_to_outs: Any = None,
) -> Tensor:  # fmt: skip
    features = dict(features)
    check_feature_columns(feature_columns)
    if cols_to_outs is not None and not isinstance(cols_to_outs, dict):
        raise ValueError("cols_to_outs must be a dict unless None")
    outputs = []
    with variable_scope(scope, default_name=default_name, values=list(features.values())):
        weight_collections = _also_global(weight_collections)
        for column in _by_key(feature_columns):
            with variable_scope(None, default_name=column.name, values=list(features.values())):
                outputs.append(_numbers(column, features, weight_collections, trainable, output_rank))
                if cols_to_outs is not None:
                    cols_to_outs[column] = outputs[-1]
        return joining.concat(outputs, output_rank - 1)


def _numbers(column: Any, features: dict[Any, Any], collections: Any, trainable: bool, output_rank: int) -> Tensor:
    transformed = _transform(column, features)
    if output_rank == 3:
        transformed = nest.map_structure(lambda x: _of_rank(x, column.name, output_rank), transformed)
    try:
        lookup = column.deep_lookup(transformed)
    except NotImplementedError as missing:
        try:
            return column.numbers(transformed, output_rank)  # type: ignore[no-any-return]
        except ValueError as error:
            raise ValueError(f"Error creating input layer for column: {column.name}.\n{error}, {missing}") from error
    return embedded(column, lookup, collections, trainable, output_rank)


def input_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, weight_collections: Any = None, trainable: bool = True,
    scope: Any = None, cols_to_outs: Any = None,
) -> Tensor:  # fmt: skip
    """The numbers of all columns side by side, sorted by the columns' keys: ``[batch, width]``.

    Raises:
      ValueError: a column gives no numbers, or two columns have one key.
    """
    return _input(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, 2, "input_from_feature_columns",
        cols_to_outs,
    )  # fmt: skip


def sequence_input_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, weight_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> Tensor:  # fmt: skip
    """The same for the steps of sequences: ``[batch, time, width]``.

    Raises:
      ValueError: a column's kind, or that of a column below it, is not for sequences.
    """
    known = (
        columns._OneHotColumn, embeddings._EmbeddingColumn, numbers._RealValuedColumn, numbers._RealValuedVarLenColumn,
    )  # fmt: skip
    for column in feature_columns:
        if not isinstance(column, known):
            raise ValueError(
                f"FeatureColumn type {type(column).__name__} is not currently supported for sequence data."
            )
    for column in _with_parents(feature_columns):
        if isinstance(
            column, embeddings._ScatteredEmbeddingColumn | numbers._BucketizedColumn | numbers._CrossedColumn
        ):
            raise ValueError(
                f"Column {column.name} is of type {type(column).__name__}, which is not currently supported for "
                "sequences."
            )
    return _input(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, 3,
        "sequence_input_from_feature_columns",
    )  # fmt: skip


def _with_parents(feature_columns: Any) -> list[Any]:
    found = list(feature_columns)
    for column in found:  # grows while it is gone through
        above = [getattr(column, field) for field in ("sparse_id_column", "source_column") if hasattr(column, field)]
        found += [c for c in [*above, *getattr(column, "columns", ())] if c not in found]
    return found


def embedded(column: Any, lookup: columns.DeepLookup, collections: Any, trainable: Any, output_rank: int = 2) -> Tensor:
    """The vectors of an example's categories, combined."""
    ids = _inner_flatten(lookup.input_tensor, output_rank)
    weights = None if lookup.weight_tensor is None else _inner_flatten(lookup.weight_tensor, output_rank)
    made = {
        "dtype": dtypes.float32, "initializer": lookup.initializer, "trainable": trainable and lookup.trainable,
        "collections": collections,
    }  # fmt: skip
    if lookup.hash_key:
        table = model_variable(name="weights", shape=[lookup.vocab_size], **made)
        return scattered_embedding_lookup_sparse(
            table, ids, lookup.dimension, hash_key=lookup.hash_key, combiner=lookup.combiner, name="lookup"
        )
    shape = [lookup.vocab_size, lookup.dimension]
    if lookup.shared_embedding_name is None:
        table = model_variable(name="weights", shape=shape, **made)
    else:
        table = _shared(lookup.shared_embedding_name, shape, made)
    tables = _parts(table)
    _restore(column.checkpoint(), tables)
    return safe_embedding_lookup_sparse(
        tables, ids, sparse_weights=weights, combiner=lookup.combiner, name=f"{column.name}weights",
        max_norm=lookup.max_norm,
    )  # fmt: skip


def _shared(name: str, shape: list[int], made: dict[str, Any]) -> Any:
    collection = f"SHARED_EMBEDDING_COLLECTION_{name.upper()}"
    existing = default_graph().get_collection_ref(collection)
    if not existing:
        table = model_variable(name=name, shape=shape, **made)
        default_graph().add_to_collection(collection, table)
        return table
    if len(existing) > 1:
        raise ValueError(f"Collection {collection} can only contain one (partitioned) variable.")
    if existing[0].get_shape() != shape:
        raise ValueError(
            f"The embedding variable with name {name} already exists, but its shape does not match required embedding "
            "shape here. Please make sure to use different shared_embedding_name for different shared embeddings."
        )
    return existing[0]


def _parts(variable: Any) -> list[Any]:
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


def _restore(checkpoint: Any, variables: list[Any]) -> None:
    if checkpoint is not None:
        path, name = checkpoint
        init_from_checkpoint(path, {name: variables[0] if len(variables) == 1 else variables})


# -- the sums of a linear model ----------------------------------------------------------------


def weighted_sum_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, num_outputs: int, weight_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> tuple[Tensor, dict[Any, Any], Any]:  # fmt: skip
    """(the sums, the variables of each column, the bias).

    Raises:
      ValueError: a column is not for linear models, or two columns have one key.
    """
    features = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    outputs, variables = [], {}
    with variable_scope(scope, default_name="weighted_sum_from_feature_columns", values=list(features.values())):
        for column in _by_key(feature_columns):
            transformed = _transform(column, features)
            try:
                made, summed = _column_sum(column, features, transformed, num_outputs, trainable, weight_collections)
            except ValueError as error:
                raise ValueError(f"Error creating weighted sum for column: {column.name}.\n{error}") from error
            outputs.append(arrays.reshape(summed, shape=(-1, num_outputs)))
            variables[column] = made
            _restore(column.checkpoint(), made)
        summed = add_n(outputs)
        return _with_bias(summed, num_outputs, trainable, weight_collections, variables)


def _column_sum(
    column: Any, features: dict[Any, Any], transformed: Any, num_outputs: int, trainable: bool, collections: Any
) -> tuple[list[Any], Tensor]:
    made: dict[str, Any] = {"trainable": trainable, "collections": collections}
    try:
        lookup = column.linear_lookup(transformed)
    except NotImplementedError:
        with variable_scope(None, default_name=column.name, values=list(features.values())):
            x = _of_rank(column.dense(transformed), column.name, 2)
            shape = [x.get_shape()[1], num_outputs]
            weight = model_variable(name="weight", shape=shape, initializer=zeros_initializer(), **made)
            return [weight], matmul(x, weight, name="matmul")
    with variable_scope(None, default_name=column.name, values=list(features.values())):
        shape = [lookup.vocab_size, num_outputs]
        weights = _parts(
            model_variable(name="weights", shape=shape, dtype=dtypes.float32, initializer=lookup.initializer, **made)
        )
        summed = safe_embedding_lookup_sparse(
            weights, lookup.input_tensor, sparse_weights=lookup.weight_tensor, combiner=lookup.combiner,
            name=f"{column.name}_weights",
        )  # fmt: skip
        return weights, summed


def _with_bias(
    summed: Tensor, num_outputs: int, trainable: bool, collections: Any, variables: Any
) -> tuple[Tensor, Any, Any]:
    bias = model_variable(
        "bias_weight", shape=[num_outputs], initializer=zeros_initializer(), trainable=trainable,
        collections=_also_global(collections),
    )  # fmt: skip
    if not isinstance(bias, PartitionedVariable):
        log.info("Created variable %s, with device=%s", bias.name, bias.device)
    return bias_add(summed, bias), variables, bias


def joint_weighted_sum_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, num_outputs: int, weight_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> tuple[Tensor, Any, Any]:  # fmt: skip
    """The same, with the weights of all columns in one variable.

    Raises:
      NotImplementedError: a column has no categories.
    """
    features = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    values = list(features.values())
    with variable_scope(scope, default_name="joint_weighted_sum_from_feature_columns", values=values):
        lookups = []
        for column in _by_key(feature_columns):
            transformed = _transform(column, features)
            try:
                lookups.append(column.linear_lookup(transformed))
            except NotImplementedError as error:
                raise NotImplementedError(
                    "Real-valued columns are not supported. Use weighted_sum_from_feature_columns instead, or "
                    "bucketize these columns."
                ) from error
        weights, summed = _joint_sum(lookups, list(features.values()), num_outputs, trainable, weight_collections)
        return _with_bias(summed, num_outputs, trainable, weight_collections, weights)


def _joint_sum(
    lookups: list[columns.LinearLookup], features: list[Any], num_outputs: int, trainable: bool, collections: Any
) -> tuple[list[Any], Tensor]:
    use_other = "Please use weighted_sum_from_feature_columns instead."
    for lookup in lookups:
        if lookup.weight_tensor is not None:
            raise AssertionError(f"Joint sums for weighted sparse columns are not supported. {use_other}")
        if lookup.combiner != "sum":
            raise AssertionError(f"Combiners other than sum are not supported for joint sums. {use_other}")
    if not lookups:
        raise AssertionError("At least one column must be in the model.")
    total, moved = 0, []
    for lookup in lookups:
        ids = lookup.input_tensor
        moved.append(SparseTensor(ids.indices, ids.values + total, ids.dense_shape))
        total += lookup.vocab_size
    every = sparse_joining.sparse_concat(1, moved)
    with variable_scope(None, default_name="linear_weights", values=features):
        weights = _parts(
            model_variable(
                name="weights", shape=[total, num_outputs], dtype=dtypes.float32, initializer=zeros_initializer(),
                trainable=trainable, collections=collections,
            )
        )  # fmt: skip
        return weights, safe_embedding_lookup_sparse(
            weights, every, sparse_weights=None, combiner="sum", name="_weights"
        )


# -- parsing and transforming ------------------------------------------------------------------


def parse_feature_columns_from_examples(
    serialized: Any, feature_columns: Any, name: str | None = None, example_names: Any = None
) -> dict[Any, Any]:
    """The features of serialized examples, and what the columns make of them."""
    check_feature_columns(feature_columns)
    spec = columns.create_feature_spec_for_parsing(feature_columns)
    features = parse_example(serialized=serialized, features=spec, name=name, example_names=example_names)
    for column in _by_key(feature_columns):
        _transform(column, features)
    return features


def transform_features(features: Any, feature_columns: Any) -> dict[Any, Any]:
    """What the columns make of features."""
    made = dict(features)
    check_feature_columns(feature_columns)
    for column in _by_key(feature_columns):
        _transform(column, made)
    return {key: value for key, value in made.items() if key in feature_columns}


def parse_feature_columns_from_sequence_examples(
    serialized: Any, context_feature_columns: Any, sequence_feature_columns: Any, name: str | None = None,
    example_name: Any = None,
) -> Any:  # fmt: skip
    """(context, steps) of one serialized sequence example.

    Raises:
      ValueError: there is more than one.
    """
    try:
        serialized = arrays.reshape(serialized, [])
    except ValueError as error:
        raise ValueError(
            "serialized must contain as single sequence example. Batching must be done after parsing for sequence "
            f"examples. Error: {error}"
        ) from error
    check_feature_columns(context_feature_columns or [])
    context = columns.create_feature_spec_for_parsing(context_feature_columns or [])
    check_feature_columns(sequence_feature_columns or [])
    steps = columns.sequence_spec(sequence_feature_columns or [])
    return parse_single_sequence_example(serialized, context, steps, example_name, name)


def infer_real_valued_columns(features: Any) -> list[Any]:
    """A column of numbers for each feature, or of the one that has no name.

    Raises:
      ValueError: a feature is sparse, or has no numbers.
    """
    if not isinstance(features, dict):
        return [_inferred("", features)]
    return [_inferred(key, value) for key, value in features.items()]


def _inferred(name: str, x: Any) -> Any:
    if isinstance(x, SparseTensor):
        raise ValueError(
            "SparseTensor is not supported for auto detection. Please define corresponding FeatureColumn for tensor "
            "{} {}.", name, x,
        )  # fmt: skip
    if not (x.dtype.is_integer or x.dtype.is_floating):
        raise ValueError(
            "Non integer or non floating types are not supported for auto detection. Please define corresponding "
            "FeatureColumn for tensor {} {}.", name, x,
        )  # fmt: skip
    dimension = 1
    for size in x.get_shape().as_list()[1:]:
        dimension *= size
    return numbers.real_valued_column(name, dimension=dimension, dtype=x.dtype)
