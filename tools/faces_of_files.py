"""Where names of files, datasets and sessions come from; see ``faces_of_contrib``."""

from faces_of_contrib import serve

SERVED = """
io.event_files | python.training.summary_io | FileWriter=SummaryWriter FileWriterCache=SummaryWriterCache
data.dataset | compat.v2.data | Dataset
data.readers | compat.v2.data | FixedLengthRecordDataset TFRecordDataset TextLineDataset
io.object_checkpoints | compat.v2.train | Checkpoint
io.fusing | contrib.framework contrib.framework.python.framework.graph_util | fuse_op
io.fusing | contrib.util python.framework.meta_graph | ops_used_by_graph_def
io.table_initializers | contrib.lookup | TextFileInitializer
io.session_bundles | contrib.session_bundle.exporter | Exporter classification_signature generic_signature
    gfile_copy_callback regression_signature
io.session_bundles | contrib.session_bundle.gc contrib.learn.python.learn.utils.gc | Path get_paths
    largest_export_versions mod_export_version negation one_of_every_n_export_versions union
io.random_generators | random.experimental compat.v2.random.experimental python.ops.stateful_random_ops | Generator
    create_rng_state get_global_generator set_global_generator
io.saved_model.loader | contrib.predictor.predictor | Predictor
io.small_sets | contrib.learn.datasets contrib.learn.python.learn.datasets | DATASETS load_iris load_boston
    load_dataset make_dataset
io.small_sets | contrib.learn.datasets.base contrib.learn.python.learn.datasets.base | load_csv_with_header
    load_csv_without_header shrink_csv load_iris load_boston retry
io.small_sets | contrib.learn.python.learn.datasets.text_datasets | DBPEDIA_URL maybe_download_dbpedia load_dbpedia
io.small_sets | contrib.learn.python.learn.datasets.synthetic | circles spirals
sessions.older_profiling | contrib.tfprof.model_analyzer | TRAINABLE_VARS_PARAMS_STAT_OPTIONS FLOAT_OPS_OPTIONS
    PRINT_ALL_TIMING_MEMORY print_model_analysis advise
sessions.profiling | contrib.tfprof.model_analyzer | Profiler
sessions.profile_contexts | contrib.tfprof python.profiler.profile_context | ProfileContext
graph.untracked | contrib.checkpoint | NoDependency
io.native_libraries | sysconfig compat.v2.sysconfig python.platform.sysconfig | CXX11_ABI_FLAG MONOLITHIC_BUILD
    get_compile_flags get_include get_lib get_link_flags
io.native_libraries | contrib.util.loader | load_op_library
io.native_libraries | python.framework.load_library | load_file_system_library load_library load_op_library
io.inference_graphs | python.tools.optimize_for_inference_lib | EPSILON_ATTR INPUT_ORDER ensure_graph_is_valid
    fold_batch_norms fuse_resize_and_conv node_from_map node_name_from_input optimize_for_inference
    scale_after_normalization values_from_const
io.inference_graphs | python.tools.strip_unused_lib | strip_unused
io.tools | python.tools.strip_unused_lib | strip_unused_from_files
io.saved_model.command_line | python.tools.saved_model_utils | get_meta_graph_def get_saved_model_tag_sets
    read_saved_model
io.saved_model.command_line | python.tools.saved_model_cli | _OP_BLACKLIST _print_tensor_info create_parser
    load_inputs_from_input_arg_string main preprocess_input_examples_arg_string preprocess_input_exprs_arg_string
    preprocess_inputs_arg_string run run_saved_model_with_feed_dict scan show
io.saved_model.saving | saved_model.experimental | save
data.optionals | - compat.v2 python.data.ops.optional_ops | OptionalSpec
io.modules | - python.module.module | Module
io.modules | python.module.module | camel_to_snake
io.tracking | contrib.checkpoint | PythonState=PythonStateWrapper
graph.untracked | python.training.tracking.data_structures | NoDependency
nn.layers.containers | python.training.tracking.data_structures |
    Container=TrackableDataStructure List Mapping UntrackableError=_UntrackableError
nn.layers.wrapped_containers | python.training.tracking.data_structures | DictWrapper=_DictWrapper ListWrapper
io.tracking | python.training.tracking.base | TrackableReference
io.tracking | python.training.tracking.tracking | NotTrackable cached_per_instance
io.object_views | python.training.tracking.graph_view | ObjectGraphView
io.object_views | python.training.tracking.util | add_variable gather_initializers
io.object_views | contrib.checkpoint contrib.checkpoint.python.split_dependency | split_dependency
"""

serve(SERVED)
