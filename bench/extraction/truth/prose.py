"""Words, names and numbers by a seeded generator; no amount is given out twice."""

from __future__ import annotations

from random import Random


def _split(text: str) -> list[str]:
    return [each.strip() for each in text.split("|" if "|" in text else None)]


NOUNS = _split("""valve manifold inventory lease customer warehouse sensor contract shipment controller dividend audit
turbine supplier region subsidiary forecast ledger pipeline refund battery gateway license borrower facility segment
index schedule policy mixture estimate cohort sample membrane catalyst archive protocol signal dataset theorem""")
ADJECTIVES = _split("""annual regional adverse deferred current variable redundant thermal primary secondary external
prior consolidated temporary sparse robust nominal domestic foreign preliminary revised seasonal unsecured""")
VERBS = _split("""reduces increases offsets reflects requires supports exceeds replaces describes limits affects
precedes controls restores measures improves confirms delays includes""")
TAILS = _split(
    "during the second half of the year|under the terms of the agreement|when the pressure falls|without notice|"
    "in every region that we serve|as described elsewhere in this document|because demand was lower than planned|"
    "at the end of the reporting period|for most of the samples that we examined|before the unit is switched on|"
    "in the ordinary course of business|with the approval of the committee"
)
NAMES = _split("Alder Birch Cedar Dogwood Elm Fir Hazel Juniper Larch Maple Oak Poplar Rowan Spruce Willow Yew")
FORMS = _split("Corporation|Holdings, Inc.|Industries Ltd.|Group plc|Systems LLC|& Sons")
PLACES = _split("Portland Dover Ashford Madison Salem Bristol Camden Newport Florence Auburn")
PEOPLE = _split("Avery Blake Casey Drew Emery Finley Harper Jordan Kendall Logan Morgan Quinn Reese Sawyer")
MONTHS = _split("January February March April May June July August September October November December")


class Writer:
    """Writes text that no other document has, the same for the same seed."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self._given: set[str] = set()

    def pick(self, choices: list[str]) -> str:
        return self.random.choice(choices)

    def sentence(self) -> str:
        subject = f"the {self.pick(ADJECTIVES)} {self.pick(NOUNS)}"
        words = f"{subject} {self.pick(VERBS)} the {self.pick(ADJECTIVES)} {self.pick(NOUNS)} {self.pick(TAILS)}"
        if self.random.random() < 0.3:
            words += (
                f", and the {self.pick(NOUNS)} {self.pick(VERBS)} {self.pick(['a', 'each', 'the'])} {self.pick(NOUNS)}"
            )
        return f"{words[0].upper()}{words[1:]}."

    def paragraph(self, sentences: int = 0) -> str:
        return " ".join([self.sentence() for _ in range(sentences or self.random.randint(3, 6))])

    def phrase(self) -> str:
        """Return two or three words that can be a heading."""
        words = [self.pick(ADJECTIVES), self.pick(NOUNS)] + ([self.pick(NOUNS)] if self.random.random() < 0.4 else [])
        return self.once(" ".join(words).capitalize())

    def titled(self) -> str:
        noun = self.pick(NOUNS)
        plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
        return self.once(f"{self.pick(ADJECTIVES)} {plural}".title())

    def once(self, text: str) -> str:
        """Return the text, with a word more if it was given out before."""
        while text.casefold() in self._given:
            text = f"{text} {self.pick(NOUNS)}"
        self._given.add(text.casefold())
        return text

    def number(self, low: int = 1_100, high: int = 9_899_999) -> int:
        """Return a number that was not given out before, small ones as likely as large ones."""
        while True:
            value = int(low * (high / low) ** self.random.random())
            if str(value) not in self._given and not 1900 <= value <= 2100:
                self._given.add(str(value))
                return value

    def amount(self, *, negative: float = 0.2, dollar: bool = False) -> str:
        text = f"{self.number():,}"
        if self.random.random() < negative:
            text = f"({text})"
        return f"${text}" if dollar else text

    def price(self) -> str:
        return f"{self.number(3, 9_000):,}.{self.random.randint(0, 99):02}"

    def percent(self) -> str:
        return f"{self.decimal(0, 98)}%"

    def decimal(self, low: int, high: int) -> str:
        """Return a number with two places that was not given out before."""
        while True:
            text = f"{self.random.randint(low, high)}.{self.random.randint(1, 99):02}"
            if text not in self._given:
                self._given.add(text)
                return text

    def date(self) -> str:
        return f"{self.pick(MONTHS)} {self.random.randint(1, 28)}, {self.random.randint(2019, 2025)}"

    def phone(self) -> str:
        return f"({self.random.randint(201, 989)}) 555-{self.random.randint(1000, 9999)}"

    def company(self) -> str:
        return f"{self.pick(NAMES)}{self.pick(NAMES).lower()} {self.pick(FORMS)}"

    def person(self) -> str:
        return f"{self.pick(PEOPLE)} {self.pick(NAMES)}"

    def place(self) -> str:
        return self.pick(PLACES)
