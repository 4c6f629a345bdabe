"""Uploaded files.

Uploads are in the folder `uploads` below the root of the index. A new one waits in a hidden
folder until its job runs.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from crosshead.formats import container_format
from crosshead.indexing import UPLOADS
from crosshead.server.errors import Refusal
from crosshead.server.paths import lies_in, outside

INCOMING: Final = ".incoming"
"""Hidden, so that incomplete files are not indexed."""
MOST_NAME_BYTES: Final = 200


class Uploads:
    """The uploads of one server; its folder is created with the first one."""

    def __init__(self, root: Path) -> None:
        self.folder = root / UPLOADS
        self.incoming = self.folder / INCOMING

    def place(self, source: str) -> Path:
        """Return the path for an upload; its name may contain folders, but must stay inside the folder of uploads."""
        parts = source.split("/")
        if not all(map(_is_plain, parts)):
            raise Refusal(
                400,
                "bad-source",
                f"{source[:100]!r} is not a valid name for an upload: use a relative path such as team/guide.md",
            )
        format = container_format(source)
        if format is not None and format.kind == "archive":
            raise Refusal(
                415,
                "unsupported-media-type",
                f"{source}: archives are not accepted: unpack it and upload its documents",
            )
        path = self.folder.joinpath(*parts)
        if not lies_in(path, self.folder) or not lies_in(self.folder, self.folder.parent):
            raise outside(source)
        if path.is_dir() or any(each.is_file() for each in path.parents if each != self.folder):
            raise Refusal(409, "bad-source", f"{source}: a folder, or a file in its path, has that name already")
        return path

    async def receive(self, document: Path, parts: AsyncIterator[bytes]) -> None:
        """Write an upload; after that it survives a power cut."""
        try:
            with open(document, "wb") as file:
                async for part in parts:
                    await asyncio.to_thread(file.write, part)
                file.flush()
                await asyncio.to_thread(os.fsync, file.fileno())
        except BaseException as error:
            document.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise Refusal(
                    507, "insufficient-storage", f"the upload could not be stored: {error.strerror}"
                ) from error
            raise

    def forget(self, source: str, root: Path) -> None:
        """Delete the file of a document if it was uploaded."""
        path = root / source
        if source.startswith(f"{UPLOADS}/") and lies_in(path, self.folder) and path.is_file():
            path.unlink(missing_ok=True)


def _is_plain(part: str) -> bool:
    return bool(
        part and not part.startswith(".") and part.isprintable() and not {"\\", ":"} & set(part)
        and len(part.encode("utf-8", "replace")) <= MOST_NAME_BYTES
    )  # fmt: skip
