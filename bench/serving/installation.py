"""How large an installation is: of the package alone, and with some extras.

usage: python -m bench.serving.installation [EXTRA ...] [--largest N]

Installs this checkout into fresh environments with the versions of `constraints.txt`, and prints what the packages take
on the disk and which are the largest, as a Markdown table.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import venv
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]


def sizes_of(target: Path) -> list[tuple[int, str]]:
    """Return the bytes of every installed package, the largest first."""
    found = []
    for each in distributions(path=[str(target)]):
        paths = [Path(str(each.locate_file(file))) for file in each.files or ()]
        found.append((sum(path.stat().st_size for path in paths if path.is_file()), each.name))
    return sorted(found, reverse=True)


def measure(extra: str, shown: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=False)
        target = next(Path(folder).rglob("site-packages"))
        what = f"{ROOT}[{extra}]" if extra else str(ROOT)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(target)]
        subprocess.run([*command, "--constraint", str(ROOT / "constraints.txt"), what], check=True)
        sizes = sizes_of(target)
    largest = ", ".join(f"{name} {size / 1e6:.0f}" for size, name in sizes[:shown])
    name = f"crosshead[{extra}]" if extra else "crosshead"
    return f"| `pip install '{name}'` | {len(sizes)} | {sum(size for size, _ in sizes) / 1e6:.0f} | {largest} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("extras", nargs="*", default=["", "index"], metavar="EXTRA")
    parser.add_argument("--largest", type=int, default=5, metavar="N", help="how many packages are named")
    arguments = parser.parse_args()
    print("| installation | packages | MB | of these the largest |\n|---|---|---|---|")
    for extra in arguments.extras:
        print(measure(extra, arguments.largest), flush=True)


if __name__ == "__main__":
    main()
