"""Where links lead.

names      a link, a document -> the names by which a store finds one from the other
sites      the settings of a project -> the program that shows its documents
anchors    the headings of a document -> the ids that this program gives them
resolving  a link -> the document and the section that it leads to, or what is missing
finding    the links out of a document or section and into it; those that are broken; documents without links to them
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crosshead.runtime.lazy import lazy_names

if TYPE_CHECKING:
    from crosshead.linking.anchors import ANCHOR_RULES, AnchorRules
    from crosshead.linking.finding import check_links, find_section, follow_links, links_of
    from crosshead.linking.names import names_of_document, names_of_link
    from crosshead.linking.sites import SiteFiles

__all__ = [
    "ANCHOR_RULES",
    "AnchorRules",
    "SiteFiles",
    "check_links",
    "find_section",
    "follow_links",
    "links_of",
    "names_of_document",
    "names_of_link",
]

_HOMES = {
    "anchors": "ANCHOR_RULES AnchorRules",
    "finding": "check_links find_section follow_links links_of",
    "names": "names_of_document names_of_link",
    "sites": "SiteFiles",
}
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
