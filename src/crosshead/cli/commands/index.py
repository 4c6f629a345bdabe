"""crosshead index: documents into an index.

flags -> `IndexSettings`, `AddRequest` -> open or create the index -> `_run_once` -> `_follow` with --watch -> exit code
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from crosshead import indexing  # its names are imported when they are used
from crosshead.cli.flags import RAY_ADDRESS_HELP, IndexFlags, Jobs, NewIndexFolder, Wait, with_index_flags
from crosshead.cli.indexes.changing import apply_settings, change_settings, show_change
from crosshead.cli.indexes.default_index import import_arrow, index_to_write
from crosshead.cli.indexes.offer import offer_model
from crosshead.cli.indexes.parts import index_parts, parts_to_write
from crosshead.cli.indexes.results import IndexOutput, counted, remove_if_empty
from crosshead.cli.process.program import CHECK_FAILED, Faults
from crosshead.cli.terminal.output import print_done
from crosshead.cli.terminal.progress import indexing_progress
from crosshead.errors import IngestError, OptionsError, StoreError
from crosshead.types import parse_given

IndexPaths = Annotated[
    list[str] | None,
    typer.Argument(metavar="PATH", help="Documents and folders; none only changes the settings of an index."),
]
EMBEDDER: Final[Any] = typer.Option(
    "--embedder",
    metavar="NAME",
    envvar="CROSSHEAD_EMBEDDER",
    help="Embedder to use, see `crosshead model list`; `auto` picks the best one installed.",
)
EmbedderName = Annotated[str, EMBEDDER]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="NAME",
        help="Language for stemming; `auto` (the default) detects it for each document, `simple` disables stemming.",
    ),
]
PieceTokens = Annotated[
    int | None,
    typer.Option(
        "--piece-tokens",
        metavar="N",
        help="Tokens per embedded piece of a chunk; by default 128, 0 embeds each chunk as a whole.",
    ),
]
TokenSigns = Annotated[
    bool | None,
    typer.Option(
        "--token-signs/--no-token-signs",
        metavar="",
        help="Store token vectors for reranking, or not; by default if the embedder makes them.",
    ),
]
TextToEmbed = Annotated[
    str | None,
    typer.Option(
        "--embed-text",
        metavar="NAME",
        help="Text to embed: `breadcrumb+content` (the default) or `content`.",
    ),
]
Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="Folder that sources are relative to; by default the one that holds the index, or the working folder.",
    ),
]
Prune = Annotated[
    bool,
    typer.Option("--prune/--no-prune", metavar="", help="Remove documents whose files are gone, or keep them."),
]
Meta = Annotated[
    list[str] | None,
    typer.Option(
        "--meta",
        metavar="KEY=VALUE",
        help="Metadata of these documents: `team=infra`, or `tags=a,b` for a list. Can be repeated. Later runs without "
        "it keep it; `KEY=` alone removes it.",
    ),
]
Yes = Annotated[
    bool,
    typer.Option(
        "--yes", "-y", metavar="", help="Remove documents without asking, even all below a path or most of the index."
    ),
]
Embed = Annotated[
    bool,
    typer.Option("--embed/--no-embed", metavar="", help="Embed now, or later with `crosshead embed --pending`."),
]
Verify = Annotated[
    bool,
    typer.Option("--verify", metavar="", help="Read every file, even if its size and times are those of the last run."),
]
Watch = Annotated[bool, typer.Option("--watch", metavar="", help="Keep running and index changes until Ctrl-C.")]
EngineFlag = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="Where to read, cut and embed documents: `local` (the default), or on a `ray` cluster; changes under "
        "`--watch` always locally.",
    ),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray-address",
        metavar="ADDRESS",
        help=RAY_ADDRESS_HELP,
    ),
]
PartCount = Annotated[
    int | None,
    typer.Option(
        "--parts",
        metavar="N",
        min=1,
        help="Divide a new index into N parts, each with a committer; later runs find them without this flag.",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", metavar="", help="Say what other settings would make again, and for how long; change nothing."
    ),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", metavar="", help="List skipped files.")]
AsObject = Annotated[bool, typer.Option("--json", metavar="", help="Print one JSON object.")]


@with_index_flags
def index(
    paths: IndexPaths = None,
    *,
    flags: IndexFlags,
    location: NewIndexFolder = None,
    embedder: EmbedderName = "auto",
    language: Language = None,
    embed_text: TextToEmbed = None,
    piece_tokens: PieceTokens = None,
    token_signs: TokenSigns = None,
    root: Root = None,
    meta: Meta = None,
    prune: Prune = True,
    yes: Yes = False,
    embed: Embed = True,
    verify: Verify = False,
    watch: Watch = False,
    as_json: AsObject = False,
    jobs: Jobs = None,
    wait: Wait = 0,
    engine: EngineFlag = "local",
    ray_address: RayAddress = None,
    parts: PartCount = None,
    dry_run: DryRun = False,
    verbose: Verbose = False,
) -> None:
    """Index documents for searching. A later run updates only what has changed.

    Without its flags, an index keeps its settings. With another --embedder, --language or option of chunking it is
    changed: searches find the old chunks until all new ones are ready. If interrupted, the same command continues.
    """
    if meta and not paths:
        raise OptionsError("--meta is for documents: name their PATH, as in crosshead index docs --meta team=infra")
    settings = indexing.IndexSettings(
        root=indexing.whole_path(root),
        embedder=embedder,
        language=language,
        embed_text=embed_text,  # type: ignore[arg-type]  # checked there
        piece_tokens=piece_tokens,
        token_signs=token_signs,
        extract=flags.extract,
        extract_names=flags.extract_names,
        chunking=flags.chunking,
    )
    request = indexing.AddRequest(
        paths=tuple(paths or ()),
        format=flags.format,
        include=tuple(flags.files.include),
        hidden=flags.files.hidden,
        metadata=parse_given(meta) if meta else None,
        prune=prune,
        allow_removal=yes,
        embed=embed,
        jobs=jobs,
        engine=engine,  # type: ignore[arg-type]  # checked there
        ray_address=ray_address,
        verify=verify,
    )
    location = location or index_to_write(paths or ())
    import_arrow(location)
    output = IndexOutput(as_json, verbose)
    if paths and not dry_run and (parted := parts_to_write(location, parts)):
        _exit(index_parts(parted, settings, request, output, watch=watch, wait=wait), paths)
        return
    if not paths or dry_run:
        change_settings(location, settings, jobs=jobs, wait=wait, dry_run=dry_run, as_json=as_json)
        return
    opened, sources = indexing.open_to_add(
        location,
        settings,
        request,
        may_be_empty=watch,
        wait_seconds=wait,
        offer_model=None if as_json else offer_model,
    )
    with closing(opened):
        index, changed = apply_settings(opened, settings, jobs=jobs)
        if changed.settings:
            output = output._replace(change=changed)
        if changed.settings and not as_json:
            show_change(changed)
        is_new = sources is not None
        result = _run_once(index, request, output, sources)
        if is_new and not watch and remove_if_empty(index):
            _exit(result, paths)
        output.calibrate(index, is_new=is_new)
        output.show_better_model(index)
        if watch:
            _follow(index, request, output)
        else:
            _exit(result, paths)


def _run_once(
    index: indexing.OpenedIndex, request: indexing.AddRequest, output: IndexOutput, sources: indexing.Sources | None
) -> indexing.AddResult:
    """Index the documents; ask on a terminal whether to remove those that are suspiciously many."""
    result = _add(index, request, output, sources)
    if result.kept and output.confirms_removal(len(result.kept)):
        result = _add(index, replace(request, allow_removal=True), output)
    return result


def _add(
    index: indexing.OpenedIndex,
    request: indexing.AddRequest,
    output: IndexOutput,
    sources: indexing.Sources | None = None,
) -> indexing.AddResult:
    with _interruption_explained(index), indexing_progress() as on_progress:
        result = indexing.add_documents(index, request, sources=sources, on_progress=on_progress)
    output.show(result)
    output.show_skipped(result.skipped)
    return result


def _follow(index: indexing.OpenedIndex, request: indexing.AddRequest, output: IndexOutput) -> None:
    """Index what changes until Ctrl-C; a change is too small for a cluster."""
    results = indexing.watch_documents(index, replace(request, engine="local", ray_address=None, verify=False))
    print_done(f"watching {', '.join(map(str, request.paths))}; Ctrl-C ends", err=True)
    with suppress(KeyboardInterrupt):  # the intended way to end it
        for result in results:
            output.show(result, f"{datetime.now():%H:%M:%S} ")


def _exit(result: indexing.AddResult, paths: Sequence[str]) -> None:
    """End the command with an exit code if anything went wrong."""
    if not (result.anything or result.unchanged):
        raise IngestError(indexing.no_documents(", ".join(paths)))
    if result.faults:
        raise Faults(*result.faults.values(), code=CHECK_FAILED)
    if result.failed or result.kept:
        raise typer.Exit(CHECK_FAILED)


@contextmanager
def _interruption_explained(index: indexing.OpenedIndex) -> Iterator[None]:
    """After Ctrl-C, print what the index holds."""
    try:
        yield
    except KeyboardInterrupt:
        with suppress(StoreError):
            counts = index.store.contents()
            pending = f"{counts.pending:,} of {counted(counts.chunks, 'chunk')} have no vector yet; "
            typer.echo(
                f"interrupted: {counted(counts.documents, 'document')} can be searched; "
                f"{pending * bool(counts.pending)}run the same command again to continue",
                err=True,
            )
        raise
