"""The names of ``tensorflow.contrib.tensorboard.plugins.projector``."""

from tensorboard.plugins.projector import EmbeddingInfo, ProjectorConfig, SpriteMetadata, visualize_embeddings

from retrograd.faces import missing

__getattr__ = missing(__name__)
