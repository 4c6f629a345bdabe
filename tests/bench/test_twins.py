"""HTML shows what the PDF of the same document holds."""

from __future__ import annotations

from pathlib import Path

from bench.extraction.truth.twins import truth_of_html

PAGE = """<html><head><title>Manual</title></head><body>
<div class="navheader"><table><tr><th>Prev</th><th>Next</th></tr></table></div>
<h1>1. Tools</h1><p>Use <b>both</b>
tools.</p><ul><li><p>One.</p></li></ul>
<table class="data"><tr><th colspan="2">Tools</th></tr><tr><td>saw</td><td>12</td></tr>
<tr><td>axe</td><td>7</td></tr></table>
<table summary="Tip"><tr><td></td><td>Mind your hands.</td></tr></table>
<h2>1.1. Care<a class="headerlink">#</a></h2><p>Oil them.</p>
</body></html>"""


def test_headings_tables_and_text_are_kept_and_navigation_is_not(tmp_path: Path) -> None:
    path = tmp_path / "manual.html"
    path.write_text(PAGE, encoding="utf-8")
    truth = truth_of_html([path])
    assert [(each["level"], each["text"]) for each in truth["headings"]] == [(1, "1. Tools"), (2, "1.1. Care")]
    assert [table["grid"] for table in truth["tables"]] == [
        [[("Tools", 2)], [("saw", 1), ("12", 1)], [("axe", 1), ("7", 1)]]
    ]
    assert truth["outline"][1] == (0, "Use both tools. One. Tools saw 12 axe 7 Mind your hands.")
    assert truth["outline"][-1] == (0, "Oil them.")
