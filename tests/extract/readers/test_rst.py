"""reStructuredText keeps its structure, also that of Sphinx, and reads nothing but itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.extract.sound import headings, kinds, read_soundly

import crosshead
from crosshead.errors import ExtractError, MissingExtra, TooLarge
from crosshead.extract import extract


def read(text: str) -> str:
    return extract(text.encode(), "rst")


def test_headings_have_the_levels_of_the_file() -> None:
    text = "=====\nTitle\n=====\n\nPart\n====\n\ntext\n\nSub\n---\n\ntext\n\nOther\n=====\n\ntext\n"
    assert headings(read_soundly(text, "rst")) == [(1, "Title"), (2, "Part"), (3, "Sub"), (2, "Other")]
    assert headings(read_soundly("A\n=\n\ntext\n\nB\n=\n\ntext\n", "rst")) == [(1, "A"), (1, "B")]


def test_blocks() -> None:
    text = "- a\n\n  - b\n\n1. one\n2. two\n\n==  ==\nA   B\n==  ==\n1   2\n==  ==\n\n::\n\n   x * y\n"
    document = read_soundly(text, "rst")
    assert kinds(document) == ["list", "list", "table", "code"]
    assert "- a\n  - b\n\n1. one\n2. two\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n```\nx * y\n```\n" in document.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".. code:: python\n\n   x = 1\n", "```python\nx = 1\n```\n"),
        (".. code-block:: c++\n   :linenos:\n   :caption: Sum\n\n   x;\n", "Sum\n\n```c++\nx;\n```\n"),
        (".. sourcecode:: none\n\n   x\n", "```\nx\n```\n"),
        (".. literalinclude:: a.py\n", "`a.py`\n"),
        (".. graphviz::\n\n   digraph { }\n", "```dot\ndigraph { }\n```\n"),
        (".. note:: Take care.\n   :collapsible:\n", "**Note**\n\nTake care.\n"),
        (".. warning::\n   :collapsible:\n\n   Hot.\n", "**Warning**\n\nHot.\n"),
        (".. toctree::\n   :caption: All\n\n   intro\n   The guide <guide/x>\n",
         "All\n\n- [intro](intro)\n- [The guide](guide/x)\n"),
        (".. versionadded:: 1.2\n   The *thing*.\n", "New in version 1.2: The *thing*.\n"),
        (".. deprecated:: 3.1\n", "Deprecated since version 3.1\n"),
        (".. py:function:: foo(a)\n   :noindex:\n\n   Does foo.\n", "**`foo(a)`**\n\nDoes foo.\n"),
        (".. seealso::\n\n   Other.\n", "**See also**\n\nOther.\n"),
        (".. tab:: One\n\n   - x\n", "One\n\n- x\n"),
        (".. image:: a.png\n   :alt: An image\n   :loading: lazy\n", "![An image](a.png)\n"),
        (".. math::\n\n   x < 1\n", "$$\nx < 1\n$$\n"),
        (".. index:: x\n.. contents::\n\ntext\n", "text\n"),
    ],
)  # fmt: skip
def test_directives(text: str, expected: str) -> None:
    assert read(text) == expected


def test_roles_are_text_or_code() -> None:
    text = "See :ref:`the part <p>`, :doc:`x`, :py:func:`~os.path.join`, :foo:`!bar`, ``lit``, :math:`a^2`.\n"
    assert read(text) == "See the part, x, `join`, `bar`, `lit`, $a^2$.\n"


@pytest.mark.parametrize("directive", ["include:: {}", "raw:: html\n   :file: {}", "csv-table::\n   :file: {}"])
def test_nothing_outside_of_the_text_is_read(directive: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hunter2,x\n")
    assert "hunter2" not in read(f"text\n\n.. {directive.format(secret)}\n")
    assert "line 3: " in caplog.text


def test_what_cannot_be_read_is_kept_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    text = "+---+\n| a\n+---+\n\n" + "text |none|\n\n" * 5
    assert "```\n+---+\n| a\n+---+\n```" in read(text)
    assert "line 2: Malformed table." in caplog.text
    assert "more faults" in caplog.text


def test_nothing_is_nothing() -> None:
    assert read(" \n\n") == ""
    with pytest.raises(ExtractError, match="only comments"):
        read(".. a comment\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("text " * 100_000, "400,000 bytes of reStructuredText: split the file"),
        ("a\n" * 10_001, "10,000 lines of reStructuredText: split the file"),
        ("|a| " * 5_000, "too many marks"),
        ("".join(f"{' ' * number}- x\n\n" for number in range(800)), "nested too deeply"),
    ],
)
def test_what_would_take_long_is_refused(text: str, message: str) -> None:
    with pytest.raises(TooLarge, match=message):
        read(text)


def test_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docutils.core", None)
    with pytest.raises(MissingExtra, match="crosshead\\[rst\\]"):
        read("text")


def test_suffixes(tmp_path: Path) -> None:
    for name in ("a.rst", "b.rest"):
        (tmp_path / name).write_text("A\n=\n\ntext\n")
        assert crosshead.read(tmp_path / name).text == "# A\n\ntext\n"
