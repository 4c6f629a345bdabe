"""HeadingStack: the headings that are open at a position in the document."""

from __future__ import annotations


class HeadingStack:
    """The headings above the current line; a heading closes those of the same and deeper levels.

    >>> stack = HeadingStack()
    >>> for level, title in [(1, "Guide"), (3, "Install"), (2, "Use")]:
    ...     stack.push(level, title)
    >>> stack.breadcrumb
    'Guide > Use'
    """

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def push(self, level: int, title: str) -> None:
        """Enter a heading."""
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._open.append((level, title))

    @property
    def path(self) -> tuple[str, ...]:
        """Titles from the outermost heading inwards; a snapshot that later pushes do not change."""
        return tuple(title for _, title in self._open)

    @property
    def level(self) -> int:
        """Level of the innermost heading, 0 before the first one."""
        return self._open[-1][0] if self._open else 0

    @property
    def section_title(self) -> str | None:
        """Title of the innermost heading."""
        return self._open[-1][1] if self._open else None

    @property
    def breadcrumb(self) -> str | None:
        """The path as "A > B > C"."""
        return " > ".join(self.path) or None

    def __len__(self) -> int:
        return len(self._open)
