"""What names alone cannot say of files, datasets, lookup tables, linear operators, signals, images and sound."""

from faces_table import EMPTY, EXTRA, HIDDEN, LAZY, RENAMED, G, words

EXTRA["python_io"] = (
    "from retrograd.io.tf_record import (\n    TFRecordCompressionType,\n    TFRecordOptions,\n"
    "    TFRecordWriter,\n    tf_record_iterator,\n)"
)
for _name in ("tf_record_iterator", "tf_record_random_reader"):
    RENAMED["python.lib.io.tf_record", _name] = "retrograd.io.tf_record:"
_V1_FILES = {
    "Copy": "copy", "DeleteRecursively": "delete_recursively", "Exists": "file_exists", "Glob": "get_matching_files",
    "IsDirectory": "is_directory", "ListDirectory": "list_directory", "MakeDirs": "recursive_create_dir",
    "MkDir": "create_dir", "Open": "GFile", "Remove": "delete_file", "Rename": "rename", "Stat": "stat", "Walk": "walk",
    "GFile": "GFile", "FastGFile": "FastGFile",
}  # fmt: skip
_V2_FILES = {
    "copy": "copy", "exists": "file_exists", "glob": "get_matching_files", "isdir": "is_directory",
    "listdir": "list_directory", "makedirs": "recursive_create_dir", "mkdir": "create_dir", "remove": "delete_file",
    "rename": "rename", "rmtree": "delete_recursively", "stat": "stat", "walk": "walk",
}  # fmt: skip
for _name, _ours in _V1_FILES.items():
    RENAMED["gfile", _name] = RENAMED["python.platform.gfile", _name] = f"retrograd.io.gfile:{_ours}"
for _name, _ours in _V2_FILES.items():
    RENAMED["io.gfile", _name] = f"retrograd.io.gfile:{_ours}_v2"
RENAMED["io.gfile", "GFile"] = "retrograd.io.gfile:"
HIDDEN.add(("retrograd.io.gfile", "*"))
for _name in words("""
    FileIO atomic_write_string_to_file copy copy_v2 create_dir create_dir_v2 delete_file delete_file_v2
    delete_recursively delete_recursively_v2 file_crc32 file_exists file_exists_v2 filecmp get_matching_files
    get_matching_files_v2 is_directory is_directory_v2 list_directory list_directory_v2 read_file_to_string
    recursive_create_dir recursive_create_dir_v2 rename rename_v2 stat stat_v2 walk walk_v2 write_string_to_file
"""):
    RENAMED["python.lib.io.file_io", _name] = "retrograd.io.gfile:"
RENAMED["python.platform.gfile", "_FileIO"] = "retrograd.io.gfile:FileIO"
for _module in ("", "io"):
    RENAMED[_module, "decode_raw"] = "retrograd.ops.decoding:decode_raw_v1"
_EXAMPLES = words("""
    BytesList Example Feature FeatureList FeatureLists Features FloatList Int64List SequenceExample
""")
LAZY["train"].update(dict.fromkeys(_EXAMPLES, "retrograd.files.messages"))
EXTRA["core.example.example_pb2"] = "from retrograd.files.messages import Example, SequenceExample"
EXTRA["core.example.feature_pb2"] = (
    "from retrograd.files.messages import (\n    BytesList,\n    Feature,\n    FeatureList,\n    FeatureLists,\n"
    "    Features,\n    FloatList,\n    Int64List,\n)"
)
RENAMED["io", "parse_sequence_example"] = "retrograd.ops.sequence_parsing:"
_QUEUES = words("FIFOQueue PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue")
RENAMED.update({(_module, _name): "retrograd.ops.queue_classes:" for _module in ("io", "queue") for _name in _QUEUES})

_CLUSTERS = "retrograd.run.clusters:"
for _module in ("train", "python.training.server_lib", "python.training.training", "distribute"):
    RENAMED[_module, "Server"] = _CLUSTERS
    if _module != "distribute":
        RENAMED[_module, "ClusterSpec"] = _CLUSTERS
for _module in ("train", "python.training.device_setter", "python.training.training"):
    RENAMED[_module, "replica_device_setter"] = "retrograd.train.device_setter:"
