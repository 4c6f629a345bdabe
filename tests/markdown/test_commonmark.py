"""The examples of the CommonMark specification, which the source archive of markdown-it-py carries."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import pytest
from tests.markdown.places import assert_places
from tests.support.markdown_oracle import differences

from crosshead import parse_blocks

ARCHIVES = Path(__file__).parent.parent.parent / ".venv" / "specification"
EXAMPLE = re.compile(r"^`{32} example[^\n]*\n(.*?)^\.\n.*?^`{32}$", re.S | re.M)


@pytest.fixture(scope="module")
def examples() -> dict[int, str]:
    """The inputs of all examples by number."""
    archives = sorted(ARCHIVES.glob("markdown_it_py-*.tar.gz"))
    if not archives:
        pytest.fail(f"the CommonMark specification is not in {ARCHIVES}: `make test` fetches it")
    with tarfile.open(archives[-1]) as archive:
        name = next(name for name in archive.getnames() if name.endswith("tests/test_cmark_spec/spec.md"))
        member = archive.extractfile(name)
        assert member is not None
        text = member.read().decode()
    return {number: match[1].replace("→", "\t") for number, match in enumerate(EXAMPLE.finditer(text), 1)}


def test_all_examples_are_there(examples: dict[int, str]) -> None:
    assert len(examples) >= 650


def test_examples_agree_with_markdown_it(examples: dict[int, str]) -> None:
    different = {number: found for number, text in examples.items() if (found := differences(text))}
    assert different == {}


@pytest.mark.parametrize("mdx", [False, True])
def test_blocks_of_the_examples_tile(examples: dict[int, str], mdx: bool) -> None:
    for text in examples.values():
        assert_places(text, parse_blocks(text, mdx))


def test_documents_made_of_several_examples_agree_with_markdown_it(examples: dict[int, str]) -> None:
    """What one construct leaves open may not reach into the next one."""
    texts = list(examples.values())
    joined = {number: f"{texts[number]}\n\n---\n\n{texts[-number]}" for number in range(1, len(texts), 3)}
    different = {number: found for number, text in joined.items() if (found := differences(text))}
    assert different == {}
