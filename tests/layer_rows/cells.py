"""Cells of ``tf.nn.rnn_cell`` and ``tf.contrib.rnn``, and what wraps them."""

from __future__ import annotations

from typing import Any

from case_table import normal
from layer_table import LayerRow as Row
from layer_table import kept

from retrograd import tf

R, B, G = tf.nn.rnn_cell, tf.contrib.rnn, tf.contrib.grid_rnn
X = (normal(2, 3).astype("f"), normal(2, 4, seed=1).astype("f"))
IMAGES = (normal(2, 4, 4, 2).astype("f"),)
HALF = tf.constant_initializer(0.5)
CLIP = {"cell_clip": 0.2, "num_proj": 4, "proj_clip": 0.1}


def stepped(cell: Any, x: Any, state: Any = None, **given: Any) -> Any:
    """Two steps of a cell."""
    return twice(kept(cell), x, state, **given)


def twice(cell: Any, x: Any, state: Any = None, **given: Any) -> Any:
    start = cell.zero_state(2, tf.float32) if state is None else state
    y, middle = cell(x, start, **given)
    return [y, cell(x + 0.5, middle, **given)]


def once(cell: Any, x: Any, **given: Any) -> Any:
    """One step of a cell that makes its variables anew in each."""
    return kept(cell)(x, cell.zero_state(2, tf.float32), **given)


def in_grid(cell: Any, x: Any) -> Any:
    """One step of a cell that has no name of its own in TensorFlow."""
    return cell(x, cell.zero_state(2, tf.float32))


def plain(x: Any, s: Any) -> Any:
    pair = R.LSTMStateTuple(s, s + 0.1)
    return [
        stepped(R.BasicRNNCell(4), x, s),
        stepped(R.BasicRNNCell(4, "relu", name="own"), x),
        stepped(R.GRUCell(4, kernel_initializer=HALF, bias_initializer=HALF), x, s),
        stepped(R.GRUCell(4, tf.nn.relu), x),
        stepped(R.BasicLSTMCell(4, activation=tf.nn.relu), x, pair),
        stepped(R.BasicLSTMCell(4, 0.0, False), x, scope="sc"),
        stepped(R.LSTMCell(4), x, pair),
        stepped(R.LSTMCell(4, use_peepholes=True, initializer=HALF, forget_bias=0.5, **CLIP), x, pair),
        stepped(R.LSTMCell(4, num_unit_shards=2, num_proj=4, num_proj_shards=2, state_is_tuple=False), x),
    ]


def wrapped(x: Any, s: Any) -> Any:
    return [
        twice(R.MultiRNNCell([R.BasicLSTMCell(4), R.GRUCell(5)]), x),
        twice(R.MultiRNNCell([R.BasicRNNCell(4), R.GRUCell(5)], state_is_tuple=False), x, scope="second"),
        stepped(R.DropoutWrapper(R.BasicLSTMCell(4), 0.5, 0.6, 0.7, seed=3), x),
        stepped(R.DropoutWrapper(R.GRUCell(4), 0.5, 0.6, 0.7, True, 3, tf.float32, 3), x, s),
        stepped(R.ResidualWrapper(R.GRUCell(3)), x),
        twice(R.ResidualWrapper(R.GRUCell(3), lambda a, b: a * b), x),
        stepped(R.DeviceWrapper(R.GRUCell(4), "/cpu:0"), x, s),
        once(B.HighwayWrapper(R.GRUCell(3)), x),
        stepped(B.InputProjectionWrapper(R.GRUCell(4), 5, tf.tanh), x, s),
        stepped(B.OutputProjectionWrapper(R.GRUCell(4), 5, tf.tanh), x, s),
        kept(B.EmbeddingWrapper(R.GRUCell(4), 5, 3))(tf.constant([[1], [3]]), s),
        stepped(B.AttentionCellWrapper(R.GRUCell(4), 3), x),
        stepped(B.AttentionCellWrapper(R.LSTMCell(4), 3, 2, 5, state_is_tuple=True), x, scope="third"),
        stepped(B.CompiledWrapper(R.GRUCell(4)), x, s),
    ]


def of_contrib(x: Any, s: Any) -> Any:
    pair = R.LSTMStateTuple(s, s + 0.1)
    return [
        stepped(B.CoupledInputForgetGateLSTMCell(4, use_peepholes=True, layer_norm=True), x, pair),
        stepped(B.CoupledInputForgetGateLSTMCell(4, initializer=HALF, num_proj=4), x, pair, scope="second"),
        stepped(B.LayerNormBasicLSTMCell(4), x, pair),
        stepped(
            B.LayerNormBasicLSTMCell(4, layer_norm=False, dropout_keep_prob=0.6, dropout_prob_seed=3),
            x,
            pair,
            scope="second",
        ),
        stepped(B.NASCell(4), x, pair),
        stepped(B.NASCell(4, num_proj=3, use_bias=True), x, scope="third"),
        stepped(B.UGRNNCell(4), x, s),
        stepped(B.IntersectionRNNCell(3), x),
        stepped(B.IntersectionRNNCell(4, num_in_proj=4, initializer=HALF), x, s, scope="fourth"),
        kept(B.PhasedLSTMCell(4, use_peepholes=True))((tf.constant([[0.3], [2.0]]), x), pair),
        stepped(B.GLSTMCell(4, number_of_groups=2), tf.concat([x, x[:, :1]], 1), pair),
        stepped(B.SRUCell(4), x, s),
        stepped(B.IndRNNCell(4), x, s),
        stepped(B.IndyGRUCell(4), x, s),
        stepped(B.IndyLSTMCell(4), x, pair),
        B.TimeFreqLSTMCell(4, True, feature_size=2, frequency_skip=1)(x, tf.zeros([2, 16])),
    ]


