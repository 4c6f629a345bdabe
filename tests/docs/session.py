"""The process that runs a page: reads its steps as JSON, writes what each of them printed as JSON."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import Any, Final, TextIO

from tests.docs.blocks import is_checked_only, is_known

_SHELL: Final = re.compile(r"[|&;<>*$`~]")
"""What only a shell understands."""


def run(language: str, source: str, names: dict[str, Any]) -> tuple[str, int]:
    """Run a step; return what it printed and its exit code."""
    if language == "python":
        return _capture(lambda: exec(compile(source, "the page", "exec"), names), sys.stderr)
    if is_checked_only(source):
        return "", 0 if is_known(source) else 1
    words = shlex.split(source, comments=True)
    if words[0] == "crosshead" and not _SHELL.search(re.sub(r"'[^']*'|\"[^\"$`]*\"", "", source)):
        from crosshead.cli import app

        return _capture(lambda: app(words[1:]))
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", source],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.stdout, done.returncode


def _capture(call: Any, errors: TextIO | None = None) -> tuple[str, int]:
    """Return what a call printed, on both streams unless errors go elsewhere, and its exit code."""
    printed, code = BytesIO(), 0
    stream = TextIOWrapper(printed, encoding="utf-8", write_through=True)
    with redirect_stdout(stream), redirect_stderr(errors or stream):
        try:
            call()
        except SystemExit as end:
            code = int(end.code or 0)
    return printed.getvalue().decode(), code


def clean(output: str) -> str:
    """Leave out spaces at the ends of lines, and empty lines around them."""
    return "\n".join(line.rstrip() for line in output.strip("\n").splitlines())


def main() -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    for block in json.load(sys.stdin):
        outputs = []
        for language, source, must_succeed in block:
            try:
                output, code = run(language, source, names)
            except Exception as error:
                raise SystemExit(f"{source.strip()!r} raises {type(error).__name__}: {error}") from error
            if code and must_succeed:
                raise SystemExit(f"{source!r} ends with {code}: {clean(output)!r}")
            outputs.append(clean(output))
        printed.append(outputs)
    json.dump(printed, sys.stdout)


if __name__ == "__main__":
    main()
