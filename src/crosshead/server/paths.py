"""Paths that a client may name: below a root, also after links are followed."""

from __future__ import annotations

import os
from pathlib import Path

from crosshead.server.errors import Refusal, not_found


def path_inside(root: Path, path: str) -> Path:
    """Return the file or folder that a client names, absolute or relative to the root; hidden ones are refused."""
    found = root / path
    if "\0" in path or not lies_in(found, root) or any(part.startswith(".") for part in _below(root, found)):
        raise outside(path)
    if not os.path.exists(found):
        raise not_found(path)
    return found


def lies_in(path: Path, folder: Path) -> bool:
    """Return whether a path is a folder, or below it, once all links are followed."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def outside(path: str) -> Refusal:
    """Return the refusal of a path outside the root."""
    return Refusal(403, "outside-root", f"{path[:100]!r} is hidden, or outside the folder that may be indexed")


def _below(root: Path, path: Path) -> tuple[str, ...]:
    return Path(os.path.realpath(path)).relative_to(os.path.realpath(root)).parts
