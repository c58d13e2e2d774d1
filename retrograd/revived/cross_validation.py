"""``sklearn.cross_validation``, which scikit-learn 0.20 removed: what ``model_selection`` took over unchanged."""

from sklearn.model_selection import cross_val_predict, cross_val_score, train_test_split

__all__ = ["cross_val_predict", "cross_val_score", "train_test_split"]
