"""Everything Crosshead raises on purpose.

    CrossheadError
      OptionsError            an option is unknown or impossible (also a ValueError)
      ExtractError            a document could not be turned into Markdown
        UnsupportedFormat     Crosshead cannot read this format
        CorruptFile           the bytes are not in this format
        EncryptedFile         a password is needed
        TooLarge              a safety limit was reached
        ReaderCrashed         the process that read it crashed
        ReadingTimedOut       reading it took too long
      InvariantViolated       a guarantee of chunking does not hold
      MissingExtra            an optional package is not installed
      EmbedError              a model or its server gave no vectors
      AnswerError             a language model or its server gave no answer
      StoreError              an index could not be read or written
        IndexNotFound         there is no index there
          ModelNotChosen      the index holds documents, but its embedding model is not chosen yet
        MigrationRequired     the index is of another version
        OptionsMismatch       the index was made with other options
        Unstorable            the index cannot store something in a document
        Locked                another process writes to the index
        IndexReplaced         another index replaced this one since it was opened
          IndexChanged        its settings were changed since it was opened
        IncompleteIndex       some of several indexes could not be searched
        CorruptIndex          files of the index are damaged
        Unreachable           the database server, or the storage, does not answer
        AccessDenied          the database, or the storage, denies the user access
        UnsuitableServer      the database server, or the storage, lacks something
      IngestError             some documents could not be indexed
      OriginalMissing         an indexed document has no file that can be shown
        OriginalChanged       its file is not what was indexed
        OutsideRoot           its file is outside the root of the index
      NoSuchPage              a document has no page of this number
      NoSuchFigure            a document has no picture of this number, or one that cannot be shown

As text, an error is one line that says what is wrong and what to do; the command line prints it unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class CrossheadError(Exception):
    """Base of all errors that Crosshead raises on purpose; as text, it is `source: reason`."""

    def __init__(self, reason: str = "", source: str = "") -> None:
        super().__init__(reason)
        self.source = source
        """The document, or the index, that the error is about; empty if unknown."""

    @property
    def reason(self) -> str:
        """One line that says what is wrong, and what to do."""
        return str(self.args[0]) if self.args else ""

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}" if self.source else self.reason


class OptionsError(CrossheadError, ValueError):
    """An option is unknown, or the options contradict each other."""


class ExtractError(CrossheadError):
    """A document could not be turned into Markdown."""


class UnsupportedFormat(ExtractError):
    """Crosshead cannot read this format."""


class CorruptFile(ExtractError):
    """The bytes are not in the format that their content or name suggests."""


class EncryptedFile(ExtractError):
    """The document needs a password."""


class TooLarge(ExtractError):
    """A safety limit of a reader was reached."""


class ReaderCrashed(ExtractError):
    """The process that read the document crashed; the reason names the signal or exit code."""


class ReadingTimedOut(ExtractError):
    """Reading the document took longer than the limit."""


class InvariantViolated(CrossheadError):
    """A guarantee of chunking does not hold."""


class MissingExtra(CrossheadError):
    """An optional package is not installed."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an optional package: pip install 'crosshead[{extra}]'")
        self.extra = extra
        self.purpose = purpose

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.extra, self.purpose), {"source": self.source}


class EmbedError(CrossheadError):
    """A model, or the server behind it, gave no vectors."""


class AnswerError(CrossheadError):
    """A language model, or the server behind it, gave no answer, or stopped in the middle of one."""


class StoreError(CrossheadError):
    """An index could not be read or written."""


class IndexNotFound(StoreError):
    """There is no index at this location."""


class ModelNotChosen(IndexNotFound):
    """The index holds documents, but no embedding model was chosen for it yet; the message names the command to run."""


class MigrationRequired(StoreError):
    """Another version wrote the index; the reason names the command to run."""


class OptionsMismatch(StoreError):
    """The index was made with other options than you named."""


class Unstorable(StoreError):
    """A document holds something that the index cannot store; other documents are not affected."""


class Locked(StoreError):
    """Another process is writing to the index."""


class IndexReplaced(StoreError):
    """Another process replaced the index, or moved its root, since it was opened."""


class IndexChanged(IndexReplaced):
    """The settings of the index were changed since it was opened. `Index` follows; you only see this with a `Store`."""


class IncompleteIndex(StoreError):
    """One of several indexes could not be searched, and all of them were required, or none could."""


class CorruptIndex(StoreError):
    """Files of the index are damaged."""


class Unreachable(StoreError):
    """The database server, or the object storage, does not answer."""


class AccessDenied(StoreError):
    """The database, or the object storage, denies the user access."""


class UnsuitableServer(StoreError):
    """The database server, its vector extension or the object storage lacks a feature that an index needs."""


class IngestError(CrossheadError):
    """Some documents could not be indexed."""


class OriginalMissing(CrossheadError):
    """An indexed document has no file that can be shown: it was added as text, or its file is gone."""


class OriginalChanged(OriginalMissing):
    """The file of an indexed document has changed since it was indexed."""


class OutsideRoot(OriginalMissing):
    """The file of an indexed document is outside the root of the index."""


class NoSuchPage(CrossheadError):
    """A document has no page of this number, or no pages at all."""


class NoSuchFigure(CrossheadError):
    """A document has no picture of this number, or one that cannot be shown; the reason says which."""


@contextmanager
def about(source: str) -> Iterator[None]:
    """Set the source of errors about a document."""
    try:
        yield
    except (ExtractError, NoSuchPage, NoSuchFigure) as error:
        error.source = error.source or source
        raise
