"""Text -> its language, and the words that lexical search compares.

detection   the language of a text, by what `frequent` lists for each
words       words and their stems
"""
