"""The names of ``tensorflow.python.framework.test_util``."""

from retrograd.faces import missing
from retrograd.testing.case import CapturedWrites, TensorFlowTestCase
from retrograd.testing.cluster import create_local_cluster
from retrograd.testing.modes import (
    GpuSupportsHalfMatMulAndConv,
    InstallStackTraceHandler,
    IsBuiltWithROCm,
    IsGoogleCudaEnabled,
    IsMklEnabled,
    NCHWToNHWC,
    NHWCToNCHW,
    also_run_as_tf_function,
    assert_equal_graph_def,
    assert_meta_graph_protos_equal,
    assert_no_garbage_created,
    assert_no_new_pyobjects_executing_eagerly,
    assert_no_new_tensors,
    assert_ops_in_graph,
    build_as_function_and_v1_graph,
    deprecated_graph_mode_only,
    device,
    disable_control_flow_v2,
    disable_xla,
    enable_c_shapes,
    enable_control_flow_v2,
    enable_output_all_intermediates,
    enable_tf_xla_constant_folding,
    for_all_test_methods,
    force_cpu,
    force_gpu,
    generate_combinations_with_testcase_name,
    get_node_def_from_graph,
    gpu_device_name,
    is_gpu_available,
    is_xla_enabled,
    no_xla_auto_jit,
    py_func_if_in_function,
    run_all_in_graph_and_eager_modes,
    run_cuda_only,
    run_gpu_only,
    run_in_graph_and_eager_modes,
    run_v1_only,
    run_v2_only,
    set_producer_version,
    skip_if,
    use_deterministic_cudnn,
    use_gpu,
    with_c_shapes,
    with_control_flow_v2,
    xla_allow_fallback,
)
from retrograd.testing.modes import (
    assert_equal_graph_def as assert_equal_graph_def_v1,
)
from retrograd.testing.modes import (
    deprecated_graph_mode_only as run_deprecated_v1,
)

__getattr__ = missing(__name__)
