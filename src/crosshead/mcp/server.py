"""A server with all tools; every call that cannot be answered gets one line that says what to do."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, Final

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import ValidationError

from crosshead.errors import OptionsError
from crosshead.mcp.arguments import check_arguments, with_search_arguments
from crosshead.mcp.projects import Projects
from crosshead.mcp.prompts import answer_with_citations
from crosshead.mcp.tools import Tools, failure
from crosshead.options import check_names
from crosshead.server.errors import invalid_values

INSTRUCTIONS: Final = """\
Answers from the documents of a project: Markdown, HTML, DOCX, PDF and more, with their sections and exact citations.
1. rag_search finds the sections that answer a question. Cite what you use by its citation.
2. rag_section opens a whole section by the section_id of a hit or an outline; its parent_section_id leads upwards.
3. rag_outline shows the documents and their headings; rag_page a page of a PDF as a picture.
   rag_related finds sections of other documents near a section, and copies of it.
4. rag_index makes documents searchable. Call it once per project, and again after files have changed.
Without project_path, the project is {home}"""
SECTION_URI: Final = "crosshead://section/{section_id}{?project_path}"
READING: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITING: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class ToolServer(MCPServer):
    """Refuses unknown tools and arguments by name, and says in one line which values are wrong."""

    def __init__(self, tools: Sequence[Tool], home: object) -> None:
        instructions = INSTRUCTIONS.format(home=home)
        super().__init__(
            "crosshead",
            "Crosshead",
            instructions=instructions,
            version=version("crosshead"),
            log_level="ERROR",
            tools=[*tools],
        )
        self._arguments = {each.name: [*each.parameters["properties"]] for each in tools}

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; an argument that is null has its default."""
        given = {each: value for each, value in arguments.items() if value is not None}
        try:
            check_names([name], [*self._arguments], kind="tool")
            check_arguments(arguments, self._arguments[name])
            return await super().call_tool(name, given, context)
        except OptionsError as error:
            return failure(error)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                return failure(invalid_values(error.__cause__.errors(), depth=0))
            raise


def create_server(projects: Projects, budget_tokens: int) -> MCPServer:
    """Return a server with all tools, sections as resources, and a prompt."""
    tools = Tools(projects, budget_tokens)
    server = ToolServer(
        [
            _tool(tools.rag_index, "Index documents", WRITING),
            _tool(with_search_arguments(tools.rag_search), "Search documents", READING),
            _tool(tools.rag_section, "Read a section", READING),
            _tool(tools.rag_related, "Find related sections", READING),
            _tool(tools.rag_page, "Look at a page", READING),
            _tool(tools.rag_outline, "Outline documents", READING),
        ],
        projects.home,
    )
    server.resource(SECTION_URI, name="section", title="A section", mime_type="text/markdown")(tools.section_resource)
    server.prompt("answer", "Answer with citations")(answer_with_citations)
    return server


def _tool(call: Callable[..., Any], title: str, annotations: ToolAnnotations) -> Tool:
    """Return a tool, described by the paragraphs of its docstring, which accepts no other arguments than its own."""
    paragraphs = (inspect.getdoc(call) or "").split("\n\n")
    description = "\n\n".join(" ".join(each.split()) for each in paragraphs)
    tool = Tool.from_function(call, title=title, description=description, annotations=annotations)
    tool.parameters["additionalProperties"] = False
    return tool
