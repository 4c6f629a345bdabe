"""What all tests share: where tiktoken finds its vocabularies, and how long Hypothesis looks."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import settings

VOCABULARIES = Path(__file__).parent.parent / ".venv/vocabularies/llama_index/core/_static/tiktoken_cache"

# tiktoken looks there before it would download anything; `make test` puts them there.
os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(VOCABULARIES))

settings.register_profile("ci", max_examples=200, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=10_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
