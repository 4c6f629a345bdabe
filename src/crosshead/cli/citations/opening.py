"""Open what a citation names: a text in the editor at its line, a PDF in its viewer at its page.

Programs are started from lists of arguments, never by a shell, and files by their whole path, which is no option.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from crosshead.citation import Citation
from crosshead.errors import OptionsError

_PLUS: Final = ("+{line}", "{path}")
_GOTO: Final = ("--goto", "{path}:{line}")
_COLON: Final = ("{path}:{line}",)
_LINE: Final = ("--line", "{line}", "{path}")
EDITORS: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(("vi", "vim", "nvim", "gvim", "view", "nano", "emacs", "emacsclient", "micro", "kak"), _PLUS),
    **dict.fromkeys(("code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"), _GOTO),
    **dict.fromkeys(("subl", "hx", "helix", "zed"), _COLON),
    **dict.fromkeys(("idea", "pycharm", "webstorm", "goland", "kate"), _LINE),
    "mate": ("-l", "{line}", "{path}"),
    "notepad++": ("-n{line}", "{path}"),
}
"""How editors take a line."""

_BROWSER: Final = ("{url}#page={page}",)
VIEWERS: Final[Mapping[str, Sequence[str]]] = {
    "evince": ("--page-index={page}", "{path}"),
    "atril": ("--page-index={page}", "{path}"),
    "okular": ("--page", "{page}", "{path}"),
    "zathura": ("--page={page}", "{path}"),
    "sioyek": ("--page", "{page}", "{path}"),
    "qpdfview": ("{path}#{page}",),
    "mupdf": ("{path}", "{page}"),
    "xpdf": ("{path}", "{page}"),
    **dict.fromkeys(("firefox", "chromium", "google-chrome", "brave-browser", "microsoft-edge", "vivaldi"), _BROWSER),
}
"""How viewers of PDF take a page; a browser takes it in the URL."""


def open_citation(path: str, citation: Citation) -> bool:
    """Open a file where a citation says; return whether the program that opens it knows that position."""
    if citation.unit == "lines":
        command = editor_command(path, citation.first, os.environ)
        return _run(command, f"set VISUAL or EDITOR to open {path} at line {citation.first}")
    if citation.unit == "pages":
        command = viewer_command(path, citation.first, _default_viewer())
        if command:
            return _run(command, "")
    if sys.platform == "win32":
        os.startfile(path)
    else:
        _run(opener_command(path, os.environ), f"no program to open it here: {path}{citation.position}")
    return not citation.position


def editor_command(path: str, line: int, environment: Mapping[str, str]) -> list[str]:
    """Return the command of the user's editor, empty without one; an editor that we do not know opens the file."""
    given = environment.get("VISUAL") or environment.get("EDITOR") or ""
    try:
        editor = shlex.split(given, posix=os.name != "nt")
    except ValueError as error:
        raise OptionsError(f"VISUAL or EDITOR is not a command: {given!r}") from error
    if not editor:
        return []
    name = os.path.basename(editor[0]).lower().removesuffix(".exe")
    return [*editor, *_filled(EDITORS.get(name, ("{path}",)), path, line=line)]


def viewer_command(path: str, page: int, default: str) -> list[str]:
    """Return the command of the default viewer, by the name of its desktop entry; empty if it takes no page."""
    name = next((name for name in VIEWERS if name in default.lower() and shutil.which(name)), "")
    return [name, *_filled(VIEWERS[name], path, page=page)] if name else []


def opener_command(path: str, environment: Mapping[str, str]) -> list[str]:
    """Return the command that opens a file with its own program; empty where there is no desktop."""
    if sys.platform == "darwin":
        return ["open", path]
    has_desktop = any(map(environment.get, ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")))
    opener = next(filter(shutil.which, ("xdg-open", "wslview")), "")
    return [opener, path] if has_desktop and opener else []


def _filled(arguments: Sequence[str], path: str, **numbers: int) -> list[str]:
    """Return arguments with the path and the position in them."""
    values = {"path": path, "url": Path(path).as_uri() if os.path.isabs(path) else path, **numbers}
    return [each.format_map(values) for each in arguments]


def _default_viewer() -> str:
    """Return the desktop entry that opens PDF files on Linux; empty elsewhere."""
    if sys.platform in ("win32", "darwin") or not shutil.which("xdg-mime"):
        return ""
    query = ["xdg-mime", "query", "default", "application/pdf"]
    try:
        return subprocess.run(query, capture_output=True, text=True, timeout=5, check=False).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def _run(command: Sequence[str], otherwise: str) -> bool:
    if not command:
        raise OptionsError(otherwise)
    try:
        code = subprocess.run(command, check=False).returncode
    except FileNotFoundError as error:
        raise OptionsError(f"{command[0]} is not installed: set VISUAL or EDITOR to an editor that is") from error
    if code:
        raise OptionsError(f"{shlex.join(command)} ended with exit code {code}")
    return True
