"""crosshead doctor: is an index sound, and what is installed here?"""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Annotated, Final

import typer

from crosshead.cli.commands.index import AsObject
from crosshead.cli.output import one_line, print_error, write_json
from crosshead.cli.program import CHECK_FAILED
from crosshead.errors import CorruptIndex
from crosshead.types import Finding

Place = Annotated[
    str | None,
    typer.Argument(metavar="INDEX", help="The folder of an index, or its URL; none tells what is here."),
]

EXTRAS: Final = {
    "index": ("lance", "an index on this machine"),
    "postgres": ("psycopg", "an index in PostgreSQL"),
    "s3": ("obstore", "an index on object storage"),
    "server": ("fastapi", "the page and HTTP"),
    "mcp": ("mcp", "AI assistants"),
    "ray": ("ray", "indexing on a Ray cluster"),
    "sentence-transformers": ("sentence_transformers", "models of sentence-transformers"),
    "langchain": ("langchain_core", "LangChain"),
    "llamaindex": ("llama_index", "LlamaIndex"),
    "haystack": ("haystack", "Haystack"),
    "ocr": ("rapidocr", "text of scanned pages and images"),
    "xls": ("xlrd", "Excel files of before 2007"),
}
"""What each extra brings, and what it is for."""


def doctor(location: Place = None, as_json: AsObject = False) -> None:
    """Verify an index, and say what to run; without one, tell what is installed here.

    Every file is compared with its checksum, every chunk with its document, and some vectors with those that the model
    makes of the same text. The exit code is 1 if something is wrong.
    """
    if location is None:
        _tell_environment(as_json=as_json)
        return
    shown, findings = _findings(location)
    faults = [each for each in findings if each.is_fault]
    if as_json:
        write_json({"index": shown, "ok": not faults, "findings": [each._asdict() for each in findings]})
    else:
        for each in findings:
            told = f"{each.message}: {each.repair}" if each.repair else each.message
            print_error(told, label="error" if each.is_fault else "note")
        typer.echo(f"{shown}: {len(faults):,} faults" if faults else f"{shown}: sound")
    if faults:
        raise typer.Exit(CHECK_FAILED)


def _findings(location: str) -> tuple[str, list[Finding]]:
    """Return what is wrong with an index, and its name, which lets nobody in."""
    from crosshead.index import Index

    try:
        with Index(location, create=False) as index:
            return index.location, index.doctor()
    except CorruptIndex as error:
        return str(error).partition(": ")[0], [Finding(str(error))]


def _tell_environment(*, as_json: bool) -> None:
    here = {"crosshead": _version("crosshead"), "python": platform.python_version(), "system": sys.platform}
    extras = {name: bool(find_spec(module)) for name, (module, _) in EXTRAS.items()}
    if as_json:
        write_json({**here, "extras": extras})
        return
    for name, value in here.items():
        typer.echo(f"{name}: {one_line(value)}")
    for name, is_there in extras.items():
        told = "installed" if is_there else f"pip install 'crosshead[{name}]'"
        typer.echo(f"{EXTRAS[name][1]}: {told}")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "run from its sources"
