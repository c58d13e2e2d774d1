"""Which names of SavedModels lead where; read by write_faces.py."""

from faces_table import EXTRA, HIDDEN, RENAMED, words

_HERE = "retrograd.io.saved_model."
_CONSTANTS = {
    "constants": """ASSETS_DIRECTORY ASSETS_KEY LEGACY_INIT_OP_KEY MAIN_OP_KEY SAVED_MODEL_FILENAME_PB
    SAVED_MODEL_FILENAME_PBTXT SAVED_MODEL_SCHEMA_VERSION VARIABLES_DIRECTORY VARIABLES_FILENAME""",
    "signature_constants": """CLASSIFY_INPUTS CLASSIFY_METHOD_NAME CLASSIFY_OUTPUT_CLASSES CLASSIFY_OUTPUT_SCORES
    DEFAULT_SERVING_SIGNATURE_DEF_KEY PREDICT_INPUTS PREDICT_METHOD_NAME PREDICT_OUTPUTS REGRESS_INPUTS
    REGRESS_METHOD_NAME REGRESS_OUTPUTS""",
    "tag_constants": "GPU SERVING TPU TRAINING",
}
_INTERNAL = {
    "constants": """EXTRA_ASSETS_DIRECTORY TRAIN_OP_KEY SAVED_MODEL_FILENAME_JSON INIT_OP_SIGNATURE_KEY
    TRAIN_OP_SIGNATURE_KEY""",
    "signature_constants": """DEFAULT_TRAIN_SIGNATURE_DEF_KEY DEFAULT_EVAL_SIGNATURE_DEF_KEY
    SUPERVISED_TRAIN_METHOD_NAME SUPERVISED_EVAL_METHOD_NAME""",
    "tag_constants": "EVAL",
}
for _file, _names in _CONSTANTS.items():
    for _name in words(_names):
        for _module in ("saved_model", f"saved_model.{_file}", f"python.saved_model.{_file}"):
            RENAMED[_module, _name] = f"{_HERE}{_file}:"
    for _name in words(_INTERNAL[_file]):
        RENAMED[f"python.saved_model.{_file}", _name] = f"{_HERE}{_file}:"

_FUNCTIONS = {  # TensorFlow's public module, the internal ones, ours: names
    ("builder", "builder builder_impl", "builder"): "SavedModelBuilder",
    (
        "",
        "builder builder_impl",
        "builder",
    ): "_SavedModelBuilder copy_assets_to_destination_dir get_asset_filename_to_add",
    ("loader", "loader loader_impl", "loader"): "load maybe_saved_model_directory",
    ("", "loader_impl", "loader"): """parse_saved_model SavedModelLoader contains_saved_model get_asset_tensors
    get_init_op get_train_op""",
    ("main_op", "main_op main_op_impl", "builder"): "main_op main_op_with_restore",
    ("signature_def_utils", "signature_def_utils signature_def_utils_impl", "signatures"): """build_signature_def
    classification_signature_def is_valid_signature predict_signature_def regression_signature_def""",
    ("", "signature_def_utils signature_def_utils_impl", "signatures"): """load_op_from_signature_def
    op_signature_def supervised_eval_signature_def supervised_train_signature_def""",
    ("utils", "utils utils_impl", "tensor_infos"): "build_tensor_info get_tensor_from_tensor_info",
    ("", "utils utils_impl", "tensor_infos"): "build_tensor_info_from_op get_element_from_tensor_info",
    ("", "utils_impl", "messages"): """get_assets_dir get_or_create_assets_dir get_or_create_variables_dir
    get_variables_dir get_variables_path""",
    ("", "simple_save", "builder"): "simple_save",
}
for (_public, _inner, _file), _names in _FUNCTIONS.items():
    _modules = [f"python.saved_model.{m}" for m in words(_inner)] + [f"saved_model.{_public}"] * bool(_public)
    for _name in words(_names):
        RENAMED.update({(_module, _name): f"{_HERE}{_file}:" for _module in _modules})
RENAMED.update(
    {
        ("python.ops.variables", "_all_saveable_objects"): "retrograd.io.saveables:all_saveable_objects",
        ("python.training.tracking.base", "Trackable"): "retrograd.io.tracking:",
        ("python.training.tracking.tracking", "AutoTrackable"): "retrograd.io.tracking:",
        ("python.training.tracking.base", "no_automatic_dependency_tracking"): "retrograd.graph.untracked:",
        ("python.training.tracking.base", "no_automatic_dependency_tracking_scope"): "retrograd.graph.untracked:",
        ("python.training.tracking.python_state", "PythonState"): "retrograd.io.tracking:",
        ("train.experimental", "PythonState"): "retrograd.io.tracking:",
        ("python.framework.graph_io", "write_graph"): "retrograd.io.graph_defs:",
        ("python.training.tracking.base", "VARIABLE_VALUE_KEY"): "retrograd.io.tracked_objects:",
        ("saved_model", "Builder"): f"{_HERE}builder:SavedModelBuilder",
        ("saved_model", "simple_save"): f"{_HERE}builder:",
        ("saved_model", "main_op_with_restore"): f"{_HERE}builder:",
        ("saved_model", "load"): f"{_HERE}loader:",
        ("saved_model", "contains_saved_model"): f"{_HERE}loader:",
        ("saved_model", "maybe_saved_model_directory"): f"{_HERE}loader:",
        ("contrib.predictor", "from_saved_model"): f"{_HERE}loader:",
        ("contrib.predictor.predictor_factories", "from_saved_model"): f"{_HERE}loader:",
        ("contrib.predictor.saved_model_predictor", "SavedModelPredictor"): f"{_HERE}loader:",
    }
)
for _name in words("build_signature_def classification_signature_def is_valid_signature predict_signature_def "
                   "regression_signature_def"):  # fmt: skip
    RENAMED["saved_model", _name] = f"{_HERE}signatures:"
for _name in words("build_tensor_info get_tensor_from_tensor_info"):
    RENAMED["saved_model", _name] = f"{_HERE}tensor_infos:"
EXTRA["core.protobuf.saved_model_pb2"] = "from retrograd.io.saved_model.messages import SavedModel"
for _name in words("scalar histogram image text audio"):
    RENAMED["compat.v2.summary", _name] = "retrograd.io.second_summaries:"
HIDDEN.add(("retrograd.io.second_summaries", "*"))
