"""How good is it? Questions with known answers -> figures.

questions -> run (search for each, score the hits) -> compare (two runs, with intervals)

tune          questions -> search settings that answer them better
ratings       thumbs on hits and answers -> questions
readability   chunks -> are they readable on their own?
"""

from crosshead.evaluation.compare import Difference, compare, intervals
from crosshead.evaluation.questions import Evidence, Question, load_questions
from crosshead.evaluation.ratings import rate
from crosshead.evaluation.readability import READABLE_GOAL, Fault, Judgment, judge_chunks
from crosshead.evaluation.run import Evaluation, check_files, evaluate
from crosshead.evaluation.tune import Tuning, tune

__all__ = [
    "READABLE_GOAL",
    "Difference",
    "Evaluation",
    "Evidence",
    "Fault",
    "Judgment",
    "Question",
    "Tuning",
    "check_files",
    "compare",
    "evaluate",
    "intervals",
    "judge_chunks",
    "load_questions",
    "rate",
    "tune",
]
