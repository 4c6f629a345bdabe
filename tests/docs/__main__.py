"""Rewrite the outputs and the generated parts of pages: python -m tests.docs [PAGE...]"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.docs.blocks import pages, run_page, with_outputs
from tests.docs.reference import with_parts


def main(names: list[str]) -> int:
    """Rewrite the pages that are named, or all; a page with a block that fails keeps its outputs."""
    failed = 0
    for path in [Path(name).resolve() for name in names] or pages():
        text = path.read_text("utf-8")
        new = with_parts(text)
        try:
            new = with_outputs(new, run_page(new))
        except RuntimeError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            failed = 1
        if new != text:
            path.write_text(new, "utf-8")
            print(f"{path.name}: written")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
