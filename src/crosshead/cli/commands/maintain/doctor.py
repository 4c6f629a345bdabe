"""crosshead doctor: verify an index, or list what is installed."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Annotated, Final

import typer

from crosshead.cli.commands.index import AsObject
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.terminal.output import one_line, print_error, write_json
from crosshead.errors import CorruptIndex
from crosshead.formats import known_formats
from crosshead.store import STORES
from crosshead.types import Finding

IndexArgument = Annotated[
    str | None,
    typer.Argument(metavar="INDEX", help="Folder or URL of an index; without it, list what is installed."),
]

EXTRAS: Final = {
    **{kind.extra: (kind.package, f"an index {kind.name}") for kind in STORES},
    "server": ("fastapi", "the page and HTTP"),
    "mcp": ("mcp", "AI assistants"),
    "ray": ("ray", "indexing on a Ray cluster"),
    "sentence-transformers": ("sentence_transformers", "models of sentence-transformers"),
    "langchain": ("langchain_core", "LangChain"),
    "llamaindex": ("llama_index", "LlamaIndex"),
    "haystack": ("haystack", "Haystack"),
    **{format.extra.name: format.extra[1:] for format in known_formats() if format.extra},
}
"""By extra: a module that it brings, and what it is for."""


def doctor(location: IndexArgument = None, as_json: AsObject = False) -> None:
    """Verify an index and say how to repair it; without an index, list what is installed.

    Compares every file with its checksum, every chunk with its document, and a sample of the vectors with what the
    model makes of the same text. The exit code is 1 if something is wrong.
    """
    if location is None:
        _print_environment(as_json=as_json)
        return
    name, findings = _verify(location)
    faults = [finding for finding in findings if finding.is_fault]
    if as_json:
        write_json({"index": name, "ok": not faults, "findings": [finding._asdict() for finding in findings]})
    else:
        for finding in findings:
            message = f"{finding.message}: {finding.repair}" if finding.repair else finding.message
            print_error(message, label="error" if finding.is_fault else "note")
        typer.echo(f"{name}: {len(faults):,} faults" if faults else f"{name}: sound")
    if faults:
        raise typer.Exit(CHECK_FAILED)


def _verify(location: str) -> tuple[str, list[Finding]]:
    """Return the location of an index without its password, and what is wrong with the index."""
    from crosshead.index import Index

    try:
        with Index(location, create=False) as index:
            return index.location, index.doctor()
    except CorruptIndex as error:
        return error.source, [Finding(str(error))]


def _print_environment(*, as_json: bool) -> None:
    versions = {"crosshead": _version("crosshead"), "python": platform.python_version(), "system": sys.platform}
    extras = {name: bool(find_spec(module)) for name, (module, _) in EXTRAS.items()}
    if as_json:
        write_json({**versions, "extras": extras})
        return
    for name, value in versions.items():
        typer.echo(f"{name}: {one_line(value)}")
    for name, is_installed in extras.items():
        state = "installed" if is_installed else f"pip install 'crosshead[{name}]'"
        typer.echo(f"{EXTRAS[name][1]}: {state}")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
