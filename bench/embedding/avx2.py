"""Run a Python module as on a processor that has AVX2, but neither AVX-512 nor VNNI.

usage: python -m bench.embedding.avx2 MODULE [ARGUMENT ...]

The code that runs is what such a processor would run, not how fast it would be there. onnxruntime has no
setting for this, so copies of onnxruntime and OpenVINO, in .cache/avx2, have the instruction ud2 in place of
cpuid, and avx2.c answers for the processor. PyTorch has settings for it. Needs Linux on x86-64, cc and objdump.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from bench.lib.corpus import CACHE

FOLDER = CACHE / "avx2"
PACKAGES = ("onnxruntime", "openvino")
SETTINGS = {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"}
CPUID, UD2 = b"\x0f\xa2", b"\x0f\x0b"


def copy_package(name: str, folder: Path) -> None:
    """Copy a package, if it is installed, and replace the instruction in all its libraries."""
    found = find_spec(name)
    if found and found.origin and not (folder / name).exists():
        shutil.copytree(Path(found.origin).parent, folder / f"{name}.unfinished")
        for library in (folder / f"{name}.unfinished").rglob("*.so*"):
            replace_cpuid(library)
        (folder / f"{name}.unfinished").rename(folder / name)


def replace_cpuid(library: Path) -> None:
    code = _objdump("-d", "--no-show-raw-insn", library)
    sites = [int(found, 16) for found in re.findall(r"^ *([0-9a-f]+):\tcpuid", code, re.MULTILINE)]
    sections = [(int(size, 16), int(address, 16), int(offset, 16)) for size, address, offset in re.findall(
        r"^ *\d+ \S+ +([0-9a-f]+) +([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+)", _objdump("-h", library), re.MULTILINE
    )]  # fmt: skip
    data = bytearray(library.read_bytes())
    for site in sites:
        at = next(site - address + offset for size, address, offset in sections if address <= site < address + size)
        if data[at : at + 2] != CPUID:
            raise SystemExit(f"{library}: no cpuid at {at:#x}")
        data[at : at + 2] = UD2
    library.write_bytes(data)


def _objdump(*arguments: str | Path) -> str:
    return subprocess.run(["objdump", *arguments], capture_output=True, text=True, check=True).stdout


def main(command: list[str]) -> int:
    if not command:
        raise SystemExit(__doc__)
    FOLDER.mkdir(parents=True, exist_ok=True)
    source, answers = Path(__file__).with_suffix(".c"), FOLDER / "answers.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", answers, source], check=True)
    for name in PACKAGES:
        copy_package(name, FOLDER)
    environment = {**os.environ, **SETTINGS, "PYTHONPATH": str(FOLDER), "LD_PRELOAD": str(answers)}
    return subprocess.run([sys.executable, "-m", *command], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
