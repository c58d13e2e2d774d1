"""What is composed from ops: losses of logits, moments, dropout, embeddings."""
