"""Notebooks: Markdown as it is, code and outputs as fences."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.markup.notebooks import code, markdown, notebook
from tests.formats.sound import headings, kinds, read_soundly

from crosshead.errors import CorruptFile, CrossheadError, UnsupportedFormat
from crosshead.formats import extract


def test_cells_in_order() -> None:
    data = notebook(markdown(["# Title\n", "\n", "Text."]), code("x = 1\nx"), {"cell_type": "raw", "source": "raw *x*"})
    document = read_soundly(data, "ipynb")
    assert document.text == "# Title\n\nText.\n\n```python\nx = 1\nx\n```\n\n```\nraw *x*\n```\n"


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({"language_info": {"name": "julia"}}, "julia"),
        ({"kernelspec": {"language": "R", "name": "ir"}}, "r"),
        ({"kernelspec": {"name": "python3"}}, "python"),
        ({"language_info": {"name": "a b`"}, "kernelspec": {"name": "ir"}}, "r"),
        ({"kernelspec": 5, "language_info": []}, "python"),
        ({}, "python"),
    ],
)
def test_language_of_the_kernel(metadata: dict[str, Any], language: str) -> None:
    assert extract(notebook(code("x"), **metadata), "ipynb") == f"```{language}\nx\n```\n"


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"output_type": "stream", "text": ["a\n", "b\n"]}, "a\nb"),
        ({"output_type": "stream", "text": "10%\r50%\r100%\r\ndone\n"}, "100%\ndone"),
        ({"output_type": "stream", "text": "\x1b[1;31mred\x1b[0m"}, "red"),
        ({"output_type": "execute_result", "data": {"text/plain": ["42"]}}, "42"),
        ({"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": "<Figure>"}}, "<Figure>"),
        ({"output_type": "error", "ename": "ValueError", "evalue": "bad", "traceback": ["x"]}, "ValueError: bad"),
        ({"output_type": "pyout", "text": ["41"]}, "41"),
    ],
)
def test_outputs_of_text(output: dict[str, Any], text: str) -> None:
    assert extract(notebook(code("x", output)), "ipynb") == f"```python\nx\n```\n\n```\n{text}\n```\n"


def test_output_of_markdown_is_markdown() -> None:
    output = {"output_type": "display_data", "data": {"text/markdown": "## Result", "text/plain": "x"}}
    assert headings(read_soundly(notebook(code("x", output)), "ipynb")) == [(2, "Result")]


def test_table_in_an_output_is_a_table() -> None:
    pytest.importorskip("crosshead.formats.markup.html")
    html = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    output = {"output_type": "execute_result", "data": {"text/html": html, "text/plain": "a b"}}
    assert kinds(read_soundly(notebook(code("x", output)), "ipynb")) == ["code", "table"]


def test_long_output_is_written_in_parts() -> None:
    output = {"output_type": "stream", "text": "".join(f"line {number}\n" for number in range(500))}
    document = read_soundly(notebook(code("x", output)), "ipynb")
    assert len(document.blocks) > 5
    assert all(f"line {number}\n" in document.text for number in range(500))


def test_fence_that_a_cell_leaves_open_ends_with_it() -> None:
    document = read_soundly(notebook(markdown("~~~\nopen"), markdown("# Title"), markdown("```\nx\n```")), "ipynb")
    assert kinds(document) == ["code", "heading", "code"]


def test_front_matter_in_a_first_raw_cell() -> None:
    raw = {"cell_type": "raw", "source": "---\ntitle: My notebook\n---"}
    assert read_soundly(notebook(raw, markdown("Text.")), "ipynb").title == "My notebook"


def test_title_of_the_metadata() -> None:
    assert read_soundly(notebook(markdown("Text."), title=" My notebook "), "ipynb").title == "My notebook"


def test_version_3() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Part"]},
        {
            "cell_type": "code",
            "language": "perl",
            "input": ["print 1"],
            "outputs": [{"output_type": "stream", "text": "1"}],
        },
    ]
    data = json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]}).encode()
    assert extract(data, "ipynb") == "## Part\n\n```perl\nprint 1\n```\n\n```\n1\n```\n"


def test_half_a_character_is_replaced() -> None:
    assert extract(b'{"cells": [{"cell_type": "markdown", "source": "a\\ud83d b"}]}', "ipynb") == "a\ufffd b\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"cells": [', "not valid JSON"),
        (b"[" * 100_000, "not valid JSON: it is nested too deep"),
        (b'{"a": 1}', "it has no cells"),
        (b"[]", "it has no cells"),
    ],
)
def test_what_is_no_notebook_says_so(data: bytes, message: str) -> None:
    with pytest.raises(CorruptFile, match=message):
        extract(data, "ipynb")


def test_version_of_the_future_says_so() -> None:
    with pytest.raises(UnsupportedFormat, match="save it as version 4"):
        extract(b'{"nbformat": 5, "cells": []}', "ipynb")


def test_wrong_cells_are_reported(caplog: pytest.LogCaptureFixture) -> None:
    assert extract(notebook(5, None, markdown("Text.")), "ipynb") == "Text.\n"
    assert "2 malformed cells" in caplog.text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["code", "markdown", "stream"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "cells",
                    "source",
                    "outputs",
                    "cell_type",
                    "metadata",
                    "data",
                    "text",
                    "text/plain",
                    "level",
                    "output_type",
                    "kernelspec",
                    "language_info",
                    "name",
                    "worksheets",
                    "nbformat",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON, JSON)
def test_wrong_types_never_break(cells: Any, metadata: Any) -> None:
    with suppress(CrossheadError):
        extract(json.dumps({"cells": cells, "metadata": metadata}).encode(), "ipynb")
