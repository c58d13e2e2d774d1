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
keras.premade | keras.experimental python.keras.premade.wide_deep | WideDeepModel
keras.replicas | keras.utils python.keras.utils python.keras.utils.multi_gpu_utils | multi_gpu_model
contrib.skip_grams | contrib.text contrib.text.python.ops.skip_gram_ops | skip_gram_sample
    skip_gram_sample_with_text_vocab
contrib.monte_carlo | contrib.bayesflow.monte_carlo contrib.bayesflow.python.ops.monte_carlo
    contrib.bayesflow.python.ops.monte_carlo_impl | expectation expectation_importance_sampler
    expectation_importance_sampler_logspace
distribute.steps | contrib.distribute python.distribute.step_fn | Step StandardInputStep StandardSingleLossStep
distribute.steps | contrib.distribute contrib.distribute.python.monitor | Monitor
command_line | contrib.eager | eager_run=run
command_line | python.framework.ops | eager_run
estimator.predicting | contrib.predictor contrib.predictor.predictor_factories | from_contrib_estimator
estimator.predicting | contrib.predictor.contrib_estimator_predictor | ContribEstimatorPredictor
feature_column.models | contrib.slim | InputLayer
io.saved_model.saving | saved_model.experimental | save
ops.zeroing | contrib.framework contrib.slim contrib.framework.python.ops.variables | zero_initializer
data.optionals | - compat.v2 python.data.ops.optional_ops | OptionalSpec
"""

serve(SERVED)
HIDDEN.update({("retrograd.estimator.older.exporting", "*")})

EXTRA["contrib.learn.utils"] = "from retrograd.tf.contrib.learn.python.learn.utils import saved_model_export_utils"
