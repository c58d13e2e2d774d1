"""The names of ``tensorflow.python.tools.saved_model_cli``."""

from retrograd.faces import missing
from retrograd.io.saved_model.command_line import (
    _OP_BLACKLIST,
    _print_tensor_info,
    create_parser,
    load_inputs_from_input_arg_string,
    main,
    preprocess_input_examples_arg_string,
    preprocess_input_exprs_arg_string,
    preprocess_inputs_arg_string,
    run,
    run_saved_model_with_feed_dict,
    scan,
    show,
)

if __name__ == "__main__":
    raise SystemExit(main())

__getattr__ = missing(__name__)
