"""The arguments of the tools, with the descriptions that an assistant reads."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Annotated, Any, Final

from pydantic import Field

from crosshead.options import Strategy, check_names
from crosshead.search import TRIED_FIRST
from crosshead.server.openapi.schema import Conditions, search_parameters
from crosshead.types import SearchRequest

ProjectPath = Annotated[
    str,
    Field(
        description="The folder of the project, which holds its index. Omit it for the project that the server was "
        "started in; '~' is the user's home."
    ),
]
SectionId = Annotated[str, Field(description="The section_id of a hit, or of a line of an outline.")]
PageNumber = Annotated[
    int, Field(description="The number of the page; 0 is the first page of the section.", ge=0, le=1_000_000)
]
RelatedLimit = Annotated[int, Field(description="Sections to return.", ge=1, le=50)]
DocumentPath = Annotated[
    str, Field(description="A document or a folder, relative to project_path or absolute; '.' is the whole project.")
]
Query = Annotated[
    str,
    Field(
        description="A question in plain words, or keywords; -word excludes, "
        '"a phrase" is required, a OR b requires one of them.',
        min_length=1,
        max_length=2000,
    ),
]
ChunkingStrategy = Annotated[
    Strategy,
    Field(
        description="How a new index chunks documents: 'auto' and 'section' by section, 'fixed' into windows. "
        "Omit it unless the user asks for one; an index keeps its strategy."
    ),
]
Hidden = Annotated[
    bool,
    Field(
        description="Also index the hidden files and folders of a folder, except .git and node_modules. A hidden file "
        "that path names is indexed without it."
    ),
]
GivenMetadata = Annotated[
    Conditions | None,
    Field(
        description="Metadata that the documents get, for filters: {'team': 'infra', 'tags': ['a', 'b']} or "
        "['team=infra', 'tags=a,b']. Omit it unless the user asks for it; documents keep theirs."
    ),
]

_OTHER_NAMES: Final = {
    "q": "query",
    "question": "query",
    "id": "section_id",
    "chunk_id": "section_id",
    "file": "path",
    "folder": "path",
    "directory": "path",
    "project": "project_path",
    "root": "project_path",
    "strategy": "chunking_strategy",
    **TRIED_FIRST,
}
"""The right names for those that assistants try first."""


def check_arguments(given: Iterable[str], known: Sequence[str]) -> None:
    """Raise an error that suggests the right name for an argument that a tool does not have."""
    others = {name: right for name, right in _OTHER_NAMES.items() if {*re.findall(r"\w+", right)} - {"or"} <= {*known}}
    check_names(given, known, others, kind="argument")


def with_search_arguments(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Give a tool that takes any keywords an argument for each search field that all doors offer."""

    @wraps(tool)
    async def call(**arguments: Any) -> Any:
        return await tool(**arguments)

    signature = inspect.signature(tool, eval_str=True)
    own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    arguments = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=info.default, annotation=Annotated[type, info])
        for name, (type, info) in search_parameters(SearchRequest, as_json=True, all=False).items()
    ]
    vars(call)["__signature__"] = signature.replace(parameters=[*own, *arguments])
    return call
