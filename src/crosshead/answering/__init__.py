"""A question and passages -> an answer with its certificate, by a language model.

1. passages -> a prompt with numbered sources; without passages no model is asked
2. prompt -> text as it comes, without what a model thinks aloud
3. text -> sentences with the numbers that they cite, and the exact spans behind these (`proof`)

What came before a model stopped is kept, and the answer says that it is not complete.
"""

from crosshead.answering.models.base import Answerer, LanguageModel, ReplyLimits
from crosshead.answering.models.names import EXAMPLES as MODEL_NAMES
from crosshead.answering.models.names import get_language_model
from crosshead.answering.stream import AnswerStream

__all__ = ["MODEL_NAMES", "AnswerStream", "Answerer", "LanguageModel", "ReplyLimits", "get_language_model"]
