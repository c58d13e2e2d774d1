"""``sklearn.externals.joblib``, which scikit-learn 0.23 removed: the package joblib."""

from joblib import *  # noqa: F403
