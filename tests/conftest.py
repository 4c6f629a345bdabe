"""Where tiktoken, the tests' oracle for counts, finds its vocabularies."""

from __future__ import annotations

import os
from pathlib import Path

VOCABULARIES = Path(__file__).parent.parent / ".venv/vocabularies/llama_index/core/_static/tiktoken_cache"

# tiktoken looks there before it would download anything; `make test` puts them there.
os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(VOCABULARIES))
