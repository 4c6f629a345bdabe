"""DOC and PPT (before 2007) -> Markdown: LibreOffice, if installed, converts them to current formats.

It runs in a separate process with its own profile, without macros or remote resources, within a time limit.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final

from crosshead.errors import CorruptFile, EncryptedFile, ExtractError, TooLarge, UnsupportedFormat
from crosshead.formats.base import Extracted
from crosshead.formats.registry import get_format
from crosshead.formats.shared.containers.compound import MARK, CompoundFile
from crosshead.options import ExtractOptions
from crosshead.runtime.scratch import scratch_folder

TIMEOUT_SECONDS: Final = 120
_PROGRAMS: Final = ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")
_FLAGS: Final = ("--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo", "--nofirststartwizard")
_ENCRYPTED_WORD: Final = 0x0100
_SECURITY: Final = "/org.openoffice.Office.Common/Security/Scripting"
_SETTINGS: Final = {"DisableMacrosExecution": "true", "MacroSecurityLevel": "3", "BlockUntrustedRefererLinks": "true"}


def read_doc(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a Word document from before 2007; what only has its suffix is mostly plain text."""
    if not data.startswith(MARK):
        return get_format("text").load_reader()(data, options)
    file = CompoundFile(data)
    stream = file.entries().get("WordDocument")
    if stream is not None and int.from_bytes(file.read(stream)[10:12], "little") & _ENCRYPTED_WORD:
        raise EncryptedFile("the Word file is encrypted: save it without a password")
    return get_format("docx").load_reader()(_convert(data, "doc", "docx"), options)


def read_ppt(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a PowerPoint presentation from before 2007."""
    if not data.startswith(MARK):
        raise CorruptFile("not a PowerPoint file, or damaged: save or download it again")
    if "EncryptedSummary" in CompoundFile(data).entries():
        raise EncryptedFile("the PowerPoint file is encrypted: save it without a password")
    return get_format("pptx").load_reader()(_convert(data, "ppt", "pptx"), options)


def _convert(data: bytes, old: str, new: str) -> bytes:
    """Return the bytes of the same document in another format."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        raise UnsupportedFormat(
            f"an old Office file ({old.upper()}), which needs LibreOffice: install it, so that soffice is on "
            f"the PATH, or save the file as {new.upper()}"
        )
    with scratch_folder() as folder:
        given, made = folder / f"document.{old}", folder / "made" / f"document.{new}"
        given.write_bytes(data)
        profile = _write_profile(folder / "profile")
        _run(
            [
                program,
                *_FLAGS,
                f"-env:UserInstallation={profile}",
                "--convert-to",
                new,
                "--outdir",
                str(made.parent),
                str(given),
            ],
            folder,
        )
        if not made.is_file():
            raise CorruptFile(f"LibreOffice cannot read this {old.upper()} file: open it and save it as {new.upper()}")
        return made.read_bytes()


def _write_profile(folder: Path) -> str:
    (folder / "user").mkdir(parents=True)
    items = [
        f'<item oor:path="{_SECURITY}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for name, value in _SETTINGS.items()
    ]
    namespace = 'xmlns:oor="http://openoffice.org/2001/registry"'
    settings = f'<?xml version="1.0" encoding="UTF-8"?><oor:items {namespace}>{"".join(items)}</oor:items>'
    (folder / "user" / "registrymodifications.xcu").write_text(settings, encoding="utf-8")
    return folder.as_uri()


def _run(command: list[str], temporary: Path) -> None:
    """Run a program; one that takes too long is ended with all that it started."""
    environment = {**os.environ, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(temporary))}
    try:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise ExtractError(f"LibreOffice does not start: {error.strerror or error}") from error
    try:
        process.wait(TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise TooLarge(
            f"LibreOffice took more than {TIMEOUT_SECONDS} seconds to convert the file: save it in a current format"
        ) from error
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait()
