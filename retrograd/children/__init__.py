"""A folder for the path of other Pythons: ``sitecustomize.py`` is theirs."""
