"""The macros of `mdoc`, which name what a word is: a flag, an argument, a path."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from crosshead.formats.markup.man.escapes import FontRun, plain

if TYPE_CHECKING:
    from crosshead.formats.markup.man.page import ManPage

FONTS: Final = {
    "Fl": "B",
    "Cm": "B",
    "Nm": "B",
    "Ic": "B",
    "Sy": "B",
    "Fn": "B",
    "Cd": "B",
    "Fd": "B",
    "In": "B",
    "Ar": "I",
    "Em": "I",
    "Pa": "I",
    "Fa": "I",
    "Ft": "I",
    "Va": "I",
    "Vt": "I",
    "Ad": "I",
    "Ms": "B",
    "Fx": "",
    "Bx": "",
    "Nx": "",
    "Ox": "",
    "Dx": "",
    "Bsx": "",
    "At": "",
    "Ux": "",
    "Ev": "",
    "Er": "",
    "Dv": "",
    "Li": "",
    "Tn": "",
    "An": "",
    "No": "",
    "St": "",
    "Lb": "",
    "Xr": "",
    "Sx": "",
    "Lk": "",
    "Mt": "",
    "Rv": "",
    "Ex": "",
    "Nd": "",
    "Ot": "I",
    "Hf": "",
    "Fr": "",
}
LEADS: Final = {
    "Fx": "FreeBSD ",
    "Bx": "BSD ",
    "Nx": "NetBSD ",
    "Ox": "OpenBSD ",
    "Dx": "DragonFly ",
    "Bsx": "BSD/OS ",
    "At": "AT&T UNIX ",
    "Ux": "UNIX ",
    "Nd": "– ",
    "Lb": "library ",
}
PAIRS: Final = {
    "Op": ("[", "]"),
    "Dq": ("“", "”"),
    "Sq": ("‘", "’"),
    "Pq": ("(", ")"),
    "Bq": ("[", "]"),
    "Aq": ("<", ">"),
    "Qq": ('"', '"'),
    "Ql": ("‘", "’"),
    "Brq": ("{", "}"),
    "D1": ("", ""),
    "Dl": ("", ""),
    "Eq": ("", ""),
}
OPENING: Final = {
    "Oo": "[",
    "Do": "“",
    "So": "‘",
    "Po": "(",
    "Bo": "[",
    "Ao": "<",
    "Qo": '"',
    "Bro": "{",
    "Xo": "",
    "Fo": "",
    "Eo": "",
}
CLOSING: Final = {
    "Oc": "]",
    "Dc": "”",
    "Sc": "’",
    "Pc": ")",
    "Bc": "]",
    "Ac": ">",
    "Qc": '"',
    "Brc": "}",
    "Xc": "",
    "Fc": ")",
    "Ec": "",
}
RETURNED: Final = (
    "Upon successful completion, the value 0 is returned; otherwise the value -1 is returned and the global variable "
    "errno is set to indicate the error."
)
_LEFT: Final = frozenset(["(", "["])
_RIGHT: Final = frozenset([".", ",", ";", ":", "?", "!", ")", "]"])
_SILENT: Final = frozenset(["Dd", "Os", "Bk", "Ek", "Sm", "Rs", "Bt", "Ud", "Tg", "Db"])
_ITEM_OF_TEXT: Final = frozenset(["-bullet", "-dash", "-hyphen", "-item", "-enum"])


class Mdoc:
    """Writes the macros of a page."""

    def __init__(self, page: ManPage) -> None:
        self.page = page
        self.name = ""
        self.lists: list[tuple[str, int]] = []

    def macro(self, name: str, rest: str, number: int) -> bool:
        """Write a line; return whether it is a macro of `mdoc`."""
        from crosshead.formats.markup.man.page import arguments

        given = arguments(rest)
        writer = self.page.writer
        if name in ("Sh", "Ss"):
            self.page.tag, self.lists = "", []
            writer.heading(2 if name == "Sh" else 3, plain(self._inline(given)), number)
        elif name == "Dt":
            self.page.title = f"{given[0].lower()}({given[1]})" if len(given) > 1 else "".join(given[:1])
            writer.heading(1, self.page.title, number)
        elif name in ("Pp", "Lp"):
            writer.end_paragraph() if self.lists else writer.end_list()
        elif name in ("Bl", "It", "El"):
            self._list(name, given, number)
        elif name == "Bd":
            if "-literal" in given or "-unfilled" in given:
                writer.begin_code()
            else:
                writer.end_paragraph()
        elif name == "Ed":
            writer.end_code()
            writer.end_paragraph()
        elif name in ("D1", "Dl"):
            writer.begin_code()
            writer.text(self._inline(given), number)
            writer.end_code()
        elif name in _SILENT:
            pass
        elif name[0] == "%":
            self.page.put(self._inline(given), number)
        elif (
            name in FONTS
            or name in PAIRS
            or name in OPENING
            or name in CLOSING
            or name in ("Ns", "Ap", "Pf", "Ta", "Re")
        ):
            self.page.put(self._inline([name, *given]), number, joins=bool(given) and given[-1] == "Ns")
        else:
            return False
        return True

    def _list(self, name: str, given: list[str], number: int) -> None:
        writer = self.page.writer
        if name == "Bl":
            writer.end_paragraph()
            if self.lists:
                writer.enter()
            self.lists.append((given[0] if given else "-item", 0))
        elif name == "El" and self.lists:
            self.lists.pop()
            writer.end_list()
            if self.lists:
                writer.leave()
        elif name == "It" and self.lists:
            kind, count = self.lists[-1]
            self.lists[-1] = kind, count + 1
            is_text = kind in _ITEM_OF_TEXT
            term = [FontRun(f"{count + 1}.", "")] if kind == "-enum" else [] if is_text else self._inline(given)
            writer.begin_item(term, number)
            if is_text and given:
                self.page.put(self._inline(given), number)

    def _inline(self, given: list[str]) -> list[FontRun]:
        """Return words with the macros among them."""
        found: list[FontRun] = []
        self._glued = True
        closings: list[str] = []
        at = 0
        while at < len(given):
            word = given[at]
            at += 1
            if word in PAIRS:
                left, right = PAIRS[word]
                closings.append(right)
                self._word(found, left, "")
                self._glued = bool(left) or self._glued
            elif word in OPENING:
                self._word(found, OPENING[word], "")
                self._glued = True
                if word == "Fo":
                    at = self._phrase(found, given, at, "B")
                    self._append(found, "(")
            elif word in CLOSING:
                self._append(found, CLOSING[word])
            elif word == "Ns":
                self._glued = True
            elif word == "Ap":
                self._append(found, "'")
                self._glued = True
            elif word == "Pf":
                self._word(found, given[at] if at < len(given) else "", "")
                self._glued, at = True, at + 1
            elif word == "Ta":
                self._word(found, "", "")
            elif word in FONTS:
                at = self._macro(word, found, given, at)
            else:
                self._word(found, word, "")
        for closing in reversed(closings):
            trailing = found.pop().text if found and found[-1].text in _RIGHT and len(found) > 1 else ""
            self._append(found, closing)
            self._append(found, trailing)
        return found

    def _macro(self, name: str, found: list[FontRun], given: list[str], at: int) -> int:
        """Write a macro with its arguments, up to the next one."""
        end = at
        while end < len(given) and not _is_macro(given[end]):
            end += 1
        words = given[at:end]
        if name == "Nm":
            while words and not self.name and not _is_sign(words[0]):
                self.name = words[0]
            if not words or _is_sign(words[0]):
                words = [self.name, *words]
        if name == "Xr" and len(words) > 1:
            words = [f"{words[0]}({words[1]})", *words[2:]]
        if name == "Fn" and words:
            signs = [word for word in words[1:] if _is_sign(word)]
            words = [f"{words[0]}({', '.join(word for word in words[1:] if not _is_sign(word))})", *signs]
        if name == "In" and words:
            words = [f"#include <{words[0]}>", *words[1:]]
        if name == "Ex":
            words = [f"The {self.name} utility exits 0 on success, and >0 if an error occurs."]
        if name == "Rv":
            words = [RETURNED]
        if name in LEADS:
            self._word(found, LEADS[name].strip(), "")
        if name == "Fl":
            words = [word if _is_sign(word) else f"-{word}" for word in words] or ["-"]
        if name == "Ar" and not words:
            words = ["file", "..."]
        for word in words:
            self._word(found, word, FONTS[name])
        return end

    def _phrase(self, found: list[FontRun], given: list[str], at: int, font: str) -> int:
        while at < len(given) and not _is_macro(given[at]):
            self._word(found, given[at], font)
            at += 1
        return at

    def _word(self, found: list[FontRun], word: str, font: str) -> None:
        """Add a word, with a space unless it is a sign that belongs to the one before."""
        if word in _RIGHT:
            self._append(found, word)
            return
        before = self.page.fonts.now
        self.page.fonts.now = font
        runs = self.page.fonts.runs(word)
        self.page.fonts.now = before
        if found and not self._glued:
            found.append(FontRun(" ", ""))
        found += runs
        self._glued = word in _LEFT

    def _append(self, found: list[FontRun], text: str) -> None:
        if text:
            found.append(FontRun(text, ""))
            self._glued = False


def _is_macro(word: str) -> bool:
    return word in FONTS or word in PAIRS or word in OPENING or word in CLOSING or word in ("Ns", "Ap", "Pf", "Ta")


def _is_sign(word: str) -> bool:
    return bool(re.fullmatch(r"[.,;:?!()\[\]|]", word))
