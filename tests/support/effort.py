"""How much is tried where chance decides: enough to notice a mistake, or more with `make test-long`."""

from __future__ import annotations

import os

IS_LONG = bool(os.environ.get("CROSSHEAD_LONG_TESTS"))


def tries(usual: int, long: int) -> int:
    """Return how often to try."""
    return long if IS_LONG else usual
