"""Taking elements out of tensors by position."""

from __future__ import annotations

from typing import Any

from retrograd.graph.apply import apply
from retrograd.graph.tensor import Tensor
