"""Where the names of ``tf.contrib`` come from; added to the table of ``faces_table``.

A row is: a module of a part | TensorFlow's modules | their names, ``ours=theirs`` where they differ.
"""

from faces_table import EMPTY, EXTRA, HIDDEN, RENAMED, words  # noqa: F401

SERVED = """
contrib.optimizing | contrib.layers contrib.slim contrib.layers.python.layers.optimizers contrib.layers.python.layers
    | optimize_loss adaptive_clipping_fn OPTIMIZER_CLS_NAMES OPTIMIZER_SUMMARIES
contrib.summarizing | contrib.layers contrib.slim contrib.layers.python.layers.summaries contrib.layers.python.layers
    contrib.layers.summaries | summarize_activation summarize_tensor summarize_tensors summarize_collection
    summarize_activations summarize_variables summarize_weights summarize_biases
contrib.summarizing | contrib.slim.summaries contrib.slim.python.slim.summaries | add_histogram_summary
    add_image_summary add_scalar_summary add_zero_fraction_summary add_histogram_summaries add_image_summaries
    add_scalar_summaries add_zero_fraction_summaries
contrib.analyzing | contrib.slim.model_analyzer contrib.slim.python.slim.model_analyzer | tensor_description
    analyze_ops analyze_vars
contrib.learning | contrib.training contrib.training.python.training.training | train
train.train_ops | contrib.training contrib.training.python.training.training | add_gradients_summaries
    clip_gradient_norms clip_gradient_norms_fn create_train_op multiply_gradients
train.train_ops | contrib.slim.learning contrib.slim.python.slim.learning | clip_gradient_norms
contrib.learning | contrib.slim.learning contrib.slim.python.slim.learning | create_train_op multiply_gradients
    add_gradients_summaries train_step train_slim=train
contrib.evaluating | contrib.training contrib.training.python.training.evaluation contrib.training.evaluation |
    StopAfterNEvalsHook SummaryAtEndHook checkpoints_iterator evaluate_once evaluate_repeatedly
    get_or_create_eval_step wait_for_new_checkpoint
contrib.evaluating | contrib.slim.evaluation contrib.slim.python.slim.evaluation | evaluate_once_slim=evaluate_once
    evaluation_loop wait_for_new_checkpoint checkpoints_iterator
contrib.slim_data | contrib.slim.dataset contrib.slim.python.slim.data.dataset | Dataset
contrib.slim_data | contrib.slim.data_provider contrib.slim.python.slim.data.data_provider | DataProvider
contrib.slim_data | contrib.slim.data_decoder contrib.slim.python.slim.data.data_decoder | DataDecoder
contrib.slim_data | contrib.slim.dataset_data_provider contrib.slim.python.slim.data.dataset_data_provider |
    DatasetDataProvider
contrib.slim_data | contrib.slim.parallel_reader contrib.slim.python.slim.data.parallel_reader | ParallelReader
    parallel_read single_pass_read get_data_files
contrib.slim_data | contrib.slim.prefetch_queue contrib.slim.python.slim.data.prefetch_queue | prefetch_queue
contrib.slim_data | contrib.slim.queues contrib.slim.python.slim.queues | QueueRunners NestedQueueRunnerError
contrib.slim_data | contrib.slim.tfexample_decoder contrib.slim.python.slim.data.tfexample_decoder | ItemHandler
    ItemHandlerCallback BoundingBox Tensor LookupTensor BackupHandler SparseTensor Image TFExampleDecoder
io.event_files | python.summary.summary_iterator | summary_iterator
ops.accumulators | sparse python.ops.data_flow_ops | SparseConditionalAccumulator
ops.accumulators | python.ops.data_flow_ops | ConditionalAccumulatorBase ConditionalAccumulator
ops.accumulators | - | ConditionalAccumulator SparseConditionalAccumulator ConditionalAccumulatorBase
sessions.sync_replicas | train python.training.sync_replicas_optimizer python.training.training |
    SyncReplicasOptimizer
train.bucketing | contrib.training contrib.training.python.training.bucket_ops contrib.training.bucket_ops | bucket
    bucket_by_sequence_length
train.sampling | contrib.training contrib.training.python.training.sampling_ops | rejection_sample stratified_sample
train.sampling | contrib.training contrib.training.python.training.resample | resample_at_rate weighted_resample
train.queue_runner | contrib.training | QueueRunner=FeedingQueueRunner
"""

for _row in SERVED.replace("\n    ", " ").strip().splitlines():
    _part, _modules, _names = (cell.strip() for cell in _row.split("|"))
    for _module in words(_modules):
        for _pair in words(_names):
            _ours, _, _theirs = _pair.partition("=")
            RENAMED["" if _module == "-" else _module, _theirs or _ours] = f"retrograd.{_part}:{_ours}"
    if _part.startswith(("contrib.", "nn.contrib.")):
        HIDDEN.add((f"retrograd.{_part}", "*"))
EXTRA["contrib.slim"] = "from retrograd.tf.contrib import layers"
