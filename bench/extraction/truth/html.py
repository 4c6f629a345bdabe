"""Documents -> HTML for a browser or WeasyPrint to print."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .html_table import table_css, table_of
from .look import Look
from .model import Beside, Block, Boxes, Break, Code, Columns, Contents, Document, Heading, Items, Paragraph, Table


def page_of(document: Document, look: Look, css: str = "") -> str:
    """Return the whole page; `css` is added."""
    cover = f'<section class="cover">{_blocks(document.cover, look)}</section>' if document.cover else ""
    return (
        f'<!doctype html><html lang="{document.language}"><meta charset="utf-8"><title>{escape(document.kind)}</title>'
        f"<style>{_css(look)}{css}</style><body>{cover}{_blocks(document.blocks, look)}</body></html>"
    )


def _css(look: Look) -> str:
    sizes = "".join([f"h{level}{{font-size:{size}em}}" for level, size in enumerate(look.sizes, 1)])
    weight = "bold" if look.bold else "normal"
    color = "#1a4d8f" if look.headings == "colored" else "#000"
    extra = "font-variant:small-caps;" if look.headings == "small-caps" else ""
    extra += "text-align:center;" if look.headings == "centered" else ""
    return f"""
body {{font:{look.size}pt/1.3 '{look.family}'; margin:0; color:#000}}
p, ul, ol, table, pre {{margin:0 0 .8em}}
h1, h2, h3, h4, h5 {{font-weight:{weight}; color:{color}; margin:1.3em 0 .6em; {extra} line-height:1.2;
  break-after:avoid}}
{sizes}
pre {{font:.9em 'Liberation Mono'}}
.small {{font-size:.85em}}
.boxed {{border:1pt solid #000; padding:4pt}}
.two {{column-count:2; column-gap:18pt}}
.cover {{break-after:page; padding-top:160pt; font-size:1.5em; text-align:center}}
.break {{break-before:page}}
.drop::first-letter {{float:left; font-size:3.1em; line-height:.85; padding-right:2pt}}
.title {{text-align:center; font-weight:bold; margin:0; break-after:avoid}}
.beside > div {{width:47%}}
.beside {{display:flex; justify-content:space-between; margin-bottom:1em}}
.contents td {{padding:1pt 0; border:0; background:none}}
.contents td + td {{text-align:right}}
{table_css(look)}
.form td {{border:.8pt solid #000; width:30%}}
.form small {{font-size:.8em; color:#333}}
.form + p {{margin-top:1em}}"""


def _blocks(blocks: Sequence[Block], look: Look) -> str:
    return "\n".join([_block(block, look) for block in blocks])


def _block(block: Block, look: Look) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
        case Paragraph():
            name = "small" if block.is_small else "boxed" if block.is_boxed else "drop" if block.has_drop_cap else ""
            lead = f"<b>{escape(block.lead)}</b> " if block.lead else ""
            return f'<p class="{name}">{lead}{escape(block.text)}</p>'
        case Items():
            name = "ol" if block.is_ordered else "ul"
            return f"<{name}>{''.join([f'<li>{escape(text)}</li>' for text in block.texts])}</{name}>"
        case Code():
            return f"<pre>{escape(chr(10).join(block.lines))}</pre>"
        case Columns():
            return f'<div class="two">{_blocks(block.blocks, look)}</div>'
        case Beside():
            halves = [f"<div>{table_of(each, look)}</div>" for each in (block.left, block.right)]
            return f'<div class="beside">{"".join(halves)}</div>'
        case Contents():
            return _contents(block)
        case Break():
            head = f'<p style="text-align:center"><b>{escape(block.head)}</b></p>' if block.head else ""
            return f'<div class="break"></div>{head}'
        case Boxes() if block.is_stacked:
            return "".join([_stack(row) for row in block.rows])
        case Boxes():
            return "".join([_form_row(row) for row in block.rows])
        case Table():
            return table_of(block, look)


def _contents(contents: Contents) -> str:
    entries = zip(contents.entries, contents.places, strict=True)
    rows = [
        f'<tr><td style="padding-left:{12 * (entry.level - 2)}pt">{escape(entry.text)}</td><td>{place}</td></tr>'
        for entry, place in entries
    ]
    return f'<p class="title">{escape(contents.title)}</p><table class="contents">{"".join(rows)}</table>'


def _form_row(pairs: Sequence[tuple[str, str]]) -> str:
    cells = [f"<td><small>{escape(label)}</small><br>{escape(value)}</td>" for label, value in pairs]
    return f'<table class="form" style="margin:0 0 -.8pt"><tr>{"".join(cells)}</tr></table>'


def _stack(pairs: Sequence[tuple[str, str]]) -> str:
    labels, values = ("<br>".join([escape(pair[place]) for pair in pairs]) for place in (0, 1))
    return f'<table class="form" style="margin:0 0 -.8pt"><tr><td>{labels}</td><td>{values}</td></tr></table>'
