"""Reads of variables, and numbers drawn at random; test_cases.py has more of their derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, between, normal

from retrograd import tf
from retrograd.tf import raw_ops


def variable(x: Any) -> Any:
    handle = raw_ops.VarHandleOp(dtype=x.dtype, shape=x.shape)
    with tf.control_dependencies([raw_ops.AssignVariableOp(handle, x)]):
        return tf.identity(handle)


def read(x: Any) -> Any:
    return raw_ops.ReadVariableOp(variable(x), tf.float64)


def rows(x: Any) -> Any:
    return raw_ops.ResourceGather(variable(x), [2, 0, 2], tf.float64)


def elements(x: Any) -> Any:
    return raw_ops.ResourceGatherNd(variable(x), [[2, 0], [1, 1]], tf.float64)


def before_assignment(x: Any, use_resource: bool = False) -> Any:
    return tf.Variable(x, use_resource=use_resource).initialized_value()


X = (normal(3, 2),)
SHAPE = (np.array([2, 3], np.int32),)
SEED = (np.array([3, 5]),)


def state(op: str, build: Any, inputs: Any = X, **more: Any) -> Row:
    """What is held or drawn is not a function of the inputs."""
    return Row(op, build, inputs, orders=0, traced=False, **more)


ROWS = [
    state("ReadVariableOp", read, also=("VarHandleOp", "AssignVariableOp")),
    state("ResourceGather", rows),
    state("ResourceGatherNd", elements),
    Row("Merge", before_assignment, X, shapes=False, traced=False, label="of what a variable begins with"),
    Row("Merge", lambda x: before_assignment(x, True), X, shapes=False, traced=False, label="of what a resource holds"),
    state("VariableShape", lambda x: raw_ops.VariableShape(variable(x))),
    state("VarIsInitializedOp", lambda x: raw_ops.VarIsInitializedOp(variable(x))),
    state("RandomUniform", lambda n: tf.random_uniform(n, dtype=tf.float64), SHAPE),
    state("RandomStandardNormal", lambda n: tf.random_normal(n, dtype=tf.float64), SHAPE),
    state("TruncatedNormal", lambda n: tf.truncated_normal(n), SHAPE),
    state("RandomUniformInt", lambda n: tf.random_uniform(n, 0, 9, tf.int32), SHAPE),
    state("RandomShuffle", tf.random_shuffle),
    state("Multinomial", lambda x: tf.multinomial(x, 4)),
    state("RandomGamma", lambda a: raw_ops.RandomGamma([3], a), (between(0.5, 3, 2),)),
    Row("RandomGammaGrad", raw_ops.RandomGammaGrad, (between(0.5, 3, 4), between(0.1, 3, 4)), orders=1),
    state("RandomPoissonV2", lambda a: raw_ops.RandomPoissonV2([3], a), (between(0.5, 3, 2),)),
    state("StatelessRandomUniform", lambda s: tf.random.stateless_uniform([3], s), SEED),
    state("StatelessRandomNormal", lambda s: tf.random.stateless_normal([3], s), SEED),
    state("StatelessTruncatedNormal", lambda s: tf.random.stateless_truncated_normal([3], s), SEED),
    state("StatelessMultinomial", lambda s: tf.random.stateless_categorical([[0.0, 1.0]], 3, s), SEED),
]
