"""Folders that may be named, each with its index; or the root alone, with an index elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from crosshead.errors import IndexNotFound, IndexReplaced, OptionsError
from crosshead.index import Index, JoinedIndex
from crosshead.options import DEFAULT_LOCATION, PART_SECONDS
from crosshead.server.errors import Refusal, not_found
from crosshead.server.paths import lies_in
from crosshead.store import is_pattern

LOCKED_SECONDS: Final = 30.0
"""How long to wait for another process that is writing."""

T = TypeVar("T")
AnyIndex = Index | JoinedIndex


class Projects:
    """The projects below a root. The index of each is opened once, and shared by all threads."""

    def __init__(
        self,
        root: Path,
        locations: Sequence[str] = (),
        *,
        part_seconds: float = PART_SECONDS,
        require_all: bool = False,
    ) -> None:
        """With the locations of an index, or of several to search as one, the root is the only project."""
        if not root.is_dir():
            raise OptionsError(f"{root}: no such folder")
        here = Path.cwd()
        self._root = Path(os.path.realpath(root))
        self._locations = locations
        self._joining: dict[str, Any] = {"part_seconds": part_seconds, "require_all": require_all}
        self.home = here if not locations and lies_in(here, self._root) else self._root
        """The project that calls without a project_path are about."""
        self._open: dict[tuple[Path, Path | None], AnyIndex] = {}
        self._opening = Lock()

    def __enter__(self) -> Projects:
        return self

    def __exit__(self, *_: object) -> None:
        for index in self._open.values():
            index.close()

    def folder(self, project_path: str) -> Path:
        """Return the folder of a project; a relative path begins at the home."""
        folder = self._allowed(project_path, self.home)
        if not folder.is_dir():
            raise OptionsError(f"{project_path}: not a folder: project_path is the folder of the project")
        if self._locations and folder != self._root:
            raise OptionsError(f"{project_path}: this server has one index for its whole root: omit project_path")
        self._allowed(DEFAULT_LOCATION, folder, exists=False)
        return folder

    def path(self, path: str, project_path: str, *, exists: bool = True) -> Path:
        """Return a file or folder of a project."""
        folder = self.folder(project_path)
        found = self._allowed(path, folder, exists=exists)
        if not lies_in(found, folder):
            raise _outside(f"{path[:100]!r} is outside {folder}: give the folder of its project as project_path")
        return found

    def _allowed(self, path: str, folder: Path, *, exists: bool = True) -> Path:
        """Return a file or folder below the root; links of a folder are resolved, a file keeps its name."""
        found = folder / os.path.expanduser(path)
        if "\0" in path or not lies_in(found, self._root):
            raise _outside(f"{path[:100]!r} is outside {self._root}: only crosshead mcp --root can allow it")
        if exists and not os.path.exists(found):
            raise not_found(f"{found}")
        return Path(os.path.realpath(found)) if found.is_dir() else found

    def read(self, project_path: str, read: Callable[[AnyIndex], T]) -> T:
        """Return the result of reading the index of a project."""
        try:
            return self._use(project_path, read, create=False)
        except IndexNotFound as error:
            raise IndexNotFound(
                f"nothing is indexed in {self.folder(project_path)} yet: call rag_index first"
            ) from error

    def write(self, project_path: str, write: Callable[[Index], T], **chunking: Any) -> T:
        """Return the result of writing to the index of a project, which is created if it does not exist."""
        if self._are_several:
            raise OptionsError("this server only reads, because it searches several indexes: crosshead index writes")

        def use(index: AnyIndex) -> T:
            assert not isinstance(index, JoinedIndex)
            return write(index)

        return self._use(project_path, use, create=True, **chunking)

    @property
    def _are_several(self) -> bool:
        return len(self._locations) > 1 or any(map(is_pattern, self._locations))

    def _use(self, project_path: str, use: Callable[[AnyIndex], T], **options: Any) -> T:
        """Use an index; open it again if it was removed or replaced since it was opened."""
        folder = self.folder(project_path)
        try:
            return use(self._index(folder, **options))
        except (IndexNotFound, IndexReplaced):
            with self._opening:
                self._open = {key: index for key, index in self._open.items() if key[0] != folder}
            return use(self._index(folder, **options))

    def _index(self, folder: Path, *, create: bool, **chunking: Any) -> AnyIndex:
        """Return the index of a folder; opening it with chunking options checks them, also if it is open already."""
        root = folder if self._locations and create else None  # reading does not need the files
        with self._opening:
            if chunking or (folder, root) not in self._open:
                opened = self._opened(folder, root, create=create, **chunking)
                if self._open.setdefault((folder, root), opened) is not opened:
                    opened.close()
            return self._open[folder, root]

    def _opened(self, folder: Path, root: Path | None, *, create: bool, **chunking: Any) -> AnyIndex:
        if self._are_several:
            return Index.join(self._locations, **self._joining)
        location = next(iter(self._locations), folder / DEFAULT_LOCATION)
        return Index(location, root=root, create=create, wait_seconds=LOCKED_SECONDS, **chunking)


def _outside(detail: str) -> Refusal:
    return Refusal(403, "outside-root", detail)
