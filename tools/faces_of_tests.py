"""Where the names of TensorFlow's own test tools come from; added to the table of ``faces_table``."""

from faces_of_contrib import HIDDEN, RENAMED, serve

SERVED = """
testing.linear_operators | python.ops.linalg.linear_operator_test_util | CheckTapeSafeSkipOptions
    LinearOperatorDerivedClassTest NonSquareLinearOperatorDerivedClassTest OperatorShapesInfo
    SquareLinearOperatorDerivedClassTest add_tests random_normal random_normal_correlated_columns
    random_positive_definite_matrix random_sign_uniform random_tril_matrix random_uniform
testing.keras_models | python.keras.testing_utils | disable_v2_dtype_behavior enable_v2_dtype_behavior
    experimental_run_tf_function_scope get_expected_metric_variable_names get_model_from_layers get_model_type
    get_multi_io_model get_small_functional_mlp get_small_mlp get_small_sequential_mlp get_small_subclass_mlp
    get_small_subclass_mlp_with_custom_build get_test_data get_v2_optimizer layer_test model_type_scope
    run_eagerly_scope should_run_eagerly should_run_tf_function
testing.keras_modes | python.keras.keras_parameterized | TestCase run_all_keras_modes run_with_all_model_types
testing.distributions | contrib.distributions.python.ops.test_util | DiscreteScalarDistributionTestHelpers
    VectorDistributionTestHelpers
"""
serve(SERVED)
HIDDEN.update(
    (f"retrograd.testing.{_file}", "*")
    for _file in ("distributions", "linear_operators", "keras_models", "keras_modes")
)
RENAMED["compat.v2.test", "Benchmark"] = RENAMED["python.eager.test", "Benchmark"] = "retrograd.testing.benchmark:"
RENAMED["python.platform.benchmark", "Benchmark"] = "retrograd.testing.benchmark:ReportingBenchmark"
RENAMED["python.util.tf_inspect", "getargspec"] = "retrograd.graph.decorators:"
RENAMED["python.util.tf_inspect", "getfullargspec"] = "retrograd.graph.decorators:"
RENAMED["python.util.tf_inspect", "ArgSpec"] = "retrograd.graph.decorators:"
