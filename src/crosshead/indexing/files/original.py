"""The file of an indexed document, if it still is what was indexed.

The revision of a document is made of the hash of its file, so that another file shows. A file that was found unchanged
is not read again as long as its size, its times and its inode are the same.
"""

from __future__ import annotations

import os
import stat
import time
from hashlib import sha256
from typing import Final, NamedTuple

from crosshead import pipeline
from crosshead.errors import CrossheadError, OriginalChanged, OriginalMissing, OutsideRoot
from crosshead.formats import split_path
from crosshead.indexing.files.hashes import TICK_NS, FileStat
from crosshead.indexing.files.sources import UPLOADS
from crosshead.indexing.opened import OpenedIndex
from crosshead.indexing.steps.prepare import read_file
from crosshead.indexing.steps.source_file import SourceFile, content_revision, has_content, read_as_before
from crosshead.options import ExtractOptions
from crosshead.types import TEXT_REVISION, StoredDocument

_MOST_KNOWN: Final = 4096
_known: dict[tuple[SourceFile, str, str], str] = {}
"""The hashes of files that were found unchanged, by file, revision and recipe."""


class Original(NamedTuple):
    """The file of an indexed document."""

    source: str
    format: str
    path: str
    """The whole path; it may lead into an archive or a message."""
    digest: str
    """SHA-256 of the bytes that were indexed, in hex."""

    def read(self) -> bytes:
        """Return the bytes; raise `OriginalChanged` if they are not those that were indexed."""
        data = pipeline.read_bytes(self.path, ExtractOptions(), self.format, source=self.source)
        if sha256(data).hexdigest() != self.digest:
            raise changed_original(self.source)
        return data


def find_original(index: OpenedIndex, document: StoredDocument, *, below_root: bool = False) -> Original:
    """Return the file of a document; with `below_root`, files outside the root are refused, also behind links.

    Raises `OriginalMissing` if there is no file, and `OriginalChanged` if it is not the one that was indexed.
    """
    if document.revision.startswith(TEXT_REVISION):
        raise OriginalMissing("it was added as text, and has no file", document.source)
    file = _file_of(index, document)
    if below_root and not _lies_below(file.path, os.path.realpath(index.root)):
        raise OutsideRoot("its file is outside the root of the index", document.source)
    key = file, document.revision, index.recipe.fingerprint
    digest = _known.get(key) or _check(index, file, document)
    if file.stat and max(file.stat.mtime_ns, file.stat.ctime_ns) + TICK_NS < time.time_ns():
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[key] = digest
    return Original(document.source, document.format, file.path, digest)


def _file_of(index: OpenedIndex, document: StoredDocument) -> SourceFile:
    """Return where the file of a document is, as it was found when it was indexed."""
    root = os.path.realpath(index.root)
    path = os.path.join(root, document.source)
    outer, inner = (path, "") if os.path.exists(path) else split_path(path) or (path, "")
    try:
        found = os.stat(outer)
    except (OSError, ValueError) as error:
        raise OriginalMissing("its file is gone: index the folder again", document.source) from error
    if not stat.S_ISREG(found.st_mode):
        raise OriginalMissing("it is not a file any more: index the folder again", document.source)
    uploads = os.path.join(root, UPLOADS)
    home = "" if inner else uploads if path.startswith(os.path.join(uploads, "")) else root
    file = SourceFile(path, document.source, None, home, FileStat.of(found), bool(inner))
    return read_as_before(file, document.revision)


def _lies_below(path: str, root: str) -> bool:
    """Return whether a path, or the file that it leads into, is below a folder once all links are followed."""
    outer = path if os.path.exists(path) else (split_path(path) or (path, ""))[0]
    return os.path.realpath(outer).startswith(os.path.join(root, ""))


def _check(index: OpenedIndex, file: SourceFile, document: StoredDocument) -> str:
    """Return the hash of a file; raise `OriginalChanged` if the document was made of another one."""
    try:
        content = read_file(index.recipe, file)
    except CrossheadError as error:
        raise OriginalMissing(f"its file cannot be read: {error.reason}", document.source) from error
    if not has_content(document.revision, content_revision(index.recipe, file, content.digest, content.included)):
        raise changed_original(document.source)
    return content.digest


def changed_original(source: str) -> OriginalChanged:
    """Return the error for a file that is not what was indexed."""
    return OriginalChanged("its file has changed since it was indexed: index it again", source)
