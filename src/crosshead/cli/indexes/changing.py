"""Give an index other settings, and say what that does, or would do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from typing import Any

import typer

from crosshead import indexing  # its names are imported when they are used
from crosshead.cli.terminal.output import print_done, print_warning, write_json
from crosshead.cli.terminal.progress import indexing_progress
from crosshead.errors import OptionsError

NOTHING_NAMED = "nothing to do: name documents to index, or a setting to change, as in --embedder minilm"


def change_settings(
    location: str, settings: indexing.IndexSettings, *, jobs: int | None, wait: float, dry_run: bool, as_json: bool
) -> None:
    """Change an existing index, or with `dry_run` only say what that would do."""
    if not settings.is_change:
        raise OptionsError(NOTHING_NAMED)
    with closing(open_to_change(location, settings, wait)) as opened:
        _, result = apply_settings(opened, settings, jobs=jobs, dry_run=dry_run)
        show_change(result, as_json=as_json, dry_run=dry_run)


def open_to_change(location: str, settings: indexing.IndexSettings, wait: float) -> indexing.OpenedIndex:
    """Open an existing index, which may have other settings."""
    return indexing.OpenedIndex(
        location, settings, create=False, may_differ=True, find_documents=lambda: (), wait_seconds=wait
    )


def apply_settings(
    opened: indexing.OpenedIndex, settings: indexing.IndexSettings, *, jobs: int | None, dry_run: bool = False
) -> tuple[indexing.OpenedIndex, indexing.ChangeResult]:
    """Change what differs from the settings that the user names; return the index as it is then."""
    with _interruption_explained(), indexing_progress() as on_progress:
        return indexing.change_index(opened, settings, jobs=jobs, dry_run=dry_run, on_progress=on_progress)


def show_change(result: indexing.ChangeResult, *, as_json: bool = False, dry_run: bool = False) -> None:
    """Print what a change did, or would do; with --json, as an object."""
    if as_json:
        write_json(asdict(result))
    else:
        (typer.echo if dry_run else print_done)(_in_words(result, dry_run=dry_run))
        for note in result.notes:
            print_warning(note)


def _in_words(result: indexing.ChangeResult, *, dry_run: bool) -> str:
    if not result.settings:
        return "nothing to change: the index has these settings"
    changes = ", ".join(f"{name} {_shown(old)} -> {_shown(new)}" for name, (old, new) in result.settings.items())
    documents = f"{result.documents:,} document{'' if result.documents == 1 else 's'}"
    texts = f"{result.embedded:,} text{'' if result.embedded == 1 else 's'}"
    cut = " cut again" if result.is_cut_again else ""
    if dry_run:
        return f"would change {changes}: {documents}{cut}, {texts} to embed, about {_duration(result.seconds)}"
    return f"changed {changes}: {documents}{cut}, {texts} embedded"


def _shown(value: Any) -> str:
    return "on" if value is True else "off" if value is False else str(value)


def _duration(seconds: float) -> str:
    """Return a duration in the largest unit that tells it well."""
    for name, length in (("hour", 3600), ("minute", 60)):
        if seconds >= 1.5 * length:
            return f"{seconds / length:,.0f} {name}s"
    return "1 second" if round(seconds) <= 1 else f"{seconds:,.0f} seconds"


@contextmanager
def _interruption_explained() -> Iterator[None]:
    """After Ctrl-C, say what became of the index."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("interrupted: the index is as it was; run the same command again to continue", err=True)
        raise