RENAMED["python.training.device_setter", "_RoundRobinStrategy"] = "retrograd.train.device_setter:RoundRobin"
RENAMED["python.training.device_setter", "STANDARD_PS_OPS"] = "retrograd.train.device_setter:"
RENAMED["python.client.device_lib", "list_local_devices"] = "retrograd.run.devices:"
RENAMED["python.framework.op_def_library", "OpDefLibrary"] = G + "raw:"
RENAMED["contrib.tpu.python.tpu.tpu_function", "get_tpu_context"] = "retrograd.estimator.tpu:"
RENAMED["python.framework.op_def_registry", "get_registered_ops"] = G + "raw:"
HIDDEN.add(("retrograd.run.clusters", "*"))
_CONTRIB_OWN = {
    "contrib.training": {
        "retrograd.train.hparams": "HParams parse_values",
        "retrograd.train.device_setter": "GreedyLoadBalancingStrategy RandomStrategy byte_size_load_fn",
        "retrograd.train.train_ops": """clip_gradient_norms clip_gradient_norms_fn create_train_op
        multiply_gradients""",
    },
    "contrib.framework": {
        "retrograd.nn.contrib.model_variables": """VariableDeviceChooser add_model_variable assign_from_values
        assign_from_values_fn filter_variables get_local_variables get_model_variables get_name_scope
        get_placeholders get_trainable_variables get_unique_variable get_variable_full_name get_variables
        get_variables_by_name get_variables_by_suffix get_variables_to_restore global_variable local_variable
        model_variable reduce_sum_n variable""",
        "retrograd.io.assigning": """assign_from_checkpoint assign_from_checkpoint_fn init_from_checkpoint
        list_variables load_checkpoint load_variable""",
        "retrograd.train.training_util": """assert_global_step create_global_step get_global_step
        get_or_create_global_step""",
    },
}
for _module, _files in _CONTRIB_OWN.items():
    for _file, _names in _files.items():
        for _name in words(_names):
            RENAMED[_module, _name] = f"{_file}:"
            if _file.endswith(("model_variables", "assigning", "training_util")):
                RENAMED["contrib.framework.python.ops.variables", _name] = f"{_file}:"
            if _file.endswith(("model_variables", "assigning")) and "scope" not in _name:
                RENAMED["contrib.slim", _name] = f"{_file}:"
        HIDDEN.add((_file, "*")) if _file.startswith(("retrograd.nn", "retrograd.io.assigning")) else None
for _name in words("HParams parse_values"):
    RENAMED["contrib.training.python.training.hparam", _name] = "retrograd.train.hparams:"
for _name in words("GreedyLoadBalancingStrategy RandomStrategy byte_size_load_fn"):
    RENAMED["contrib.training.python.training.device_setter", _name] = "retrograd.train.device_setter:"
for _name in words("add_arg_scope arg_scope arg_scoped_arguments current_arg_scope has_arg_scope"):
    RENAMED["contrib.framework.python.ops", _name] = "retrograd.nn.contrib.arg_scope:"
RENAMED["contrib.staging", "StagingArea"] = "retrograd.ops.staging:"
EXTRA["contrib.tensorboard.plugins.projector"] = (
    "from tensorboard.plugins.projector import EmbeddingInfo, ProjectorConfig, SpriteMetadata, visualize_embeddings"
)
EXTRA["contrib.staging"] = "from retrograd.ops.staging import StagingArea"
for _name in ("_as_tensor_list", "_as_original_type", "_as_tensor_list_list"):
    RENAMED["python.training.input", _name] = "retrograd.train.input:"

RENAMED["contrib.distributions.bijectors", "AffineLinearOperator"] = "retrograd.nn.distributions.normal_vectors:"
_OPERATORS = {
    "operator": "LinearOperator",
    "kinds": """LinearOperatorDiag LinearOperatorFullMatrix LinearOperatorIdentity LinearOperatorLowerTriangular
    LinearOperatorScaledIdentity""",
    "combined": "LinearOperatorBlockDiag LinearOperatorComposition",
    "turned": "LinearOperatorAdjoint LinearOperatorInversion",
    "low_rank": "LinearOperatorLowRankUpdate",
    "products": "LinearOperatorHouseholder LinearOperatorKronecker",
    "circulant": """LinearOperatorCirculant LinearOperatorCirculant2D LinearOperatorCirculant3D
    LinearOperatorToeplitz""",
    "zeros": "LinearOperatorZeros",
}
for _file, _names in _OPERATORS.items():
    for _name in words(_names):
        for _module in ("linalg", "python.ops.linalg.linalg"):
            RENAMED[_module, _name] = f"retrograd.nn.linear_operators.{_file}:"
