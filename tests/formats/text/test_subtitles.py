"""Subtitles become paragraphs of what is said, cited by their time."""

from __future__ import annotations

import pytest
from tests.formats.sound import read_soundly

import crosshead
from crosshead.errors import CorruptFile
from crosshead.formats import detect_format

TALK = """WEBVTT - A talk

NOTE made by hand

STYLE
::cue { color: red }

1
00:00:01.000 --> 00:00:04.500 align:start
<v Ann>Welcome to the <i>talk</i>.

00:00:04.500 --> 00:00:07.000
<v Ann>We rotate keys &amp; tokens.

00:12:03.000 --> 00:14:10.900
<v Bob>1. Why?
Because *they* leak.
"""


def test_cues_become_paragraphs_of_speakers_and_all_else_is_left_out() -> None:
    document = read_soundly(TALK, "vtt")
    assert document.text == (
        "**Ann:** Welcome to the talk.\nWe rotate keys & tokens.\n\n"
        "**Bob:** 1\\. Why? Because \\*they\\* leak.\n"
    )  # fmt: skip
    assert document.title == "A talk"


def test_citation_is_the_time() -> None:
    document = read_soundly(TALK, "subtitles", source="talk.vtt")
    (whole,) = crosshead.chunk(document)
    assert whole.citation == "talk.vtt 00:00:01-00:14:10"
    first, second = crosshead.chunk(document, max_tokens=20, min_tokens=0, overlap_tokens=0)
    assert (first.citation, second.citation) == ("talk.vtt 00:00:01-00:00:07", "talk.vtt 00:12:03-00:14:10")


def test_subrip_without_hours_and_with_commas() -> None:
    text = "1\n00:01,5 --> 00:02,900\n{\\an8}Hello\n\n2\n00:00:03,000 --> 00:00:04,000\n<font color=red>world</font>\n"
    document = read_soundly(text, "srt", source="a.srt")
    assert document.text == "Hello\nworld\n"
    assert crosshead.chunk(document)[0].citation == "a.srt 00:00:01-00:00:04"


def test_captions_that_roll_are_said_once() -> None:
    cues = ["one", "one\ntwo", "two\nthree", "three"]
    text = "".join(f"00:00:0{at}.000 --> 00:00:0{at + 1}.000\n{cue}\n\n" for at, cue in enumerate(cues))
    assert read_soundly(text, "srt").text == "one\ntwo\nthree\n"


def test_pause_and_length_end_a_paragraph() -> None:
    cue = "{0:02}:00.000 --> {0:02}:50.000\n{1}\n\n"
    text = "".join(cue.format(minute, "Some words. " * 10) for minute in range(4))
    assert read_soundly(text, "srt").text.count("\n\n") == 3
    together = "".join(f"00:{at:02}.000 --> 00:{at + 1:02}.000\n{f'Word {at}. ' * 12}\n\n" for at in range(50))
    assert 8 < read_soundly(together, "srt").text.count("\n\n") < 20


def test_content_shows_webvtt_and_nonsense_is_refused() -> None:
    assert detect_format(TALK.encode()) == "subtitles"
    with pytest.raises(CorruptFile, match="no line has two times"):
        read_soundly("Just text.\n", "srt")
