"""onnxruntime, loaded without its telemetry.

Since version 1.29 it sends data about the machine and the models to its maker, and writes an identifier into the home
folder, as soon as it is imported; only this variable prevents it.
"""

from __future__ import annotations

import os
from typing import Any


def load_onnxruntime() -> Any:
    """Import onnxruntime; a user who sets the variable decides."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    return onnxruntime
