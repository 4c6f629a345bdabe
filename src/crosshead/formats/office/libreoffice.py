"""LibreOffice, if installed, converts documents to other formats.

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

from crosshead.errors import CorruptFile, ExtractError, TooLarge
from crosshead.runtime.scratch import scratch_folder

TIMEOUT_SECONDS: Final = 120
MOST_BYTES: Final = 256 << 20
"""Of a converted file."""
_PROGRAMS: Final = ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")
_running: Final[set[subprocess.Popen[bytes]]] = set()
_FLAGS: Final = ("--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo", "--nofirststartwizard")
_SECURITY: Final = "/org.openoffice.Office.Common/Security/Scripting"
_SETTINGS: Final = {"DisableMacrosExecution": "true", "MacroSecurityLevel": "3", "BlockUntrustedRefererLinks": "true"}


def is_installed() -> bool:
    """Return whether there is a LibreOffice."""
    return bool(_program())


def _program() -> str:
    return next(filter(None, map(shutil.which, _PROGRAMS)), "")


def convert(data: bytes, old: str, new: str, options: str = "") -> bytes:
    """Return the bytes of the same document in another format; `options` are those of the filter that writes it."""
    with scratch_folder() as folder:
        given, made = folder / f"document.{old}", folder / "made" / f"document.{new}"
        given.write_bytes(data)
        profile = f"-env:UserInstallation={_write_profile(folder / 'profile')}"
        target = ["--convert-to", f"{new}{options}", "--outdir", str(made.parent)]
        _run([_program(), *_FLAGS, profile, *target, str(given)], folder)
        if not made.is_file():
            raise CorruptFile(f"LibreOffice cannot read this {old.upper()} file: open it and save it as {new.upper()}")
        if made.stat().st_size > MOST_BYTES:
            raise TooLarge(f"as {new.upper()} it is larger than {MOST_BYTES >> 20} MiB: part it")
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
    _running.add(process)
    try:
        process.wait(TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise TooLarge(f"LibreOffice took more than {TIMEOUT_SECONDS} seconds to convert the file") from error
    finally:
        _end(process)
        _running.discard(process)


def end_all() -> None:
    """End what is running: a server that stops need not wait."""
    for process in [*_running]:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait()
