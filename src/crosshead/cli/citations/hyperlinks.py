"""Links in the terminal (OSC 8): a click on a citation opens its file."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

Hyperlinks = Literal["auto", "never", "always"]
Hyperlink = Annotated[
    Hyperlinks,
    typer.Option(
        "--hyperlink",
        metavar="auto|never|always",
        envvar="CROSSHEAD_HYPERLINK",
        show_envvar=False,
        show_default=False,
        help="Link citations to their files; auto does it in terminals that are known to support links.",
    ),
]

_PROGRAMS: Final = ("iTerm.app", "WezTerm", "vscode", "Hyper", "ghostty", "Tabby", "rio", "WarpTerminal")
_TERMS: Final = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour", "wezterm")
_VARIABLES: Final = ("KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "DOMTERM", "ALACRITTY_WINDOW_ID")
_MIN_VTE: Final = 5000
"""Version 0.50 of the library behind GNOME Terminal and others, the first with links."""
_OPEN: Final = "\x1b]8;;"
_END: Final = "\x1b\\"


def are_links_wanted(hyperlink: Hyperlinks) -> bool:
    """Return whether to print links on standard output."""
    if hyperlink == "auto":
        return sys.stdout.isatty() and supports_links(os.environ)
    return hyperlink == "always"


def supports_links(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal is known to support links; any other may print them as text."""
    term, vte = environment.get("TERM", ""), environment.get("VTE_VERSION", "")
    if term == "dumb" or (term.startswith("screen") and not environment.get("TMUX")):
        return False
    return (
        environment.get("TERM_PROGRAM") in _PROGRAMS
        or term.startswith(_TERMS)
        or any(map(environment.get, _VARIABLES))
        or (vte.isdecimal() and int(vte) >= _MIN_VTE)
    )


def link(text: str, path: str) -> str:
    """Return a text as a link to a file; the whole path is encoded, so that no name can end the link."""
    return f"{_OPEN}{Path(path).as_uri()}{_END}{text}{_OPEN}{_END}"
