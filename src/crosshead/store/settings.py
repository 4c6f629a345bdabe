"""What an index was made with, as every store keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def changed(settings: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """Return settings with another value of one; None removes it."""
    others = {each: kept for each, kept in settings.items() if each != name}
    return others if value is None else {**others, name: value}
