"""Everything Crosshead raises on purpose.

    CrossheadError
      OptionsError            an option is unknown or impossible (also a ValueError)
      ExtractError            a document could not be turned into Markdown
        UnsupportedFormat     no reader for this format
        CorruptFile           the bytes are not what the format says
        EncryptedFile         a password is needed
        TooLarge              a safety limit was reached
      InvariantViolated       a guarantee of chunking does not hold
      MissingExtra            an optional package is not installed

The message is one line that says what to do; the command line prints it as it is.
"""


class CrossheadError(Exception):
    """Base of all errors that Crosshead raises on purpose."""


class OptionsError(CrossheadError, ValueError):
    """An option is unknown, or the options contradict each other."""


class ExtractError(CrossheadError):
    """A document could not be turned into Markdown."""


class UnsupportedFormat(ExtractError):
    """There is no reader for this format."""


class CorruptFile(ExtractError):
    """The bytes are not what the format says they are."""


class EncryptedFile(ExtractError):
    """The document needs a password."""


class TooLarge(ExtractError):
    """A safety limit of a reader was reached."""


class InvariantViolated(CrossheadError):
    """A guarantee of chunking does not hold."""


class MissingExtra(CrossheadError):
    """An optional package is not installed."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an optional package: pip install 'crosshead[{extra}]'")
        self.extra = extra