for _name in words("RegisterAdjoint RegisterCholesky RegisterInverse RegisterMatmul RegisterSolve"):
    RENAMED["python.ops.linalg.linear_operator_algebra", _name] = "retrograd.nn.linear_operators.operator:"
for _name in words("adjoint cholesky inverse matmul solve"):
    RENAMED["python.ops.linalg.linear_operator_algebra", _name] = "retrograd.nn.linear_operators.operator:"
for _name in words("""assert_compatible_matrix_dimensions assert_is_batch_matrix assert_no_entries_with_modulus_zero
    assert_not_ref_type assert_zero_imag_part broadcast_matrix_batch_dims cholesky_solve_with_broadcast
    matrix_solve_with_broadcast matrix_triangular_solve_with_broadcast shape_tensor
    use_operator_or_provided_hint_unless_contradicting"""):
    RENAMED["python.ops.linalg.linear_operator_util", _name] = "retrograd.nn.linear_operators.broadcasting:"
for _file in (*_OPERATORS, "broadcasting", "hints", "rules"):
    HIDDEN.add((f"retrograd.nn.linear_operators.{_file}", "*"))

_FURTHER = {
    "retrograd.train.adam_variants": "AdaMaxOptimizer LazyAdamOptimizer NadamOptimizer",
    "retrograd.train.weight_decay": """AdamWOptimizer DecoupledWeightDecayExtension MomentumWOptimizer
    extend_with_decoupled_weight_decay""",
    "retrograd.train.external": "ExternalOptimizerInterface ScipyOptimizerInterface",
    "retrograd.io.averaging": "MovingAverageOptimizer",
}
_FURTHER_MODULES = {
    "AdaMaxOptimizer": "adamax", "LazyAdamOptimizer": "lazy_adam_optimizer", "NadamOptimizer": "nadam_optimizer",
    "ScipyOptimizerInterface": "external_optimizer", "ExternalOptimizerInterface": "external_optimizer",
    "MovingAverageOptimizer": "moving_average_optimizer",
}  # fmt: skip
for _file, _names in _FURTHER.items():
    for _name in words(_names):
        RENAMED["contrib.opt", _name] = f"{_file}:"
        _module = "contrib.opt.python.training." + _FURTHER_MODULES.get(_name, "weight_decay_optimizers")
        RENAMED[_module, _name] = f"{_file}:"

# -- tf.data -----------------------------------------------------------------------------------

_DATA = "retrograd.data."
HIDDEN.update(
    (_DATA + _part, "*")
    for _part in words("""
    dataset dividing experimental folding functions generators iterators nest nodes optionals options padding
    random_seeds readers structures tables
""")
)
HIDDEN.update(
    (f"retrograd.ops.{_part}", "*")
    for _part in (
        "datasets",
        "dataset_states",
        "dataset_buffers",
        "dataset_batches",
        "dataset_dividing",
        "dataset_functions",
        "dataset_threads",
        "function_rows",
        "iterators",
    )
)
_ITERATORS = {
    "Iterator": "Iterator", "make_initializable_iterator": "make_initializable_iterator",
    "make_one_shot_iterator": "make_one_shot_iterator", "get_output_types": "get_legacy_output_types",
    "get_output_shapes": "get_legacy_output_shapes", "get_output_classes": "get_legacy_output_classes",
}  # fmt: skip
for _name, _ours in _ITERATORS.items():
    RENAMED["data", _name] = f"{_DATA}iterators:{_ours}"
RENAMED["data", "Dataset"] = _DATA + "dataset:Dataset"
RENAMED["data", "DatasetSpec"] = RENAMED["data.experimental", "DatasetStructure"] = _DATA + "structures:DatasetSpec"
RENAMED["data", "Options"] = _DATA + "options:Options"
for _name in words("FixedLengthRecordDataset TFRecordDataset TextLineDataset"):
    RENAMED["data", _name] = _DATA + "readers:"
