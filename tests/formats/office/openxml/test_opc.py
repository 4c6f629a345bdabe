"""What DOCX, PPTX and XLSX files have in common."""

from __future__ import annotations

import pytest
from tests.formats.archives import make_zip

from crosshead.errors import CorruptFile, UnsupportedFormat
from crosshead.formats.office.openxml.opc import OpcPackage

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"


def relate(*targets: tuple[str, str], mode: str = "Internal") -> str:
    """Relationships with these types and targets; their ids are r0, r1..."""
    each = [
        f'<Relationship Id="r{at}" Type="{kind}" Target="{target}" TargetMode="{mode}"/>'
        for at, (kind, target) in enumerate(targets)
    ]
    return f"<Relationships>{''.join(each)}</Relationships>"


def package(parts: dict[str, str]) -> OpcPackage:
    return OpcPackage(make_zip(parts), what="DOCX", main="word/document.xml")


def test_main_part_is_where_its_relationship_leads_or_where_it_usually_is() -> None:
    related = relate((f"{OFFICE}/officeDocument", "/a/main.xml"))
    assert package({"_rels/.rels": related, "a/main.xml": "<a/>"}).main == "a/main.xml"
    assert package({"_rels/.rels": related, "word/document.xml": "<a/>"}).main == "word/document.xml"
    assert package({"word/document.xml": "<a/>"}).main == "word/document.xml"


def test_main_part_must_be_there_and_of_its_format() -> None:
    with pytest.raises(CorruptFile, match="the main part of the DOCX file is missing"):
        package({"a": "b"}).main_root("{x}")
    with pytest.raises(UnsupportedFormat, match="not DOCX"):
        package({"word/document.xml": '<a xmlns="y"/>'}).main_root("{x}")


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("styles.xml", "a/styles.xml"),
        ("./b/../styles.xml#top", "a/styles.xml"),
        ("../styles.xml", "styles.xml"),
        ("/b/styles.xml", "b/styles.xml"),
        ("../../../styles.xml", "styles.xml"),
        ("my%20styles.xml", "a/my%20styles.xml"),
        ("my%20styles.xml", "a/my styles.xml"),
        ("STYLES.xml", "a/styles.xml"),
    ],
)
def test_names_of_related_parts(target: str, name: str) -> None:
    opened = package({"a/_rels/main.xml.rels": relate((f"{OFFICE}/styles", target)), name: "<styles/>"})
    root = opened.related("a/main.xml", "styles")
    assert root is not None
    assert root.tag == "styles"


def test_part_without_a_relationship_is_found_beside_the_one_that_needs_it() -> None:
    opened = package({"a/styles.xml": "<styles/>"})
    assert opened.related_name("a/main.xml", "styles") == "a/styles.xml"
    assert opened.related("a/main.xml", "numbering") is None


@pytest.mark.parametrize("mode", ["External", "external"])
def test_addresses_are_no_parts(mode: str) -> None:
    link = (f"{OFFICE}/hyperlink", "https://example.org/a%20b#c")
    opened = package({"_rels/.rels": relate(link, mode=mode)})
    assert opened.relationships("") == {"r0": ("hyperlink", "https://example.org/a%20b#c", None)}


def test_title_is_in_the_properties() -> None:
    properties = '<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> The\nReport </dc:title></c>'
    opened = package({"_rels/.rels": relate((CORE, "p/core.xml")), "p/core.xml": properties})
    assert opened.title() == "The Report"
    assert package({"a": "b"}).title() == ""
