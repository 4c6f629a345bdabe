"""The library's values as schemas of the OpenAPI document, described by the docstrings of their fields."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import Field as DataclassField
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Annotated, Any, ClassVar, Final, Literal, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, create_model, model_validator

from crosshead.errors import OptionsError
from crosshead.indexing import AddResult
from crosshead.markdown import Node
from crosshead.options import ChunkOptions, check_names
from crosshead.runtime.field_docs import field_docs
from crosshead.server.jobs.job import Job
from crosshead.server.reading import BRIEF_FIELDS
from crosshead.types import (
    LINKS,
    Answer,
    Chunk,
    Expansion,
    Figure,
    Figures,
    Hit,
    MissingIndex,
    PageBox,
    PageView,
    Passage,
    Proof,
    RelatedSection,
    Report,
    ResolvedLink,
    SearchRequest,
    Status,
    StoredDocument,
    StoredSizes,
    Verdict,
    Violation,
    door_fields,
)

Model = type[BaseModel]

_DOCS: Final = {
    "rerank": "Rerank the first hits with `maxsim`, which compares token vectors, or with `none`. By default, an index "
    "that stores token vectors compares them."
}
"""Descriptions of fields that take less than in Python."""
_MOST: Final[dict[str, dict[str, int]]] = {
    "limit": {"le": 100},
    "per_document": {"le": 100},
    "budget_tokens": {"le": 100_000},
}


def model_of(kind: type, name: str | None = None, *, without: tuple[str, ...] = (), **changed: Any) -> Model:
    """Return the schema of a class's JSON; `changed` are fields that differ in JSON, or are only there."""
    hints, docs = get_type_hints(kind), field_docs(kind)
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else list(hints)
    types = {each: changed.pop(each, hints[each]) for each in names if each not in without} | changed
    given: dict[str, Any] = {each: (value, Field(description=docs.get(each))) for each, value in types.items()}
    return create_model(name or kind.__name__, **given)


def extended(model: Model, name: str, **added: Any) -> Model:
    """Return a schema with further fields."""
    given: dict[str, Any] = {each: (kind, None) for each, kind in added.items()}
    return create_model(name, __base__=model, **given)


def query_of(kind: type, base: Model, name: str) -> Model:
    """Return the parameters of a request: those of a base, and the options of a class, all optional."""
    hints, docs = get_type_hints(kind), field_docs(kind)
    given: dict[str, Any] = {
        each.name: (hints[each.name] | None, Field(None, description=docs.get(each.name))) for each in fields(kind)
    }
    return create_model(name, __base__=base, **given)


def search_parameters(kind: type[SearchRequest], *, as_json: bool = False, **defaults: Any) -> dict[str, Any]:
    """Return the type and description of every search field that HTTP and MCP offer, by name.

    In JSON, metadata may also be an object; `defaults` are those that differ.
    """
    docs, hints = field_docs(kind) | _DOCS, get_type_hints(kind)
    parameters: dict[str, Any] = {}
    for each in door_fields(kind):
        bounds = {**each.metadata["bounds"], **_MOST.get(each.name, {})}
        type, default = _parameter(each, hints[each.name])
        type = Conditions if as_json and each.name == "metadata" else type
        parameters[each.name] = type, Field(defaults.get(each.name, default), description=docs[each.name], **bounds)
    return parameters


def _conditions(value: object, info: ValidationInfo) -> object:
    """Read conditions on metadata: a list of texts, one text, or an object."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict) or (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        return value
    raise OptionsError(
        f"{info.field_name}={reprlib.repr(value)} must be a list of conditions, as in ['team=infra'], or an object, "
        "as in {'team': 'infra'}"
    )


Conditions = Annotated[list[str] | dict[str, Any], BeforeValidator(_conditions)]


def _parameter(field: DataclassField[Any], hint: Any) -> tuple[Any, Any]:
    if field.name == "rerank":  # a client must not make us call servers
        return Literal["maxsim", "none"] | None, None
    if field.metadata["metavar"] == "KEY=VALUE":
        return list[str], []
    if field.metadata["metavar"] == "DAY":
        return Annotated[date, BeforeValidator(_day)] | None, None
    if hint == Expansion:
        return Annotated[Expansion, BeforeValidator(_expansion)], field.default
    return (str | None, None) if hint is str else (hint, field.default)


def _expansion(value: object, info: ValidationInfo) -> object:
    """Refuse texts that mean nothing here; pydantic alone would say that they are neither true nor false."""
    if isinstance(value, str) and not (value == LINKS or value.isdecimal() or value in ("true", "false")):
        raise OptionsError(f"{info.field_name}={reprlib.repr(value)} is neither a number nor {LINKS!r}")
    return value


def _day(value: object, info: ValidationInfo) -> date:
    """Read a day; pydantic alone would read numbers as seconds since 1970."""
    with suppress(TypeError, ValueError):
        return date.fromisoformat(value)  # type: ignore[arg-type]
    raise OptionsError(f"{info.field_name}={reprlib.repr(value)} must be a day, as in 2026-01-31")


class QueryParams(BaseModel):
    """Query parameters of a request; unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    OTHER_NAMES: ClassVar[Mapping[str, str]] = {}
    """The right names for those that people try first."""

    @model_validator(mode="before")
    @classmethod
    def _check_names(cls, values: Any) -> Any:
        if isinstance(values, Mapping):
            check_names(values, list(cls.model_fields), cls.OTHER_NAMES)
        return values

    def given(self, *without: str) -> dict[str, Any]:
        """Return the parameters that the request sets."""
        return {name: value for name, value in self if value is not None and name not in without}


