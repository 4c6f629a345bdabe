"""OpenDocument files for tests."""

from __future__ import annotations

from tests.formats.archives import make_zip

NAMES = " ".join(
    f'xmlns:{prefix}="{address}"'
    for prefix, address in {
        **{
            short: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"
            for short, name in {
                "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style",
                "fo": "xsl-fo-compatible", "svg": "svg-compatible", "chart": "chart", "presentation": "presentation",
                "manifest": "manifest",
            }.items()
        },
        "xlink": "http://www.w3.org/1999/xlink",
        "dc": "http://purl.org/dc/elements/1.1/",
        "math": "http://www.w3.org/1998/Math/MathML",
    }.items()
)  # fmt: skip
STYLES = (
    '<style:style style:name="Title" style:family="paragraph"/>'
    '<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph" '
    'style:default-outline-level="1"/>'
    '<style:style style:name="Preformatted_20_Text" style:display-name="Preformatted Text" style:family="paragraph"/>'
    '<style:style style:name="Quotations" style:family="paragraph"/>'
)
AUTOMATIC = (
    '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
    '<style:style style:name="I" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>'
    '<style:style style:name="M" style:family="text"><style:text-properties style:font-name="Courier"/></style:style>'
    '<style:style style:name="S" style:family="text"><style:text-properties style:text-position="super 58%"/>'
    "</style:style>"
    '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Heading_20_1"/>'
    '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/>'
    '<text:list-level-style-bullet text:level="2"/></text:list-style>'
    '<text:list-style style:name="U"><text:list-level-style-bullet text:level="1"/></text:list-style>'
)


def content(kind: str, body: str, automatic: str = AUTOMATIC) -> str:
    """The main part of a file."""
    return (
        f"<office:document-content {NAMES}><office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )


def make_opendocument(kind: str, body: str, **parts: str | bytes) -> bytes:
    """Return a file of a kind: text, spreadsheet or presentation."""
    title = "<office:meta><dc:title>The title</dc:title></office:meta>"
    meta = f"<office:document-meta {NAMES}>{title}</office:document-meta>"
    styles = f"<office:document-styles {NAMES}><office:styles>{STYLES}</office:styles></office:document-styles>"
    return make_zip({
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": content(kind, body),
        "styles.xml": styles,
        "meta.xml": meta,
        **parts,
    })  # fmt: skip


def make_odt(body: str, **parts: str | bytes) -> bytes:
    """Return a text document."""
    return make_opendocument("text", body, **parts)


ODT = make_odt(
    '<text:p text:style-name="Title">Report</text:p><text:h text:outline-level="2">Scope</text:h>'
    '<text:p>Some <text:span text:style-name="B">bold</text:span> text.</text:p>'
    '<text:list text:style-name="N"><text:list-item><text:p>One</text:p></text:list-item></text:list>'
    "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>"
    "<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>"
)
ODS = make_opendocument(
    "spreadsheet",
    '<table:table table:name="Sales"><table:table-row><table:table-cell><text:p>Item</text:p></table:table-cell>'
    "<table:table-cell><text:p>Amount</text:p></table:table-cell></table:table-row><table:table-row>"
    '<table:table-cell><text:p>Ink</text:p></table:table-cell><table:table-cell office:value-type="float" '
    'office:value="-4.5"><text:p>-$4.50</text:p></table:table-cell></table:table-row></table:table>',
)
ODP = make_opendocument(
    "presentation",
    '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Agenda</text:p></draw:text-box>'
    "</draw:frame><draw:frame><draw:text-box><text:list><text:list-item><text:p>First</text:p></text:list-item>"
    "</text:list></draw:text-box></draw:frame></draw:page>",
)