RENAMED["contrib.data", "LMDBDataset"] = _DATA + "readers:"
for _module in ("data.experimental", "contrib.data"):
    for _name in words("""
        Counter RandomDataset Reducer TFRecordWriter bucket_by_sequence_length bytes_produced_stats cardinality
        choose_from_datasets copy_to_device enumerate_dataset get_single_element group_by_reducer group_by_window
        ignore_errors latency_stats map_and_batch parallel_interleave parse_example_dataset prefetch_to_device
        sample_from_datasets scan shuffle_and_repeat sliding_window_batch take_while unbatch unique
    """):
        RENAMED[_module, _name] = _DATA + ("folding:scan" if _name == "scan" else "experimental:")
    RENAMED[_module, "CsvDataset"] = _DATA + "readers:"
    for _name in words("SqlDataset make_batched_features_dataset make_csv_dataset"):
        RENAMED[_module, _name] = _DATA + "tables:"
    RENAMED[_module, "dense_to_sparse_batch"] = _DATA + "experimental:"
    RENAMED[_module, "make_saveable_from_iterator"] = "retrograd.io.saved_iterators:"
    for _name in words("Optional get_next_as_optional"):
        RENAMED[_module, _name] = _DATA + "optionals:"
    RENAMED[_module, "AUTOTUNE"] = _DATA + "dataset:"
for _name in words("INFINITE_CARDINALITY UNKNOWN_CARDINALITY"):
    RENAMED["data.experimental", _name] = _DATA + "dataset:"
for _name in words("DistributeOptions MapVectorizationOptions OptimizationOptions StatsOptions ThreadingOptions"):
    RENAMED["data.experimental", _name] = _DATA + "options:"