class RouteAnswer(BaseModel):
    """What a route returns."""

    model_config = ConfigDict(use_attribute_docstrings=True)


_Schema: Final = Annotated[str, Field(alias="schema")]  # `schema` would be a method of the model
ChunkJson: Final = model_of(Chunk, schema_=_Schema, breadcrumb=str | None, citation=str)
BriefChunkJson: Final = model_of(
    Chunk, "BriefChunk", without=tuple({*Chunk.__dataclass_fields__} - {*BRIEF_FIELDS}), citation=str
)
_Chunks: Final = list[ChunkJson]  # type: ignore[valid-type]
_Around: Final[dict[str, Any]] = {
    "parent": ChunkJson | None,
    **dict.fromkeys(("siblings", "ancestors"), _Chunks),
}
_OF_HITS: Final[dict[str, Any]] = {
    **dict.fromkeys(("content", "source", "title"), str),
    **dict.fromkeys(("start_line", "end_line"), int),
    "score": float,
    "metadata": dict[str, Any],
}
ExpandedChunkJson: Final = extended(ChunkJson, "ExpandedChunk", **_Around)
HitJson: Final = extended(
    model_of(Hit, "BareHit", without=("index",), chunk=ChunkJson, linked=_Chunks, **_Around, **_OF_HITS),
    "Hit",
    enriched_content=str | None,
    index=str | None,
)
RelatedJson: Final = model_of(
    RelatedSection,
    chunk=ChunkJson,
    section_id=str,
    source=str,
    title=str,
    section_path=list[str],
    citation=str,
)
MissingJson: Final = model_of(MissingIndex, "MissingJson")
PassageJson: Final = extended(
    model_of(Passage, "BarePassage", without=("index",), heading_chain=str | None), "Passage", index=str | None
)
AnswerJson: Final = model_of(Answer, schema_=_Schema)
ReportJson: Final = model_of(Report, ok=bool, figures=model_of(Figures), violations=list[Violation])
OptionsJson: Final = model_of(ChunkOptions)
StatusJson: Final = model_of(
    Status, sizes=model_of(StoredSizes), version=str, formats=list[str], max_body_bytes=int, language_model=str
)
DocumentJson: Final = model_of(
    StoredDocument, "Document", without=("text", "revision", "pages", "lines"), characters=int, chunks=int, pending=int
)
WholeDocumentJson: Final = extended(DocumentJson, "WholeDocument", text=str)
PageJson: Final = model_of(PageView, boxes=list[model_of(PageBox)])  # type: ignore[misc]
FigureJson: Final = model_of(Figure)
LinkJson: Final = model_of(ResolvedLink, problem=str)
ProofJson: Final = model_of(Proof, schema_=_Schema, ok=bool, counts=dict[Verdict, int])
ProvedAnswerJson: Final = extended(AnswerJson, "ProvedAnswer", proof=ProofJson | None)
AddedJson: Final = model_of(AddResult, without=("faults",))


class ProblemJson(RouteAnswer):
    """Problem details (RFC 9457)."""

    model_config = ConfigDict(title="Problem", use_attribute_docstrings=True)

    type: str
    """`urn:crosshead:` and the name of the error."""
    title: str
    status: int
    detail: str
    """What is wrong, and what to do."""
    request_id: str = ""
    """The id of the request in the server's log."""


JobJson: Final = model_of(Job, result=AddedJson | None, error=ProblemJson | None)


class NodeJson(RouteAnswer):
    """A section with those below it."""

    model_config = ConfigDict(title="Section")

    id: str
    title: str
    level: int
    start_line: int
    end_line: int
    token_count: int
    children: list[NodeJson]


assert set(NodeJson.model_fields) == set(Node._fields)


class OutlineJson(NodeJson):
    """The tree of a document."""

    model_config = ConfigDict(title="Outline")

    source: str


def answers(model: Model, status: int = 200, description: str = "The answer") -> dict[Any, Any]:
    """Return how the OpenAPI document describes the answer of a route."""
    return {status: {"model": model, "description": description}}
