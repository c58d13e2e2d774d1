"""Actions within their bounds."""

from typing import Any

import numpy as np

from ..core import ActionWrapper


class ClipAction(ActionWrapper):
    """Clips actions to the bounds of the action space."""

    def action(self, action: Any) -> Any:
        return np.clip(action, self.action_space.low, self.action_space.high)  # type: ignore[attr-defined]
