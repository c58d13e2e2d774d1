"""The names of ``tensorflow.contrib.legacy_seq2seq``."""

from retrograd.faces import missing
from retrograd.nn.seq2seq.legacy import (
    attention_decoder,
    basic_rnn_seq2seq,
    embedding_attention_decoder,
    embedding_attention_seq2seq,
    embedding_rnn_decoder,
    embedding_rnn_seq2seq,
    embedding_tied_rnn_seq2seq,
    model_with_buckets,
    one2many_rnn_seq2seq,
    rnn_decoder,
    sequence_loss,
    sequence_loss_by_example,
    tied_rnn_seq2seq,
)

__getattr__ = missing(__name__)
