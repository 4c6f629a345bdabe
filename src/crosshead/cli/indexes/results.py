"""What a run of indexing did, on standard output and standard error."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import NamedTuple

import typer

from crosshead import indexing  # its names are imported when they are used
from crosshead.cli.terminal.output import print_done, print_error, print_note, print_warning, write_json
from crosshead.errors import EmbedError, Locked
from crosshead.store import is_folder


class IndexOutput(NamedTuple):
    """How results are shown."""

    as_json: bool
    verbose: bool
    change: indexing.ChangeResult | None = None
    """The change of the settings before."""

    def show(self, result: indexing.AddResult, time: str = "") -> None:
        """Print what became of the documents."""
        if self.as_json:
            change = {"change": asdict(self.change)} if self.change else {}
            write_json({**{name: value for name, value in asdict(result).items() if name != "faults"}, **change})
            sys.stdout.flush()
        else:
            if result.anything or result.unchanged:  # else an error says that there are no documents
                print_done(time + result.summary)
            for note in result.notes:
                print_warning(note)
        for source, reason in result.failed.items():
            print_error(f"{source}: {reason}")

    def calibrate(self, index: indexing.OpenedIndex, *, is_new: bool) -> None:
        """Calibrate an index if it is new, or has grown by half, and say so in a line."""
        from crosshead.index.calibrating import FEWER_QUESTIONS, calibrate_index, needs_calibration

        if not needs_calibration(index, is_new=is_new):
            return
        with suppress(EmbedError):  # its documents can be searched by words
            made = calibrate_index(index, questions=FEWER_QUESTIONS)
            if made and not self.as_json:
                print_note(f"calibrated: {made.false_alarms:.0%} false alarms promised for weak hits")

    def confirms_removal(self, count: int) -> bool:
        """Ask on a terminal whether to remove documents that are suspiciously many."""
        is_terminal = not self.as_json and sys.stdin.isatty() and sys.stderr.isatty()
        return is_terminal and typer.confirm(f"Remove {counted(count, 'document')} whose files are missing?", err=True)

    def show_better_model(self, index: indexing.OpenedIndex) -> None:
        """Print which installed model would give better answers; a new index says itself which one to install."""
        advice = indexing.advice_about(index)
        if "is installed" in advice and not self.as_json:
            print_note(advice)

    def show_skipped(self, skipped: Sequence[str]) -> None:
        """Print how many files in folders were skipped, and why."""
        if not skipped:
            return
        unsupported = [source for source in skipped if not indexing.has_reader(source)]
        images = sum(map(indexing.is_image, skipped))
        others = len(skipped) - len(unsupported) - images
        parts = [f"{counted(len(unsupported), 'file')} of unsupported formats"] if unsupported else []
        parts += [f"{counted(images, 'image')} (--include image)"] if images else []
        parts += [f"{counted(others, 'file')} of code and data (--include code, --include data)"] if others else []
        hint = "" if self.verbose else "; list them with --verbose"
        print_note(f"skipped {', '.join(parts)}{hint}")
        for source in skipped if self.verbose else ():
            print_note(f"{source}: {'unsupported format' if source in unsupported else 'not included'}")


def remove_if_empty(index: indexing.OpenedIndex) -> bool:
    """Remove a new index in a folder if none of its documents could be read; return whether that is so."""
    location = index.store.location
    if not is_folder(location):
        return False
    with suppress(Locked), index.store.lock():  # another process may be filling it
        if not index.store.contents().documents:
            shutil.rmtree(location, ignore_errors=True)
            return True
    return False


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"