RENAMED["data.experimental", "get_structure"] = _DATA + "iterators:get_structure"
RENAMED["data.experimental", "map_and_batch_with_legacy_function"] = _DATA + "experimental:map_and_batch"
RENAMED["python.util.nest", "is_sequence"] = G + "nest:is_sequence"
EMPTY += ["python.ops.gen_dataset_ops"]
EXTRA.update(
    {
        "python.data.ops.dataset_ops": "from retrograd.data.dataset import Dataset\n"
        "from retrograd.data.dataset import Dataset as DatasetV1\n"
        "from retrograd.data.dataset import Dataset as DatasetV2\n"
        "from retrograd.data.iterators import (\n    get_legacy_output_classes,\n    get_legacy_output_shapes,\n"
        "    get_legacy_output_types,\n    get_structure,\n    make_initializable_iterator,\n"
        "    make_one_shot_iterator,\n)\nfrom retrograd.data.nodes import (\n    MapDataset,\n    ParallelMapDataset,\n"
        "    PrefetchDataset,\n    _GeneratorDataset,\n    _MaxIntraOpParallelismDataset,\n)\n"
        "from retrograd.data.dataset import VariantDataset as _VariantDataset\n"
        "from retrograd.data.options import Options\n"
        "from retrograd.data.structures import DatasetSpec",
        "python.data.ops.iterator_ops": "from retrograd.data.iterators import (\n"
        "    GET_NEXT_CALL_WARNING_MESSAGE,\n    GET_NEXT_CALL_WARNING_THRESHOLD,\n    Iterator,\n)\n"
        "from retrograd.data.optionals import get_next_as_optional",
        "python.data.ops.readers": "from retrograd.data.readers import (\n    FixedLengthRecordDataset,\n"
        "    TextLineDataset,\n    TFRecordDataset,\n)\nfrom retrograd.data.nodes import _TFRecordDataset",
        "python.data.util.nest": "from retrograd.data.nest import *",
        "contrib.data.python.ops.readers": "from retrograd.data.readers import LMDBDataset",
        "contrib.data.python.ops.batching": "from retrograd.data.experimental import map_and_batch, unbatch",
        "contrib.data.python.ops.interleave_ops": "from retrograd.data.experimental import (\n"
        "    choose_from_datasets,\n    parallel_interleave,\n    sample_from_datasets,\n)",
        "contrib.data.python.ops.grouping": "from retrograd.data.experimental import (\n"
        "    Reducer,\n    bucket_by_sequence_length,\n    group_by_reducer,\n    group_by_window,\n)",
        "contrib.data.python.ops.shuffle_ops": "from retrograd.data.experimental import shuffle_and_repeat",
        "python.data.experimental.ops.batching": "from retrograd.data.experimental import (\n"
        "    dense_to_sparse_batch,\n    map_and_batch,\n    unbatch,\n)",
        "python.data.experimental.ops.interleave_ops": "from retrograd.data.experimental import (\n"
        "    choose_from_datasets,\n    parallel_interleave,\n    sample_from_datasets,\n)\n"
        "from retrograd.data.nodes import _DirectedInterleaveDataset",
        "python.data.experimental.ops.matching_files": "from retrograd.data.nodes import MatchingFilesDataset",
        "python.data.experimental.ops.grouping": "from retrograd.data.experimental import (\n"
        "    Reducer,\n    bucket_by_sequence_length,\n    group_by_reducer,\n    group_by_window,\n)",
        "python.data.experimental.ops.cardinality": "from retrograd.data.dataset import "
        "INFINITE_CARDINALITY as INFINITE\n"
        "from retrograd.data.dataset import UNKNOWN_CARDINALITY as UNKNOWN\n"
        "from retrograd.data.experimental import cardinality",
        "python.data.experimental.ops.readers": "from retrograd.data.readers import CsvDataset\n"
        "from retrograd.data.readers import CsvDataset as CsvDatasetV1\nfrom retrograd.data.tables import (\n"
        "    SqlDataset,\n    make_batched_features_dataset,\n    make_csv_dataset,\n    make_tf_record_dataset,\n)\n"
        "from retrograd.data.tables import SqlDataset as SqlDatasetV1\n"
        "from retrograd.data.tables import make_csv_dataset as make_csv_dataset_v1",
        "python.data.experimental.ops.distribute": "from retrograd.data.dividing import _AutoShardDataset, "
        "_RebatchDataset",
        "python.data.experimental.ops.map_defun": "from retrograd.data.dividing import map_defun",
        "python.data.experimental.ops.threadpool": "from retrograd.data.dividing import (\n"
        "    PrivateThreadPool,\n    override_threadpool,\n)",
        "python.data.experimental.ops.writers": "from retrograd.data.experimental import TFRecordWriter",
        "python.data.experimental.ops.iterator_ops": "from retrograd.io.saved_iterators import "
        "make_saveable_from_iterator",
        "python.data.ops.optional_ops": "from retrograd.data.optionals import Optional, OptionalSpec\n"
        "from retrograd.data.optionals import Optional as _OptionalImpl",
        "python.data.experimental.ops.counter": "from retrograd.data.experimental import Counter\n"
        "from retrograd.data.experimental import Counter as CounterV1",
        "python.data.experimental.ops.enumerate_ops": "from retrograd.data.experimental import enumerate_dataset",
        "python.data.experimental.ops.error_ops": "from retrograd.data.experimental import ignore_errors",
        "python.data.experimental.ops.get_single_element": "from retrograd.data.experimental import get_single_element",
        "python.data.experimental.ops.parsing_ops": "from retrograd.data.experimental import parse_example_dataset",
        "python.data.experimental.ops.prefetching_ops": "from retrograd.data.experimental import (\n"
        "    copy_to_device,\n    prefetch_to_device,\n)",
        "python.data.experimental.ops.random_ops": "from retrograd.data.experimental import RandomDataset\n"
        "from retrograd.data.experimental import RandomDataset as RandomDatasetV1",
        "python.data.experimental.ops.scan_ops": "from retrograd.data.folding import scan",
        "python.data.experimental.ops.shuffle_ops": "from retrograd.data.experimental import shuffle_and_repeat",
        "python.data.experimental.ops.stats_ops": "from retrograd.data.statistics import (\n"
        "    bytes_produced_stats,\n    latency_stats,\n    set_stats_aggregator,\n)",
        "python.data.experimental.ops.take_while_ops": "from retrograd.data.experimental import take_while",
        "python.data.experimental.ops.unique": "from retrograd.data.experimental import unique",
        "python.data.experimental.ops.optimization": "from retrograd.data.optimization import (\n"
        "    _ChooseFastestBranchDataset,\n    _ChooseFastestDataset,\n    assert_next,\n    non_serializable,\n"
        "    optimize,\n)",
        "python.data.experimental.ops.optimization_options": "from retrograd.data.options import (\n"
        "    MapVectorizationOptions,\n    OptimizationOptions,\n)",
        "python.data.experimental.ops.distribute_options": "from retrograd.data.options import DistributeOptions",
        "python.data.experimental.ops.stats_options": "from retrograd.data.options import StatsOptions",
        "python.data.experimental.ops.threading_options": "from retrograd.data.options import ThreadingOptions",
        "python.data.util.structure": "from retrograd.data.structures import compatible as are_compatible\n"
        "from retrograd.data.structures import flat_shapes as get_flat_tensor_shapes\n"
        "from retrograd.data.structures import flat_types as get_flat_tensor_types\n"
        "from retrograd.data.structures import from_legacy as convert_legacy_structure\n"
        "from retrograd.data.structures import batched_tensors_of as to_batched_tensor_list\n"
        "from retrograd.data.structures import checked_element_of as from_tensor_list\n"
        "from retrograd.data.structures import element_of as from_compatible_tensor_list\n"
        "from retrograd.data.structures import tensors_of as to_tensor_list\n"
        "from retrograd.data.structures import normalized as normalize_element\n"
        "from retrograd.data.structures import spec_of as type_spec_from_value",
        "python.data.util.random_seed": "from retrograd.data.random_seeds import get_seed",
    }
)

