"""Where the outermost names come from; see ``faces_of_contrib``."""

from faces_of_contrib import EXTRA, HIDDEN, serve

_LEARN = "contrib.learn.python.learn"
SERVED = f"""
estimator.learn | contrib.learn {_LEARN}.estimators.estimator | BaseEstimator
estimator.older.bases | contrib.learn {_LEARN}.evaluable | Evaluable
estimator.older.bases | contrib.learn {_LEARN}.trainable | Trainable
estimator.older.bases | contrib.learn {_LEARN}.estimators._sklearn | NotFittedError
estimator.older.exporting | contrib.learn {_LEARN}.export_strategy | ExportStrategy
estimator.older.exporting | contrib.learn {_LEARN}.utils {_LEARN}.utils.saved_model_export_utils |
    make_export_strategy
estimator.older.exporting | {_LEARN}.utils.saved_model_export_utils contrib.learn.utils |
    make_parsing_export_strategy make_best_model_export_strategy extend_export_strategy BestModelSelector
    get_input_alternatives get_output_alternatives build_all_signature_defs build_standardized_signature_def
    DEFAULT_INPUT_ALTERNATIVE_KEY FEATURES_INPUT_ALTERNATIVE_KEY
"""

serve(SERVED)
HIDDEN.update({("retrograd.estimator.older.exporting", "*")})

EXTRA["contrib.learn.utils"] = "from retrograd.tf.contrib.learn.python.learn.utils import saved_model_export_utils"
