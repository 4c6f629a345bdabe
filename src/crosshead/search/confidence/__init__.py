"""How likely hits are to answer: calibrate an index once, then judge the hits of every search.

questions   chunks -> made-up questions that they answer
examples    each question is searched for with its own section, which answers, and without it
learn       examples -> a monotone model: signals of a hit -> its confidence
promise     confidences of answered questions -> the threshold of the promised rate of false alarms
calibrate   joins these steps
signals     a hit -> what speaks for it
judge       hits -> hits with confidence
"""
