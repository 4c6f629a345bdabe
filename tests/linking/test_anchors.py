"""The ids that sites give headings."""

import pytest

from crosshead.linking.anchors import AnchorRules, ids_of
from crosshead.types import StoredAnchor


def ids(titles: list[str], rules: AnchorRules, format: str = "markdown") -> list[str]:
    """Return the ids of headings; each title is found under the first that is its own."""
    anchors = [StoredAnchor(at, str(at), title, "heading") for at, title in enumerate(titles)]
    found = ids_of(anchors, format, rules)
    return [next(id for id, anchor in found.items() if anchor == each) for each in anchors]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("github", ["what-is-new-in-20", "a--b", "übersicht_x", "a--b-1", "-start"]),
        ("docusaurus", ["what-is-new-in-20", "a--b", "übersicht_x", "a--b-1", "-start"]),
        ("gitlab", ["what-is-new-in-20", "a-b", "übersicht_x", "a-b-1", "-start"]),
        ("mkdocs", ["what-is-new-in-20", "a-b", "ubersicht_x", "a-b_1", "start"]),
        ("mdbook", ["what-is-new-in-20", "a--b", "übersicht_x", "a--b-1", "-start"]),
        ("sphinx", ["what-is-new-in-20", "a--b", "übersicht_x", "a--b-1", "-start"]),
    ],
)
def test_rules(rules: AnchorRules, expected: list[str]) -> None:
    titles = ["What is new in 2.0?", "A & B", "Übersicht_X", "A & B", "🚀 Start"]
    assert ids(titles, rules) == expected


def test_a_number_skips_ids_that_are_taken() -> None:
    assert ids(["A", "A 1", "A", "A"], "github") == ["a", "a-1", "a-2", "a-3"]


@pytest.mark.parametrize("rules", ["github", "mkdocs"])
def test_other_formats_have_their_own_rules(rules: AnchorRules) -> None:
    assert ids(["2. What's new?"], rules, "rst") == ["what-s-new"]
    assert ids(["What's new. Now-ish"], rules, "asciidoc") == ["_whats_new_now_ish"]
    assert ids_of([StoredAnchor(0, "", "A", "heading")], "html", rules) == {}


def test_ids_come_before_titles() -> None:
    anchors = [StoredAnchor(0, "s", "First", "heading"), StoredAnchor(9, "t", "first", "id")]
    assert ids_of(anchors, "markdown", "github")["first"].section_id == "t"


def test_case_counts_except_on_forges() -> None:
    anchors = [StoredAnchor(0, "s", "MyId", "id")]
    assert "myid" in ids_of(anchors, "markdown", "github")
    assert "myid" not in ids_of(anchors, "markdown", "mkdocs")
