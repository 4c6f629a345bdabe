"""Files of an index are damaged: whatever a search says afterwards, it is as before, an error, or found by `doctor`.

Ten damages by default; CROSSHEAD_DAMAGES=100 for a thorough run.
"""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from crosshead.errors import CrossheadError
from crosshead.index import Index

DAMAGES = int(os.environ.get("CROSSHEAD_DAMAGES", "10"))
NOT_SEARCHED = ("write.lock", "files.json")
QUESTIONS = ("rotate keys", "how long are backups kept", "page 7", "price of pears")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index that was written several times, so that it has several files of every kind."""
    folder = tmp_path_factory.mktemp("sound")
    docs = folder / "docs"
    docs.mkdir()
    (docs / "keys.md").write_text(
        "# Keys\n\n## Rotation\n\nRotate keys every 90 days.\n\n## Backups\n\nKept for a year.\n"
    )
    (docs / "prices.csv").write_text("name,price\nApple,1\nPear,2\n")
    for number in range(12):
        (docs / f"{number}.md").write_text(f"# Page {number}\n\n" + f"Words of page {number}. " * 40)
    with Index(folder / "index", embedder="static") as index:
        index.add(docs)
        (docs / "keys.md").write_text((docs / "keys.md").read_text().replace("90", "30"))
        index.add(docs)
    return folder / "index"


@pytest.fixture(scope="module")
def expected(sound: Path) -> list[object]:
    """What is answered as long as nothing is damaged."""
    return answers(sound)


def damage(folder: Path, chance: random.Random) -> str:
    """Damage one file at random, and say how."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in NOT_SEARCHED)
    path = chance.choice(files)
    data = bytearray(path.read_bytes())
    way = chance.choice(["flip", "flip", "flip", "cut", "remove"])
    if way == "remove":
        path.unlink()
    elif way == "cut":
        path.write_bytes(data[: chance.randrange(len(data))])
    else:
        for _ in range(chance.choice([1, 1, 8])):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
    return f"{way} {path.relative_to(folder)}"


def answers(folder: Path) -> list[object]:
    """Ask and show as a user does."""
    with Index(folder, create=False) as index:
        found: list[object] = []
        for question in QUESTIONS:
            for mode in ("hybrid", "lexical", "dense"):
                hits = index.search(question, mode=mode)  # type: ignore[arg-type]
                found.append([(hit.chunk, round(hit.final_score, 5)) for hit in hits])
                found.append([index.section(hit.chunk.section_id) for hit in hits[:3]])
        return found


def is_reported(folder: Path) -> bool:
    try:
        with Index(folder, create=False) as index:
            return any(each.is_fault for each in index.doctor())
    except CrossheadError:
        return True


def test_a_sound_index_is_called_sound(sound: Path) -> None:
    with Index(sound, create=False) as index:
        assert [each for each in index.doctor() if each.is_fault] == []


@pytest.mark.parametrize("seed", range(DAMAGES))
def test_no_damage_changes_an_answer_silently(sound: Path, expected: list[object], tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "index"
    shutil.copytree(sound, folder)
    done = damage(folder, random.Random(seed))
    before = shutil.copytree(folder, tmp_path / "damaged")
    try:
        found = answers(folder)
    except CrossheadError:
        return
    assert is_reported(before) or found == expected, done
