"""Record TensorFlow 1.15.5's public names, and those of the inner modules that programs import.

usage: python record_names.py     under a real TensorFlow 1.15.5; writes
  retrograd/tf/symbols.txt    module: its public names    what the faces know of missing names
  retrograd/tf/shown.txt      module: the modules of TensorFlow that it imports, and so shows; * says what most mean
  tests/golden/names.tsv      module, name, the object    what tools/write_faces.py maps onto the parts
"""

import importlib
import os
import sys
import types
from collections import Counter, defaultdict

import tensorflow as tf
from tensorflow.python.util import tf_decorator

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULE_TYPES = ("module", "TFModuleWrapper", "LazyLoader", "KerasLazyLoader")
SKIPPED = (
    "compat.v2",
    "compat.v1",
    "core",
    "python",
    "tools",
    "contrib",
    "pywrap_tensorflow",
    "raw_ops",
    "lite",
    "tpu",
)
CONTRIB = """framework layers rnn losses metrics training learn slim seq2seq legacy_seq2seq opt distributions
 graph_editor util summary lookup image stateless signal crf nn data eager copy_graph deprecated
 batching bayesflow checkpoint cluster_resolver constrained_optimization cudnn_rnn distribute estimator factorization
 feature_column ffmpeg grid_rnn hooks input_pipeline integrate kernel_methods labeled_tensor libsvm linear_optimizer
 memory_stats mixed_precision model_pruning nearest_neighbor optimizer_v2 periodic_resample predictor proto quantize
 receptive_field resampler rpc saved_model solvers sparsemax staging tensor_forest text tfprof timeseries tpu""".split()
INNER = """
python
client: session device_lib timeline
compat: compat
eager: context def_function function test backprop tape core monitoring
framework: ops dtypes constant_op tensor_shape test_util errors errors_impl tensor_util random_seed sparse_tensor
 indexed_slices function importer graph_util graph_util_impl common_shapes device op_def_library op_def_registry test_ops
 smart_cond tensor_spec type_spec tensor_like composite_tensor function_def_to_graph meta_graph registry
 subscribe versions traceable_stack graph_to_function_def convert_to_constants auto_control_deps
layers: base core layers utils normalization convolutional pooling
lib.io: file_io python_io tf_record
ops: array_ops math_ops nn_ops nn_impl nn control_flow_ops state_ops variables variable_scope init_ops init_ops_v2
 gradients_impl gradients gradient_checker gradient_checker_v2 gradients_util clip_ops random_ops check_ops linalg_ops
 logging_ops script_ops resource_variable_ops embedding_ops math_grad array_grad nn_grad data_flow_ops data_flow_grad
 string_ops special_math_ops numerics partitioned_variables standard_ops template custom_gradient
 control_flow_grad control_flow_util control_flow_v2_toggles cond_v2 while_v2 tensor_array_ops tensor_array_grad
 functional_ops map_fn rnn rnn_cell rnn_cell_impl sparse_ops sparse_grad linalg_grad linalg_impl manip_grad manip_ops
 random_grad state_grad bitwise_ops sets sets_impl io_ops parsing_ops image_ops image_grad confusion_matrix metrics
 metrics_impl batch_norm_benchmark histogram_ops ctc_ops candidate_sampling_ops stateless_random_ops sort_ops
 weights_broadcast_ops unconnected_gradients variables lookup_ops session_ops inplace_ops tensor_forest_ops
 op_selector optional_grad nccl_ops roll_op default_gradient handle_data_util while_grad accumulate_n_benchmark
 gen_array_ops gen_math_ops gen_nn_ops gen_state_ops gen_control_flow_ops gen_data_flow_ops gen_random_ops
 gen_linalg_ops gen_string_ops gen_logging_ops gen_script_ops gen_resource_variable_ops gen_sparse_ops gen_image_ops
 gen_bitwise_ops gen_functional_ops gen_io_ops gen_manip_ops gen_parsing_ops gen_set_ops gen_stateless_random_ops
 gen_lookup_ops gen_list_ops gen_batch_ops gen_candidate_sampling_ops gen_user_ops user_ops
ops.distributions: distributions normal util distribution kullback_leibler
ops.linalg: linalg linalg_impl
ops.losses: losses losses_impl util
keras: activations backend backend_config callbacks callbacks_v1 constraints initializers losses metrics models optimizers
 regularizers
keras.applications: densenet imagenet_utils inception_resnet_v2 inception_v3 mobilenet mobilenet_v2 nasnet resnet
 resnet_v2 vgg16 vgg19 xception
keras.datasets: boston_housing cifar cifar10 cifar100 fashion_mnist imdb mnist reuters
keras.engine: base_layer base_layer_utils data_adapter input_layer input_spec network node saving sequential training
 training_arrays training_generator training_utils
keras.layers: advanced_activations convolutional convolutional_recurrent core cudnn_recurrent dense_attention embeddings
 kernelized local merge noise normalization pooling recurrent rnn_cell_wrapper_v2 serialization wrappers
keras.mixed_precision.experimental: loss_scale_optimizer policy
keras.optimizer_v2: adadelta adagrad adam adamax ftrl gradient_descent learning_rate_schedule nadam optimizer_v2 rmsprop
keras.premade: linear wide_deep
keras.preprocessing: image sequence text
keras.saving: hdf5_format model_config save saved_model_experimental saving_utils
keras.utils: conv_utils data_utils generic_utils io_utils kernelized_utils layer_utils losses_utils metrics_utils
 mode_keys multi_gpu_utils np_utils tf_utils vis_utils
keras.wrappers: scikit_learn
platform: test googletest tf_logging flags app gfile benchmark resource_loader sysconfig build_info self_check
 parameterized status_bar
summary: summary
summary.writer: writer writer_cache
training: adadelta adagrad adagrad_da adam basic_loops checkpoint_management checkpoint_utils coordinator
 distribution_strategy_context evaluation ftrl gradient_descent input learning_rate_decay momentum monitored_session
 moving_averages optimizer proximal_adagrad proximal_gradient_descent queue_runner queue_runner_impl rmsprop saver
 server_lib session_manager session_run_hook slot_creator supervisor sync_replicas_optimizer training training_ops
 training_util warm_starting_util basic_session_run_hooks device_setter gen_training_ops saving.saveable_object
training.tracking: base tracking util
util: nest compat tf_inspect tf_export deprecation tf_contextlib tf_decorator object_identity tf_should_use lazy_loader
 all_util keyword_args serialization lock_util dispatch is_in_graph_mode protobuf.compare
"""


