"""Questions with known answers -> figures of how well an index finds them."""

from crosshead.evaluate.ask import Evaluation, check_files, evaluate
from crosshead.evaluate.compare import Difference, compare
from crosshead.evaluate.questions import Evidence, Question, load_questions

__all__ = [
    "Difference",
    "Evaluation",
    "Evidence",
    "Question",
    "check_files",
    "compare",
    "evaluate",
    "load_questions",
]
