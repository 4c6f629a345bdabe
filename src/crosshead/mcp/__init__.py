"""The door for assistants: tools over MCP that index a project and answer from it.

projects   folders that may be named, each with its index
budget     how much of a context an answer may take
answers    hits, sections, outlines and what became of documents, as text and by names
tools      what an assistant may call, described for it
run        the tools over standard input and output, or over HTTP
"""
