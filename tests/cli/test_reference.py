"""Every command has help, and an example that works. After a change of a help text: python -m tests.docs docs/cli.md"""

from __future__ import annotations

from typing import Any

import pytest
from tests.docs.reference import commands, examples


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