SECOND = """audio autograph bitwise compat config config.experimental config.optimizer config.threading data
 data.experimental debugging distribute distribute.cluster_resolver distribute.experimental dtypes errors estimator
 estimator.experimental estimator.export experimental feature_column graph_util image io io.gfile
 keras keras.activations keras.applications keras.backend keras.callbacks keras.constraints
 keras.applications.densenet
 keras.applications.imagenet_utils keras.applications.inception_v3 keras.applications.mobilenet
 keras.applications.mobilenet_v2 keras.applications.resnet50 keras.applications.vgg16 keras.applications.vgg19
 keras.applications.xception keras.mixed_precision keras.mixed_precision.experimental
 keras.estimator keras.experimental keras.initializers keras.layers keras.losses keras.models keras.preprocessing
 keras.preprocessing.image keras.preprocessing.sequence keras.preprocessing.text keras.regularizers keras.utils
 keras.wrappers keras.wrappers.scikit_learn linalg
 lookup math nest nn quantization queue ragged random random.experimental sets signal sparse strings
 summary sysconfig test train train.experimental version xla xla.experimental""".split()


def identity(value):
    """What an object is under whatever name: its kind, module and qualified name."""
    try:
        value = tf_decorator.unwrap(value)[1]
    except Exception:
        pass
    module = str(getattr(value, "__module__", "") or "").replace("tensorflow_core", "tensorflow")
    name = getattr(value, "__qualname__", "")
    return "%s.%s" % (module, name) if name else "(%s)" % type(value).__name__


def is_module(value):
    return isinstance(value, types.ModuleType) or type(value).__name__ in MODULE_TYPES


def public_modules():
    """(path below ``tensorflow``, module) of each public module."""
    pending, seen = [("", tf)], set()
    while pending:
        path, module = pending.pop(0)
        if id(module) in seen:
            continue
        seen.add(id(module))
        yield path, module
        for name in sorted(dir(module)):
            inner = (path + "." + name).strip(".")
            if name.startswith("_") or inner.split(".")[0] in SKIPPED or inner.startswith(SKIPPED):
                continue
            value = getattr(module, name, None)
            if is_module(value) and "tensorflow" in getattr(value, "__name__", ""):
                pending.append((inner, value))
    for name in ["compat"]:
        yield name, getattr(tf, name)
    for name in CONTRIB:
        yield "contrib." + name, getattr(tf.contrib, name, None) or importlib.import_module("tensorflow.contrib." + name)


