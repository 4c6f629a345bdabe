"""docs/cli.md is what --help says. After a change: python tests/cli/test_reference.py"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from crosshead.cli import app
from crosshead.cli.flags import CHUNKING, READING

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
REWRITE = "python tests/cli/test_reference.py"
PANELS = {CHUNKING: "crosshead chunk", READING: "crosshead extract"}
"""The command whose section lists the options of a panel; the others link to it."""

INTRODUCTION = """\
# Command line

{help}

## What all commands share

**Paths** are documents or folders. A folder is searched for documents of every known suffix, in order of their names;
hidden files and folders and `node_modules` are left out, and so are [code and data](formats.md#source-code-and-data)
unless `--include` names them. `-` is standard input. A document that cannot be read is
reported at the end on standard error, and the others go on. `index` also leaves out what `.gitignore` and
`.crossheadignore` name, whichever path is given, and links that lead out of the folder.

**The index** is the nearest `.crosshead`, in the current folder or above, unless `--index` or `CROSSHEAD_INDEX` names
another. `index` takes one that is above only for documents that lie below the folder that holds it, and says so; else
it makes one in the current folder.

**Other names.** `query`, `find` and `ask` are `search`, `add` is `index`, `rm` is `remove`, `ls` is `list`, and `help
COMMAND` is `COMMAND --help`.

**Formats.** Every command takes every format in [Formats](formats.md). The content decides, then the name; `--format`
overrules both.

**Output** is for people, with colors on a terminal unless `NO_COLOR` is set. With `--json` it is JSON Lines: one object
per line, always valid JSON in UTF-8, in the order of the documents. It does not depend on `--jobs`.

**Settings.** Every option of reading and chunking can be a flag, a variable of the environment
(`CROSSHEAD_MAX_TOKENS=300`, `CROSSHEAD_STYLE_MAP=HeadA=1,Code=code`) or a line in the nearest `crosshead.toml`, in the
current folder or above. The first of them counts:

```toml
[extract]
main_content = "off"
style_map = {{ HeadA = 1, Code = "code" }}

[chunk]
max_tokens = 300
front_matter = "strip"
```

**Exit codes**

| code | meaning |
|---|---|
| 0 | fine |
| 1 | a check failed, nothing was found, or some of several documents failed, whatever the reason |
| 2 | a mistake in the command, its settings or its input |
| 3 | a fault of Crosshead; please report it |
| 130 | interrupted by Ctrl-C |
| 141 | the reader of the output went away, as `head` does |

Errors are one line on standard error; `--debug`, anywhere in the command, shows the traceback.
"""


def commands() -> Iterator[tuple[str, Any]]:
    """Every command and group with its whole name."""

    def walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        yield name, command
        for below in getattr(command, "commands", {}).values():
            yield from walk(f"{name} {below.name}", below)

    return walk("crosshead", get_command(app))


def page() -> str:
    """Write the page from the help texts."""
    (_, root), *others = commands()
    parts = [INTRODUCTION.format(help=root.help.partition("\n\n")[0])]
    parts.extend(section(name, command) for name, command in others if not hasattr(command, "commands"))
    return "\n".join(parts)


def section(name: str, command: Any) -> str:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option"]
    listed = [param for param in options if PANELS.get(param.rich_help_panel, name) == name]
    others = {param.rich_help_panel: None for param in options if param not in listed}
    usage = " ".join([name, *(usage_of(param) for param in arguments), *(["[OPTIONS]"] if options else [])])
    lines = [f"## {name}", "", command.help, "", "```", usage, "```", ""]
    lines += [f"`{param.metavar}`: {param.help}" for param in arguments]
    if listed:
        lines += ["", "| option | effect |", "|---|---|"]
        lines += [f"| {flags_of(param)} | {effect_of(param)} |" for param in listed]
    for panel in others:
        command_name = PANELS[panel]
        link = f"[{command_name}](#{command_name.replace(' ', '-')})"
        lines += ["", f"Also the options of {panel.lower()}, as for {link}."]
    lines += ["", "```console", *examples(command), "```", ""]
    return "\n".join(lines)


def usage_of(param: Any) -> str:
    name = param.metavar if param.required else f"[{param.metavar}]"
    return name + ("..." if param.nargs == -1 else "")


def flags_of(param: Any) -> str:
    value = f" {param.metavar}" if param.metavar else ""
    return ", ".join(f"`{flag}{value}`" for flag in [*param.opts, *param.secondary_opts])


def effect_of(param: Any) -> str:
    is_clear = param.default in (None, False, True, "") or "default" in param.help
    default = "" if is_clear else f" Default: {param.default}."
    return (param.help + default).replace("|", "\\|")


def examples(command: Any) -> Sequence[str]:
    return re.findall(r"^ +(crosshead .+)$", command.epilog or "", re.M)


@pytest.mark.parametrize(("name", "command"), [*commands()])
def test_everything_has_help_and_an_example(name: str, command: Any) -> None:
    assert command.help, name
    assert command.help.partition("\n\n")[0].endswith("."), name
    assert examples(command), name
    for param in command.params:
        assert param.help, f"{name} {param.name}"


def test_examples_name_commands_and_options_that_exist() -> None:
    known = dict(commands())
    for _, command in commands():
        for example in examples(command):
            words = example.split()
            used = next(known[" ".join(words[:size])] for size in (3, 2) if " ".join(words[:size]) in known)
            flags = {flag for param in used.params for flag in (*param.opts, *param.secondary_opts)}
            assert {word for word in words if word.startswith("--")} <= flags, example


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), f"the help texts have changed: {REWRITE}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
