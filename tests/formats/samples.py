"""A small document of each format that programs write, made by code."""

from __future__ import annotations

import io

import pptx
from tests.formats.compound_files import SLIDES, WORD
from tests.formats.mail.messages import MSG, mail
from tests.formats.markup.epub_files import BOOK
from tests.formats.markup.notebooks import code, markdown, notebook
from tests.formats.office.docx.docx_files import archive
from tests.formats.office.opendocument_files import ODP, ODS, ODT
from tests.formats.office.rtf_files import RTF
from tests.formats.office.xls_files import XLS
from tests.formats.office.xlsx_files import sheet

RST = b"""\
Guide
=====

.. note:: Read *this* first.

:Author: Somebody

Install
-------

.. code-block:: python

   print("hello")

========  =====
Key       Use
========  =====
brass     doors
========  =====

* one
* two

  term
     its meaning
"""
TEXT = b"""\
GUIDE TO KEYS

1. Brass keys

   Brass keys open old doors; see http://example.com for more.

   - front door
   - back door

2. Steel keys

    Name      Price
    ----      -----
    small     12.50
    large     17.00
"""
MAN = b"""\
.TH KEYS 1
.SH NAME
keys \\- open doors
.SH OPTIONS
.TP
\\fB\\-\\-all\\fR
Open \\fIall\\fR doors.
.PP
.nf
keys --all
.fi
"""
ORG = b"""\
#+TITLE: Keys
* TODO Brass keys :old:
  - front door
  - back door
| Name  | Price |
|-------+-------|
| small | 12.50 |
#+BEGIN_SRC sh
keys --all
#+END_SRC
"""


def make_pptx() -> bytes:
    """Slides with a title, items and a table, as python-pptx writes them."""
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = "Keys"
    slide.placeholders[1].text = "Brass keys open old doors.\nSteel keys open new ones."
    slide.shapes.add_table(2, 2, 0, 0, 900000, 900000).table.cell(0, 0).text = "Name"
    written = io.BytesIO()
    presentation.save(written)
    return written.getvalue()


PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000001080000000037"
    "6ef9240000000a49444154789c63f80f0000010100053f2c1c0000000049454e44ae426082"
)
"""A picture of one dot."""

SAMPLES = {
    "odt": ODT,
    "ods": ODS,
    "odp": ODP,
    "rtf": RTF,
    "xls": XLS,
    "msg": MSG,
    "email": mail(report_md=b"# Report\n"),
    "rst": RST,
    "text": TEXT,
    "tsv": b'Key\tPrice\nbrass\t12.50\n"steel\tkey"\t17\n',
    "notebook": notebook(markdown("# Keys\n\nBrass keys."), code("print(1)", {"output_type": "stream", "text": "1"})),
    "pptx": make_pptx(),
    "xlsx": sheet(["Key", "Price"], ["brass", 12.5], ["steel", 17], ["sum", "=SUM(B2:B3)"]),
    "epub": archive(BOOK),
    "doc": WORD,
    "ppt": SLIDES,
    "image": PNG,
    "zip": archive({"guide.md": "# Keys\n\nBrass keys.\n", "notes/more.txt": "More about keys.\n"}),
    "man": MAN,
    "org": ORG,
}
TOLD_BY_NAME = ("rst", "text", "tsv", "org")
"""Formats whose content alone does not decide."""
NOT_READ_ALONE = ("doc", "ppt", "image", "zip")
"""Formats that need another program, or hold documents."""