_EDITING = {
    "selecting": """ControlOutputs can_be_regex check_cios compute_boundary_ts filter_ops filter_ops_from_regex
    filter_ts filter_ts_from_regex get_backward_walk_ops get_consuming_ops get_forward_walk_ops get_generating_ops
    get_name_scope_ops get_ops_ios get_tensors get_walks_intersection_ops get_walks_union_ops get_within_boundary_ops
    make_list_of_op make_list_of_t make_regex select_ops select_ops_and_ts select_ts concatenate_unique
    get_unique_graph is_iterable""",
    "rerouting": "add_control_inputs remove_control_inputs reroute_ts swap_ts",
    "copying": """SubGraphView Transformer TransformerInfo assign_renamed_collections_handler copy copy_op_handler
    copy_with_input_replacements graph_replace keep_t_if_possible_handler make_placeholder_from_dtype_and_shape
    make_placeholder_from_tensor make_view make_view_from_scope placeholder_name replace_t_with_placeholder_handler
    transform_op_if_inside_handler""",
}
_GE = "contrib.graph_editor"
_INNER_EDITING = {
    "select": "selecting", "reroute": "rerouting", "transform": "copying", "subgraph": "copying", "util": "selecting"
}  # fmt: skip
for _part, _names in _EDITING.items():
    for _name in words(_names):
        if _name not in ("concatenate_unique", "get_unique_graph", "is_iterable"):
            RENAMED[_GE, _name] = f"retrograd.editing.{_part}:"
        for _module, _other in _INNER_EDITING.items():
            if _other == _part:
                RENAMED[f"{_GE}.{_module}", _name] = f"retrograd.editing.{_part}:"
    HIDDEN.add((f"retrograd.editing.{_part}", "*"))
for _name in words("""concatenate_unique get_backward_walk_ops get_consuming_ops get_generating_ops get_tensors
    get_unique_graph is_iterable make_list_of_op make_list_of_t"""):
    RENAMED["python.ops.op_selector", _name] = "retrograd.editing.selecting:"
for _name, _ours in (
    ("sgv", "make_view"), ("sgv_scope", "make_view_from_scope"), ("ph", "make_placeholder_from_dtype_and_shape")
):  # fmt: skip
    RENAMED[_GE, _name] = f"retrograd.editing.copying:{_ours}"
for _name in words("make_placeholder_from_dtype_and_shape make_placeholder_from_tensor placeholder_name"):
    RENAMED[f"{_GE}.util", _name] = "retrograd.editing.copying:"

# -- tables ------------------------------------------------------------------------------------

_LOOKUP = "retrograd.io.lookup:"
_PLACE_OF_TABLE = {
    **dict.fromkeys(words("DenseHashTable MutableDenseHashTable MutableHashTable"), "retrograd.io.mutable_tables:"),
    **dict.fromkeys(
        words("KeyValueTensorInitializer TableInitializerBase TextFileIdTableInitializer TextFileIndex")
        + words("TextFileInitializer TextFileStringTableInitializer"),
        "retrograd.io.table_initializers:",
    ),
}
for _name in ("lookup", "mutable_tables", "table_initializers"):
    HIDDEN.add((f"retrograd.io.{_name}", "*"))
_TABLES = words("""
    DenseHashTable FastHashSpec HashTable HasherSpec IdTableWithHashBuckets InitializableLookupTableBase
    KeyValueTensorInitializer LookupInterface MutableDenseHashTable MutableHashTable StaticHashTable
    StaticVocabularyTable StrongHashSpec TableInitializerBase TextFileIdTableInitializer TextFileIndex
    TextFileInitializer TextFileStringTableInitializer index_table_from_file index_table_from_tensor index_to_string
    index_to_string_table_from_file index_to_string_table_from_tensor string_to_index tables_initializer
    initialize_all_tables
""")
for _name in _TABLES:
    RENAMED["python.ops.lookup_ops", _name] = _PLACE_OF_TABLE.get(_name, _LOOKUP)
