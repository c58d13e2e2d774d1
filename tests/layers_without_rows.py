"""Public layers, cells, losses and metrics that no row runs, and why: patterns of names, as ``fnmatch`` reads them."""

from __future__ import annotations

WITHOUT: dict[str, str] = {
    "others are made of it, which rows run": """
        contrib.rnn.FusedRNNCell contrib.rnn.LSTMBlockWrapper contrib.seq2seq.AttentionMechanism
        contrib.seq2seq.Decoder contrib.seq2seq.Helper keras.layers.AbstractRNNCell keras.layers.Wrapper
        keras.losses.Loss keras.metrics.Metric layers.Layer nn.rnn_cell.RNNCell contrib.rnn.LayerRNNCell
    """,
    "cuDNN's ops have no CPU kernel in TensorFlow; test_contrib, test_scarce and test_keras_cells hold its graphs": """
        contrib.cudnn_rnn.Cudnn* keras.layers.CuDNN*
    """,
    "columns of features, recorded in test_older and test_columns": """
        contrib.layers.*_column contrib.layers.*_columns contrib.layers.*_from_feature_columns
        contrib.layers.*_from_examples contrib.layers.*_from_sequence_examples contrib.layers.*_for_parsing
        contrib.layers.*_for_base_features contrib.layers.sparse_column_with_* contrib.layers.transform_features
        contrib.slim.bucketize
    """,
    "it works on the targets of estimators, on steps of training or on summaries": """
        contrib.layers.multi_class_target contrib.layers.regression_target contrib.layers.optimize_loss
        contrib.layers.summarize_* contrib.slim.adaptive_clipping_fn contrib.slim.binary_svm_target
        contrib.slim.get_default_binary_metrics_for_eval
    """,
    "it gives first values of variables": """
        contrib.layers.variance_scaling_initializer contrib.layers.xavier_initializer contrib.slim.zero_initializer
    """,
    "it finds, makes or restores variables, or names": """
        contrib.slim.*_variable contrib.slim.*_variables contrib.slim.get_variable_full_name
        contrib.slim.get_variables_* contrib.slim.assign_from_* contrib.slim.*global_step
    """,
    "it works on functions, classes or files": """
        contrib.slim.ProblemType contrib.slim.add_arg_scope contrib.slim.arg_scoped_arguments contrib.slim.deprecated*
        contrib.slim.experimental contrib.slim.make_all contrib.model_pruning.get_pruning_hparams
        contrib.model_pruning.graph_def_from_checkpoint contrib.model_pruning.strip_pruning_vars_fn
        contrib.model_pruning.train keras.*.deserialize keras.*.serialize
    """,
    "it computes in NumPy": "contrib.crf.viterbi_decode",
}