def of_blocks(x: Any, s: Any) -> Any:
    pair, steps = R.LSTMStateTuple(s, s + 0.1), tf.stack([x, x + 0.5, x - 0.5])
    cell = R.LSTMCell(4, name="inner")
    return [
        stepped(B.LSTMBlockCell(4), x, pair),
        stepped(B.LSTMBlockCell(4, 0.5, 0.2, True, name="own"), x, pair),
        stepped(B.GRUBlockCell(4), x, s),
        stepped(B.GRUBlockCellV2(4), x, s),
        kept(B.LSTMBlockFusedCell(4, 0.5, 0.2, True))(steps, pair),
        kept(B.LSTMBlockFusedCell(4))(steps, dtype=tf.float32, sequence_length=[3, 2]),
        B.FusedRNNCellAdaptor(cell, use_dynamic_rnn=True)(steps, pair),
        B.FusedRNNCellAdaptor(R.GRUCell(4))(steps, s, sequence_length=[3, 2]),
        B.TimeReversedFusedRNN(B.LSTMBlockFusedCell(4, name="turned"))(steps, pair, sequence_length=[3, 2]),
        stepped(tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell(4), x, pair),
        stepped(tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell(4), x, s),
        stepped(tf.contrib.model_pruning.MaskedBasicLSTMCell(4), x, pair),
        stepped(tf.contrib.model_pruning.MaskedLSTMCell(4, use_peepholes=True), x, pair),
    ]


def convolved(x: Any) -> Any:
    solid = tf.expand_dims(x, 3)
    return [
        once(B.ConvLSTMCell(2, [4, 4, 2], 3, [2, 2]), x),
        once(B.Conv1DLSTMCell(input_shape=[4, 2], output_channels=3, kernel_shape=[2], skip_connection=True), x[:, 0]),
        once(B.Conv2DLSTMCell(input_shape=[4, 4, 2], output_channels=2, kernel_shape=[3, 3], use_bias=False), x),
        once(B.Conv3DLSTMCell(input_shape=[4, 4, 1, 2], output_channels=2, kernel_shape=[2, 2, 1]), solid),
    ]


def in_grids(x: Any, s: Any) -> Any:
    with tf.variable_scope("root", initializer=HALF):
        return [
            in_grid(G.Grid1BasicRNNCell(4), x),
            in_grid(G.Grid2BasicRNNCell(4, non_recurrent_fn=tf.tanh), x),
            in_grid(G.Grid1BasicLSTMCell(4, 0.5), x),
            in_grid(G.Grid2BasicLSTMCell(4), x),
            in_grid(G.Grid1LSTMCell(4, use_peepholes=True), x),
            in_grid(G.Grid2LSTMCell(4), x),
            in_grid(G.Grid3LSTMCell(2), x),
            in_grid(G.Grid2GRUCell(4), x),
            in_grid(G.GridRNNCell(2, 3, [0, 2], [1, 2], [1], 2, non_recurrent_fn=tf.sigmoid), s),
            in_grid(B.GridLSTMCell(2, True, feature_size=2, frequency_skip=1, num_frequency_blocks=[2]), x),
            in_grid(B.BidirectionalGridLSTMCell(2, feature_size=2, frequency_skip=1, num_frequency_blocks=[2]), x),
        ]


class Own(R.RNNCell):  # type: ignore[name-defined, misc]
    """A cell of a program's own."""

    state_size = output_size = 4

    def call(self, x: Any, s: Any) -> Any:
        y = tf.tanh(tf.matmul(x, tf.get_variable("w", [3, 4])) + s)
        return y, y


class OwnLayer(B.LayerRNNCell):  # type: ignore[name-defined, misc]
    """The same with ``build``."""

    state_size = output_size = 4

    def build(self, shape: Any) -> None:
        self.w = self.add_variable("w", [int(shape[-1]), 4])
        self.built = True

    def call(self, x: Any, s: Any) -> Any:
        y = tf.tanh(tf.matmul(x, self.w) + s)
        return y, y


def own(x: Any, s: Any) -> Any:
    return [stepped(Own(), x, s), stepped(OwnLayer(name="layer"), x, s)]


ROWS = [
    Row("nn.rnn_cell.LSTMCell", plain, X),
    Row("nn.rnn_cell.MultiRNNCell", wrapped, X),
    Row("nn.rnn_cell.RNNCell", own, X),
    Row("contrib.rnn.NASCell", of_contrib, X, rounding=1e-4),
    Row("contrib.rnn.LSTMBlockCell", of_blocks, X),
    Row("contrib.rnn.ConvLSTMCell", convolved, IMAGES),
    Row("contrib.grid_rnn.GridRNNCell", in_grids, X),
]