for _name in _TABLES[1:]:
    if not _name.startswith(("Static", "initialize", "tables", "TextFileInitializer")):
        RENAMED["contrib.lookup", _name] = _PLACE_OF_TABLE.get(_name, _LOOKUP)
RENAMED["contrib.lookup", "string_to_index_table_from_file"] = _LOOKUP + "index_table_from_file"
RENAMED["contrib.lookup", "string_to_index_table_from_tensor"] = _LOOKUP + "index_table_from_tensor"
for _name in words("KeyValueTensorInitializer StaticHashTable StaticVocabularyTable TextFileIndex TextFileInitializer"):
    RENAMED["lookup", _name] = _PLACE_OF_TABLE.get(_name, _LOOKUP)
for _name in ("tables_initializer", "initialize_all_tables"):
    RENAMED["", _name] = RENAMED["initializers", _name] = _LOOKUP
RENAMED["lookup.experimental", "DenseHashTable"] = _PLACE_OF_TABLE["DenseHashTable"]
for _name in ("StaticHashTable", "StaticVocabularyTable"):
    RENAMED["python.ops.lookup_ops", f"{_name}V1"] = _LOOKUP + _name

for _name in words("rfft irfft rfft2d irfft2d rfft3d irfft3d"):
    for _module in ("signal", "spectral"):
        RENAMED[_module, _name] = "retrograd.ops.fourier:"
for _module, _names in {
    "fft_ops": "fft fft2d fft3d fftshift ifft ifft2d ifft3d ifftshift irfft irfft2d irfft3d rfft rfft2d rfft3d",
    "dct_ops": "dct idct", "mel_ops": "linear_to_mel_weight_matrix", "mfcc_ops": "mfccs_from_log_mel_spectrograms",
    "reconstruction_ops": "overlap_and_add", "shape_ops": "frame", "window_ops": "hamming_window hann_window",
    "spectral_ops": "inverse_stft inverse_stft_window_fn stft",
}.items():  # fmt: skip
    for _name in words(_names):
        _part = "ops.fourier" if _module == "fft_ops" else "nn.signals"
        RENAMED[f"python.ops.signal.{_module}", _name] = f"retrograd.{_part}:"
        if _part == "nn.signals":
            RENAMED["contrib.signal", _name] = "retrograd.nn.signals:"
EMPTY += ["python.ops.signal.signal", "python.ops.spectral_ops_test_util"]
HIDDEN.add(("retrograd.nn.signals", "*"))
for _name in words("dct idct"):
    RENAMED["signal", _name] = RENAMED["spectral", _name] = "retrograd.nn.signals:"
for _name in words("""frame hamming_window hann_window inverse_stft inverse_stft_window_fn linear_to_mel_weight_matrix
    mfccs_from_log_mel_spectrograms overlap_and_add stft"""):
    RENAMED["signal", _name] = "retrograd.nn.signals:"

# -- images and sound in files -----------------------------------------------------------------

_CODED = words("""
    decode_and_crop_jpeg decode_bmp decode_gif decode_jpeg decode_png encode_jpeg encode_png extract_jpeg_shape is_jpeg
""")
for _module in ("image", "io", "python.ops.image_ops", "python.ops.image_ops_impl"):
    RENAMED.update({(_module, _name): "retrograd.ops.coded_images:" for _name in _CODED})
    RENAMED[_module, "decode_image"] = "retrograd.nn.image.decoding:"
EXTRA["audio"] = "from retrograd.ops.audio import decode_wav, encode_wav"
EXTRA["contrib.framework.python.ops.audio_ops"] = """from retrograd.ops.audio import decode_wav, encode_wav
from retrograd.ops.speech import audio_spectrogram, mfcc"""
EXTRA["python.ops.spectral_ops_test_util"] = "from contextlib import nullcontext as fft_kernel_label_map"
for _key, _ours in list(RENAMED.items()):
    if _key[0] == "contrib.layers.python.layers.layers" and _ours:
        RENAMED.setdefault(("contrib.layers.python.layers", _key[1]), _ours)
EXTRA["core.framework.tensor_pb2"] += '\n\n_TENSORPROTO = DESCRIPTOR.message_types_by_name["TensorProto"]'
HIDDEN.add(("retrograd.ops.audio", "*"))
