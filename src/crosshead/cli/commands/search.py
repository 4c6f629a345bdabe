"""crosshead search: hits or passages for a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Annotated, Any, Final

import typer

from crosshead.cli.citations.addresses import FileOfSource, files_of
from crosshead.cli.citations.hyperlinks import Hyperlink, are_links_wanted
from crosshead.cli.citations.last_search import remember
from crosshead.cli.flags import AsJson, Indexes, with_indexes, with_search_request
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.program.loading import Command
from crosshead.cli.terminal.output import print_note, write_json
from crosshead.cli.views.citations import CitationLines
from crosshead.cli.views.missing import describe_missing, warn_of_missing
from crosshead.errors import OptionsError
from crosshead.types import LINKS

Query = Annotated[
    list[str],
    typer.Argument(
        metavar="QUERY",
        help='A question, or words. `-word` excludes; `"a phrase"` is required; `a OR b` requires one of them.',
    ),
]
Enriched = Annotated[
    bool,
    typer.Option(
        "--enriched",
        metavar="",
        help="With --json: add `enriched_content` to each hit, its path, heading and content as one text.",
    ),
]
AsPassages = Annotated[
    bool, typer.Option("--passages", metavar="", help="Print whole sections, for a reader or a language model.")
]
OpenRank = Annotated[
    int | None,
    typer.Option(
        "--open",
        metavar="N",
        min=1,
        help="Open hit N: a text in $VISUAL or $EDITOR at its line, a PDF at its page, other files in their program.",
    ),
]
Scores = Annotated[bool, typer.Option("--scores", metavar="", help="Show how each hit was scored.")]

EXPAND: Final = "--expand"
_is_expansion: Final = re.compile(rf"\d|{LINKS}").fullmatch
_is_excluded: Final = re.compile(r"-(?:[^\W\d_](?!\d*$)|[\"“])").match
"""`-word` or `-"a phrase"`, but not a one-letter option such as `-k` or `-k5`."""


class SearchCommand(Command):
    """Reads `-word` as a part of the query, not as an option, and `--expand` without a number as `--expand 1`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move excluded words after all options; their position in the query does not matter."""
        end = args.index("--") if "--" in args else len(args)
        before, after = [*_with_levels(args[:end])], args[end + 1 :]
        excluded = [arg for arg in before if _is_excluded(arg)]
        others = [arg for arg in before if not _is_excluded(arg)]
        return super().parse_args(ctx, [*others, "--", *after, *excluded])


def _with_levels(args: Sequence[str]) -> Iterator[str]:
    """Yield arguments, with a number for an `--expand` that has none: a word after it belongs to the query."""
    for arg, after in zip_longest(args, args[1:], fillvalue=""):
        yield f"{arg}=1" if arg == EXPAND and not _is_expansion(after) else arg


NO_DOCUMENTS: Final = "the index has no documents; add some: crosshead index PATH"

COMMAND_CLASS: Final = SearchCommand


@with_indexes
@with_search_request
def search(
    query: Query,
    request: dict[str, Any],
    indexes: Indexes,
    enriched: Enriched = False,
    passages: AsPassages = False,
    scores: Scores = False,
    open_rank: OpenRank = None,
    hyperlink: Hyperlink = "auto",
    as_json: AsJson = False,
) -> None:
    """Search an index and print the best sections with their citations."""
    ignored = {
        "--budget": "budget_tokens" in request and not passages,
        "--enriched": enriched and (passages or not as_json),
    }
    if not passages:
        request.pop("budget_tokens", None)
    words = " ".join(query)
    with indexes.open() as index:
        results: Any = index.passages(words, **request) if passages else index.search(words, **request)
        reason = ""
        if not results:
            reason = index.why_nothing(words, show_all="--all", **request) if index.sources() else NO_DOCUMENTS
        files = files_of(index)
        remember(index.location, results, words)
    warn_of_missing(results.missing)
    citations = CitationLines(files, has_links=are_links_wanted(hyperlink))
    if reason:
        print_note(reason)
    elif as_json:
        own = {"enriched": True} if enriched and not passages else {}
        completeness = describe_missing(results.missing) if indexes.are_several else {}
        write_json(*({**each.to_json(**own), **completeness} for each in results))
    elif not results:
        print_note("nothing found that fits the budget" if passages else "nothing found")
    else:
        from crosshead.cli.views.hits import show_best, show_passages

        if passages:
            show_passages(results, citations)
        else:
            show_best(results, citations, all=request.get("all", False), scores=scores)
    for flag, is_ignored in ignored.items():
        if is_ignored:
            print_note(f"{flag} has no effect {'with' if passages else 'without'} --passages")
    if not results:
        raise typer.Exit(CHECK_FAILED)
    if open_rank:
        _open(results, open_rank, files)


def _open(results: Sequence[Any], rank: int, files: FileOfSource) -> None:
    """Open the file of a hit where it is cited."""
    from crosshead.cli.citations.opening import open_citation

    if rank > len(results):
        raise OptionsError(
            f"--open {rank}: there {'is only 1 hit' if len(results) == 1 else f'are {len(results)} hits'}"
        )
    hit = results[rank - 1]
    path, citation = files.of_index(hit.index).locate(hit.source, hit.citation)
    if not open_citation(path, citation):
        print_note(f"opened {path}: go to{citation.position}")
