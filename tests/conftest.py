"""What all tests share: tiktoken's vocabularies, and how long Hypothesis may look."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
VOCABULARIES = ROOT / ".venv/vocabularies/llama_index/core/_static/tiktoken_cache"

# tiktoken looks for its vocabularies there before it would download them; `make test` puts them there.
os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(VOCABULARIES))

slow_is_fine = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("ci", max_examples=500, deadline=None, derandomize=True, suppress_health_check=slow_is_fine)
settings.register_profile("thorough", max_examples=10_000, deadline=None, suppress_health_check=slow_is_fine)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
