"""What the files of a project say about its site: which program shows the documents, and what else it adds to them."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from crosshead.linking.anchors import AnchorRules

CONFIGS: Final[tuple[tuple[str, AnchorRules], ...]] = (
    ("mkdocs.yml", "mkdocs"), ("mkdocs.yaml", "mkdocs"), ("docusaurus.config.js", "docusaurus"),
    ("docusaurus.config.ts", "docusaurus"), ("docusaurus.config.mjs", "docusaurus"), ("book.toml", "mdbook"),
    ("conf.py", "sphinx"), ("myst.yml", "sphinx"),
)  # fmt: skip
FOLDERS: Final = (
    "", "docs", "doc", "website", "site", "documentation", "docs/source", "doc/source", "docs/src", "book",
    "guide", "..",
)  # fmt: skip
"""Where the settings of a site are, relative to the root."""
STATIC: Final = ("static", "public", "docs/static", "docs/public", "website/static", "site/static")
"""Folders whose files a site shows at its root."""
MAX_BYTES: Final = 200_000

_INTERSPHINX = re.compile(r"^[^#\n]*intersphinx_mapping", re.M)
_IS_SPHINX = re.compile(r"\b(?:extensions|html_theme|master_doc|project)\b")
_DOCS_FOLDER = re.compile(r"^docs_dir:[ \t]*['\"]?([^'\"#\n]+)", re.M)


class Site(NamedTuple):
    """A site that shows documents below a folder."""

    rules: AnchorRules = "github"
    folder: str = ""
    """Whose documents it shows, relative to the root."""
    has_other_labels: bool = False
    """Does it refer to labels of other projects, which cannot be looked up here?"""
    has_title_labels: bool = False
    """Are titles labels, too?"""


class SiteFiles:
    """The files around the documents, if the root of the index is on this machine."""

    def __init__(self, root: Path | str | None) -> None:
        self.root = Path(root) if root is not None and os.path.isdir(root) else None

    @cached_property
    def sites(self) -> list[Site]:
        """The sites whose settings are near the root, the deepest first."""
        return sorted(self._find(), key=lambda site: -len(site.folder))

    def site_of(self, source: str) -> Site:
        """Return the site that shows a document: GitHub, if no other is known."""
        around = (each for each in self.sites if not each.folder or source.startswith(f"{each.folder}/"))
        return next(around, Site())

    def exists(self, path: str) -> bool:
        """Return whether there is a file or folder of this path, relative to the root."""
        if self.root is None or "\0" in path:
            return False
        try:
            return (self.root / path).exists()
        except OSError:  # a name that is too long
            return False

    def _find(self) -> Iterator[Site]:
        if self.root is None:
            return
        for folder in (*FOLDERS, *self._folders_below("docs", "doc")):
            for name, rules in CONFIGS:
                path = self.root / folder / name
                if path.is_file():
                    settings = _read(path)
                    if name != "conf.py" or _IS_SPHINX.search(settings):
                        shown, others = self._shown(folder, rules, settings), bool(_INTERSPHINX.search(settings))
                        yield Site(rules, shown, others, "autosectionlabel" in settings)
                        break

    def _folders_below(self, *folders: str) -> Iterator[str]:
        """Yield what is directly below some folders, such as the languages of the documents."""
        assert self.root is not None
        for folder in folders:
            path = self.root / folder
            if path.is_dir():
                yield from (f"{folder}/{each.name}" for each in sorted(path.iterdir()) if each.is_dir())

    def _shown(self, folder: str, rules: AnchorRules, settings: str) -> str:
        """Return the folder whose documents a site shows, relative to the root; MkDocs has one below its settings."""
        if folder == ".." or self.root is None:
            return ""
        stated = _DOCS_FOLDER.search(settings)
        below = (stated[1].strip() if stated else "docs") if rules == "mkdocs" else ""
        shown = posixpath.normpath(posixpath.join(folder, below))
        return "" if shown.startswith(".") else shown


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
