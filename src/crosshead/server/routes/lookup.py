"""GET /v1/chunks/{id} and /v1/sections/{id}: the chunks and sections that hits refer to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from crosshead.server.errors import not_found
from crosshead.server.openapi.examples import Example
from crosshead.server.openapi.schema import ExpandedChunkJson, PassageJson, answers
from crosshead.server.state import Server

router = APIRouter(tags=["lookup"])

EXAMPLES: Final[Mapping[str, Example]] = {
    "/v1/chunks/{id}": lambda sample: sample.chunk.to_json(),
    "/v1/sections/{id}": lambda sample: sample.passage.to_json(),
}

ID: Final = Path(pattern="^[0-9a-f]{16}(@[0-9a-f]{6})?$", examples=["0f3b2c4d5e6f7a81"])
Id = Annotated[str, ID]
Levels = Annotated[bool | int, Query(ge=0)]


@router.get("/chunks/{id}", responses=answers(ExpandedChunkJson))
async def chunk(server: Server, id: Id, expand_context: Levels = False) -> Response:
    """Return a chunk; with `expand_context`, also its parent and siblings; with `2`, the parent of its parent, too."""

    def work() -> object:
        found = server.index.chunk(id)
        if found is None:
            raise not_found(f"chunk {id}")
        if not expand_context:
            return found.to_json()
        parents = [each.to_json() for each in server.index.parents(id, int(expand_context))]
        return {
            **found.to_json(),
            "parent": parents[0] if parents else None,
            "siblings": [each.to_json() for each in server.index.siblings(id)],
            "ancestors": parents[1:],
        }

    return await server.workers.search(work)


@router.get("/sections/{id}", responses=answers(PassageJson))
async def section(server: Server, id: Id) -> Response:
    """Return a whole section with its subsections."""

    def work() -> object:
        found = server.index.section(id)
        if found is None:
            raise not_found(f"section {id}")
        return found.to_json()

    return await server.workers.search(work)
