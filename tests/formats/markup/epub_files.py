"""The parts of a book for tests."""

from __future__ import annotations

XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>My book</dc:title></metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="b%20c.xhtml" media-type="application/xhtml+xml"/>
<item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
</manifest>
<spine><itemref idref="cover"/><itemref idref="b"/><itemref idref="a"/><itemref idref="style"/>
<itemref idref="x"/></spine>
</package>"""
BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
    "OEBPS/content.opf": PACKAGE,
    "OEBPS/nav.xhtml": f'<html {XHTML}><body><nav><ol><li><a href="b%20c.xhtml#top">The <i>second</i></a></li>'
    '<li><a href="b%20c.xhtml#part">A part</a></li></ol></nav></body></html>',
    "OEBPS/toc.ncx": '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint>'
    '<navLabel><text>Old title</text></navLabel><content src="b%20c.xhtml"/></navPoint></navMap></ncx>',
    "OEBPS/cover.xhtml": f'<html {XHTML}><head><title>Cover</title></head><body><img src="x.png"/></body></html>',
    "OEBPS/b c.xhtml": f"<html {XHTML}><body><p>No heading here.</p></body></html>",
    "OEBPS/a.xhtml": f"<html {XHTML}><body><h1>First</h1><ul><li>x</li></ul><pre>code</pre></body></html>",
    "OEBPS/style.css": "p { color: red }",
}  # fmt: skip
