"""SavedModels: a folder with graphs, their variables, and what they are for."""
