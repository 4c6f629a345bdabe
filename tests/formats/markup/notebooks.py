"""Notebooks for tests, from their cells."""

from __future__ import annotations

import json
from typing import Any


def notebook(*cells: Any, **metadata: Any) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}).encode()


def code(source: Any, *outputs: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def markdown(source: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source}
