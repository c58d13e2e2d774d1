"""What is composed from ops: layers, losses, metrics, recurrent networks, embeddings, moments, dropout."""
