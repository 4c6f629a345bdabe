"""reStructuredText keeps its structure, also that of Sphinx, and reads nothing but itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.sound import headings, kinds, read_soundly

import crosshead
from crosshead.errors import ExtractError
from crosshead.formats import extract
from crosshead.formats.markup.rst.recognition import recognize_rst


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
        (".. versionadded:: 1.2\n   The *thing*.\n", "New in version 1.2:\nThe *thing*.\n"),
        (".. deprecated:: 3.1\n", "Deprecated since version 3.1\n"),
        (".. py:function:: foo(a)\n   :noindex:\n\n   Does foo.\n", "# `foo()`\n\n`foo(a)`\n\nDoes foo.\n"),
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
    text = "+---+\n| a\n+---+\n\n" * 5
    assert read(text).count("```\n+---+\n| a\n+---+\n```") == 5
    assert "line 1: malformed table" in caplog.text
    assert "2 more problems" in caplog.text


def test_nothing_is_nothing() -> None:
    assert read(" \n\n") == ""
    with pytest.raises(ExtractError, match="only comments"):
        read(".. a comment\n")


def test_objects_are_headings_below_their_section_and_their_class() -> None:
    text = (
        "Models\n======\n\n.. class:: Field(max_length=None)\n\n   A field.\n\n   .. method:: clean(value)\n\n"
        "      Cleans.\n\n   .. attribute:: null\n\n.. setting:: DEBUG\n\n``DEBUG``\n---------\n\nOff.\n\n"
        ".. data:: A\n          B\n\n   Both.\n"
    )
    document = read_soundly(text, "rst")
    assert headings(document) == [(1, "Models"), (2, "Field()"), (3, "clean()"), (2, "DEBUG"), (3, "A, B")]
    assert "`class Field(max_length=None)`\n\nA field.\n" in document.text
    assert "`clean(value)`\n\nCleans.\n\n**`null`**\n" in document.text
    assert document.text.count("DEBUG") == 1


def test_objects_where_no_heading_can_stand_are_bold() -> None:
    assert read("- item\n\n  .. option:: --all, -a\n\n     Take all.\n") == (
        "- item\n\n  **`--all, -a`**\n\n  Take all.\n"
    )


def test_options_that_describe_an_object_are_kept() -> None:
    text = ".. confval:: speed\n   :type: int\n   :default: ``3``\n   :noindex:\n\n   How fast.\n"
    assert read(text) == "# `speed`\n\n- **type**: int\n- **default**: `3`\n\nHow fast.\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("term : kind\n   Said *here*.\n\n   More.\n\nother\n   Said.\n",
         "- **term : kind**\n  Said *here*.\n\n  More.\n- **other**\n  Said.\n"),
        (":Author: Me\n:Tags: a,\n   b\n", "- **Author**: Me\n- **Tags**: a,\n  b\n"),
        (":orphan:\n\ntext\n", "text\n"),
        ("-a FILE, --all  Take all.\n--none          None,\n                not one.\n",
         "- **`-a FILE, --all`**: Take all.\n- **`--none`**: None,\n  not one.\n"),
        ("a. one\n#. two\n\n(3) three\n(4) four\n", "1. one\n2. two\n\n3. three\n4. four\n"),
        ("A. Einstein was\na man.\n", "A. Einstein was\na man.\n"),
        ("text::\n\n  code\n\n    more\n\nend\n", "text:\n\n```\ncode\n\n  more\n```\n\nend\n"),
        ("So ::\n\n> quoted\n> lines\n", "So\n\n```\n> quoted\n> lines\n```\n"),
        (">>> 1 + 1\n2\n", "```pycon\n>>> 1 + 1\n2\n```\n"),
        ("| a\n| b\n", "a\\\nb\n"),
        ("text\n\n   Said by\n   somebody.\n", "text\n\n> Said by\n> somebody.\n"),
        ("text\n\n  * indented\n", "text\n\n- indented\n"),
        ("a\n\n----\n\nb\n", "a\n\n***\n\nb\n"),
        (".. highlight:: c\n\n::\n\n   x;\n", "```c\nx;\n```\n"),
        ("See [1]_ and [#]_ and [2]_.\n\n.. [1] One is.\n.. [#] Two is\n   lines.\n",
         "See [^1] and [^auto1] and \\[2\\].\n\n[^1]: One is.\n\n[^auto1]: Two is\n    lines.\n"),
        (".. glossary::\n\n   one\n   two\n      Said.\n", "- **one**\n  **two**\n  Said.\n"),
        (".. list-table:: Title\n   :header-rows: 1\n\n   * - A\n     - B\n   * - 1\n     - - x\n       - y\n",
         "Title\n\n| A | B |\n| --- | --- |\n| 1 | - x<br>- y |\n"),
        ('.. csv-table::\n   :header: a, "b, c"\n\n   1, "2"\n', "| a | b, c |\n| --- | --- |\n| 1 | 2 |\n"),
        ("+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n|   +---+\n|   | 3 |\n+---+---+\n| four  |\n+-------+\n",
         "| a | b |\n| --- | --- |\n|  | 2 |\n| 1 | 3 |\n| four |  |\n"),
        ("==== ====\nspan both\n---------\nA    B\n==== ====\n1    2\n     more\n==== ====\n",
         "| span both<br>A | B |\n| --- | --- |\n| 1 | 2 more |\n"),
        (".. unknown:: A title\n   :width: 3\n\n   Content.\n", "A title\n\nContent.\n"),
        (".. only:: html\n\n   Part\n   ====\n\n   text\n", "# Part\n\ntext\n"),
        (".. class:: special-one\n\ntext\n", "text\n"),
        (".. deprecated-removed:: 3.1 3.5\n", "Deprecated since version 3.1, will be removed in version 3.5\n"),
    ],
)  # fmt: skip
def test_structure(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*a b* **c** `d e` ``f*``", "*a b* **c** *d e* `f*`"),
        ("2*3*4 and snake_case_ and '*' and *", "2\\*3\\*4 and snake_case\\_ and '\\*' and \\*"),
        ("re\\ *emph*\\ ed \\*", "re*emph*ed \\*"),
        (
            "`site <https://a.b>`_, `Site`_, word_, `x`__",
            "[site](https://a.b), [Site](https://a.b), [word](https://w.x), [x](https://y.z)",
        ),
        ("https://a.b/c_d.", "<https://a.b/c_d>."),
        ("|name| |none|", "The *thing* |none|"),
        (":pep:`8`, :sup:`2`, :ref:`here`, :kbd:`C-x`, `x`:code:", "PEP 8, <sup>2</sup>, The title, `C-x`, `x`"),
        ("``two\nlines`` and more", "`two lines`\nand more"),
    ],
)
def test_inline(text: str, expected: str) -> None:
    below = (
        "\n\n.. _word: https://w.x\n.. __: https://y.z\n.. |name| replace:: The *thing*\n\n.. _here:\n\n"
        "The title\n---------\n"
    )
    assert read(text + below) == f"{expected}\n\n# The title\n"


def test_citations_name_lines_of_the_file() -> None:
    text = "Guide\n=====\n\n.. note::\n\n   Take care.\n\n.. function:: foo(a)\n\n   Does ``foo\n   it``.\n   End.\n"
    document = read_soundly(text, "rst", source="guide.txt")
    found = [chunk.citation for chunk in crosshead.chunk(document, max_tokens=20, min_tokens=0, overlap_tokens=0)]
    assert found == ["guide.txt:1-6", "guide.txt:8-12"]


def test_substitutions_that_double_are_bounded() -> None:
    doubling = "".join(f".. |a{n}| replace:: |a{n + 1}| |a{n + 1}|\n" for n in range(40))
    assert len(read(f"|a0|\n\n{doubling}.. |a40| replace:: x\n")) < 200_000


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{' ' * number}- x\n\n" for number in range(400)),
        "|a| " * 20_000,
        "*a " * 30_000,
        "`" * 50_000,
        ":a:" * 30_000,
        "[a]_ " * 20_000,
        ".. a::\n" * 20_000,
        "+-+\n|a|\n" * 10_000 + "+-+\n",
        "== ==\n" * 10_000,
        "a\n " * 20_000,
        "".join(f"{' ' * (number % 100)}x\n" for number in range(10_000)),
        "a_ " * 30_000,
        ".. |x| replace:: y\n" * 10_000,
    ],
)
def test_odd_texts_are_read(text: str) -> None:
    read_soundly(f"{text[:100_000]}\n\ntext\n", "rst")


def test_text_file_is_recognized_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "guide.txt"
    path.write_text("Guide\n=====\n\n.. note:: Take care.\n\nSee :ref:`x`.\n")
    document = crosshead.read(path)
    assert (document.format, document.text) == ("rst", "# Guide\n\n**Note**\n\nTake care.\n\nSee x.\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A\n=\n\n.. note:: x\n", "1 directive, 1 underlined title"),
        ("See :ref:`a`, :ref:`b` and :doc:`c`.\n", "3 roles"),
        ("Title\n=====\n\nSo::\n\n  code\n", "1 literal block, 1 underlined title"),
        ("Title\n=====\n\ntext\n\nPart\n----\n\n- a\n", ""),
        ("# Title\n\ntext ``a``\n\n## Part\n\n```\n.. note::\n```\n", ""),
        ("std::vector is a class::\n\ntext.. and more\n", ""),
        (".. that is all\n", ""),
    ],
)
def test_recognition(text: str, expected: str) -> None:
    assert recognize_rst(text) == expected


def test_suffixes(tmp_path: Path) -> None:
    for name in ("a.rst", "b.rest"):
        (tmp_path / name).write_text("A\n=\n\ntext\n")
        assert crosshead.read(tmp_path / name).text == "# A\n\ntext\n"


def test_reference_to_a_target_of_another_file_is_its_text() -> None:
    text = "The writer html4css1_ and `the parser`_ (see [Knuth84]_), anonymously__.\n"
    assert extract(text.encode(), "rst") == "The writer html4css1 and the parser (see \\[Knuth84\\]), anonymously.\n"
