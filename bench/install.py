"""How large an installation is: of the package alone, and with some extras.

usage: python bench/install.py [EXTRA ...]

Installs this checkout into fresh environments with the versions of `constraints.txt`, and prints what the packages take
on the disk and which are the largest, as a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
LARGEST = 4


def size_of(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    return sum(os.stat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(path) for name in names)


def measure(extra: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=False)
        target = next(Path(folder).rglob("site-packages"))
        what = f"{ROOT}[{extra}]" if extra else str(ROOT)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(target)]
        subprocess.run([*command, "--constraint", str(ROOT / "constraints.txt"), what], check=True)
        sizes = sorted(((size_of(each), each.name) for each in target.iterdir()), reverse=True)
    largest = ", ".join(f"{name} {size / 1e6:.0f}" for size, name in sizes[:LARGEST])
    name = f"crosshead[{extra}]" if extra else "crosshead"
    return f"| `pip install '{name}'` | {sum(size for size, _ in sizes) / 1e6:.0f} | {largest} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("extras", nargs="*", default=["", "index"], metavar="EXTRA")
    print("| installation | MB | of these the largest |\n|---|---|---|")
    for extra in parser.parse_args().extras:
        print(measure(extra), flush=True)


if __name__ == "__main__":
    main()