def second_modules():
    """(path, module) of what ``tf.compat.v2`` holds, without the parts for networks."""
    yield "compat.v2", tf.compat.v2
    for name in SECOND:
        module = tf.compat.v2
        for part in name.split("."):
            module = getattr(module, part)
        yield "compat.v2." + name, module


def inner_modules():
    package = ""
    for word in INNER.split():
        if word.endswith(":"):
            package = word[:-1]
            continue
        path = "tensorflow.python" if word == "python" else "tensorflow.python.%s.%s" % (package, word)
        try:
            yield path[len("tensorflow.") :], importlib.import_module(path)
        except Exception as error:
            print("no module", path, repr(error)[:80])


def shown_modules():
    """module -> {name: path} of the modules that it imports and that are none of its own."""
    importlib.import_module("tensorflow.contrib.slim.nets")
    shown = defaultdict(dict)
    for full, module in sorted(sys.modules.items()):
        path = path_of(full)
        if path is None or not path.startswith(("python", "contrib")):
            continue
        for name, value in sorted(vars(module).items()):
            target = path_of(value.__name__) if isinstance(value, types.ModuleType) else None
            if target and not name.startswith("_") and target != path + "." + name:
                shown[path][name] = target
    return shown


def path_of(name):
    """The path below ``tensorflow`` of a module by its name; None for another package's."""
    for root in ("tensorflow_core.", "tensorflow."):
        if name.startswith(root):
            return name[len(root) :]
    return None


def write_shown(shown):
    """One line per module; a name alone means what it means in most modules."""
    meanings = defaultdict(Counter)
    for names in shown.values():
        for name, target in names.items():
            meanings[name][target] += 1
    usual = {name: min(counts, key=lambda t: (-counts[t], t)) for name, counts in meanings.items()}
    lines = ["*: " + " ".join("%s=%s" % pair for pair in sorted(usual.items()))]
    for path, names in sorted(shown.items()):
        words = [n if usual[n] == target else "%s=%s" % (n, target) for n, target in sorted(names.items())]
        lines.append("%s: %s" % (path, " ".join(words)))
    with open(os.path.join(ROOT, "retrograd", "tf", "shown.txt"), "w") as f:
        f.write("\n".join(lines) + "\n")


def main():
    rows, symbols = [], {}
    for path, module in public_modules():
        names = [
            n
            for n in dir(module)
            if not n.startswith("_") or n in ("__version__", "__git_version__", "__compiler_version__")
        ]
        found = {}
        for name in names:
            try:
                found[name] = getattr(module, name)
            except Exception:
                continue
        kept = sorted(
            n for n, v in found.items() if not (is_module(v) and "tensorflow" not in getattr(v, "__name__", ""))
        )
        symbols[path] = kept
        rows += [(path, n, "(module)" if is_module(found[n]) else identity(found[n])) for n in kept]
    for path, module in second_modules():
        found = {n: getattr(module, n) for n in dir(module) if not n.startswith("_")}
        rows += [(path, n, identity(v)) for n, v in sorted(found.items()) if not is_module(v)]
    for path, module in inner_modules():
        for name, value in sorted(vars(module).items()):
            if is_module(value) or name.startswith("__") or name.endswith("_eager_fallback"):
                continue
            if ".gen_" in path and name.startswith("_"):
                continue
            if type(value).__name__ == "_Feature":
                continue
            rows.append((path, name, identity(value)))
    with open(os.path.join(ROOT, "retrograd", "tf", "symbols.txt"), "w") as f:
        for path in sorted(symbols):
            f.write("%s: %s\n" % (path, " ".join(symbols[path])))
    with open(os.path.join(ROOT, "tests", "golden", "names.tsv"), "w") as f:
        for path, name, what in sorted(set(rows)):
            own = "tensorflow.%s.%s" % (path, name)
            f.write("%s\t%s\t%s\n" % (path, name, "=" if what == own else what))
    write_shown(shown_modules())


main()
