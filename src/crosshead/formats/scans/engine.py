"""The models of rapidocr, which its wheel carries: one finds lines of text in a picture, one reads them.

Each model is named by its path, because rapidocr would download what it cannot find.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from crosshead.errors import MissingExtra
from crosshead.runtime.onnx import load_onnxruntime

EXTRA: Final = "ocr"
_MODULES: Final = ("rapidocr", "onnxruntime")
_MODELS: Final = {"Det": "PP-OCRv6_det_small", "Rec": "PP-OCRv6_rec_small", "Cls": "ch_ppocr_mobile_v2.0_cls_mobile"}
_SETTINGS: Final[Mapping[str, object]] = {
    "Global.log_level": "critical",
    "Global.use_preprocess_img": False,
    "Global.use_vertical_padding": False,
    "Global.text_score": 0.0,
    "Det.limit_type": "max",  # else a narrow strip grows until its shorter side is long
    "Det.limit_side_len": 2048,
    "Rec.rec_batch_num": 1,  # lines of one batch are padded to the longest
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "EngineConfig.onnxruntime.enable_cpu_mem_arena": True,
}

Picture = Any
"""An array of numpy: rows of pixels of three colors, or of one gray."""


class LineReading(NamedTuple):
    """What the model reads in the picture of a line."""

    text: str
    centers: tuple[float, ...]
    """Where each character is, as a share of the width; white space has no entry."""
    confidence: float
    """The mean of its characters, from 0 to 1."""


def is_installed() -> bool:
    """Return whether the extra `ocr` is installed."""
    return all(find_spec(module) for module in _MODULES)


def load_engine() -> OcrEngine:
    """Return the models, which are loaded once per process."""
    if not is_installed():
        raise MissingExtra(EXTRA, "Reading scanned pages and images")
    with _LOADING:
        return _load_engine()


_LOADING: Final = threading.Lock()


@lru_cache(maxsize=1)
def _load_engine() -> OcrEngine:
    return OcrEngine()


class OcrEngine:
    """Finds and reads lines of text; the caller holds `lock`, because rapidocr keeps settings between calls."""

    def __init__(self) -> None:
        load_onnxruntime()
        import rapidocr

        logging.getLogger("RapidOCR").setLevel(logging.CRITICAL)
        folder = Path(rapidocr.__file__).parent / "models"
        paths = {f"{stage}.model_path": str(folder / f"{name}.onnx") for stage, name in _MODELS.items()}
        self._run = rapidocr.RapidOCR(params={**_SETTINGS, **paths})
        self.lock = threading.RLock()

    def find_lines(self, picture: Picture) -> Any:
        """Return the corners of every line, clockwise from the top left: an array of n x 4 x 2."""
        import numpy as np

        found = self._run(picture, use_det=True, use_cls=False, use_rec=False)
        return np.empty((0, 4, 2), np.float32) if found.boxes is None else np.asarray(found.boxes, np.float32)

    def is_upside_down(self, line: Picture) -> bool:
        """Guess whether the picture of a line has to be turned by 180 degrees."""
        found = self._run(line, use_det=False, use_cls=True, use_rec=False)
        return bool(found.cls_res and found.cls_res[0][0] == "180")

    def read_line(self, line: Picture) -> LineReading:
        """Return the text in the picture of a line."""
        found = self._run(line, use_det=False, use_cls=False, use_rec=True, return_word_box=True)
        if not found.txts or not found.txts[0].strip():
            return LineReading("", (), 0.0)
        words = found.word_results[0]
        centers = tuple((column + 0.5) / words.line_txt_len for word in words.word_cols for column in word)
        return LineReading(found.txts[0], centers, float(found.scores[0]))
