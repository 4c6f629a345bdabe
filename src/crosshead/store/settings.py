"""The settings of an index, in every store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

SCHEMA_SETTING: Final = "schema_version"
"""The setting of an index in a folder or on object storage that says which versions of Crosshead read it."""
SETTINGS_FILE: Final = "settings.json"
"""The file with the settings of an index in a folder or on object storage; it is written last."""
PARTS_FILE: Final = "parts.json"
"""The file in a folder, or below a prefix, that says how many parts an index has."""
FILE_HASHES: Final = "files.json"
"""The file in the folder of an index in which indexing remembers the hashes of files; the index works without it."""
QUESTIONS_FILE: Final = "questions.jsonl"
"""The file in the folder of an index to which ratings of hits and answers are added; the index works without it."""


def changed(settings: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """Return settings with a new value for one; None removes it."""
    others = {each: stored for each, stored in settings.items() if each != name}
    return others if value is None else {**others, name: value}
