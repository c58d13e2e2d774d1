"""The names of ``tensorflow.contrib.seq2seq.python.ops.basic_decoder``."""

from retrograd.faces import missing
from retrograd.nn.seq2seq.decoder_layers import BasicDecoderV2
from retrograd.nn.seq2seq.decoding import BasicDecoder, BasicDecoderOutput

__getattr__ = missing(__name__)
