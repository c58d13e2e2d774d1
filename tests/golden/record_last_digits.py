"""Record ``last_digits.json``: run with TensorFlow 1.15.5's Python."""

import json
from pathlib import Path

import tensorflow as tf
from last_digit_cases import results

HERE = Path(__file__).parent


def main():
    (HERE / "last_digits.json").write_text(json.dumps(results(tf), indent=1) + "\n")


if __name__ == "__main__":
    main()
