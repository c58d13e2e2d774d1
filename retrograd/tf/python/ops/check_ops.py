"""The names of ``tensorflow.python.ops.check_ops``."""

from retrograd.faces import missing
from retrograd.nn.second import (
    assert_equal as assert_equal_v2,
)
from retrograd.nn.second import (
    assert_greater as assert_greater_v2,
)
from retrograd.nn.second import (
    assert_greater_equal as assert_greater_equal_v2,
)
from retrograd.nn.second import (
    assert_integer as assert_integer_v2,
)
from retrograd.nn.second import (
    assert_less as assert_less_v2,
)
from retrograd.nn.second import (
    assert_less_equal as assert_less_equal_v2,
)
from retrograd.nn.second import (
    assert_near as assert_near_v2,
)
from retrograd.nn.second import (
    assert_negative as assert_negative_v2,
)
from retrograd.nn.second import (
    assert_non_negative as assert_non_negative_v2,
)
from retrograd.nn.second import (
    assert_non_positive as assert_non_positive_v2,
)
from retrograd.nn.second import (
    assert_none_equal as assert_none_equal_v2,
)
from retrograd.nn.second import (
    assert_positive as assert_positive_v2,
)
from retrograd.nn.second import (
    assert_rank as assert_rank_v2,
)
from retrograd.nn.second import (
    assert_rank_at_least as assert_rank_at_least_v2,
)
from retrograd.nn.second import (
    assert_rank_in as assert_rank_in_v2,
)
from retrograd.nn.second import (
    assert_scalar as assert_scalar_v2,
)
from retrograd.nn.second import (
    assert_type as assert_type_v2,
)
from retrograd.ops.arrays import ensure_shape
from retrograd.ops.checks import (
    assert_equal,
    assert_greater,
    assert_greater_equal,
    assert_integer,
    assert_less,
    assert_less_equal,
    assert_near,
    assert_negative,
    assert_non_negative,
    assert_non_positive,
    assert_none_equal,
    assert_positive,
    assert_proper_iterable,
    assert_same_float_dtype,
    assert_type,
    is_non_decreasing,
    is_numeric_tensor,
    is_strictly_increasing,
)
from retrograd.ops.shape_checks import (
    assert_rank,
    assert_rank_at_least,
    assert_rank_in,
    assert_scalar,
    assert_shapes,
)

__getattr__ = missing(__name__)
