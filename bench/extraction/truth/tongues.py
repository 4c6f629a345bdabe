"""Other languages than English: their words, how they write numbers, the rows of their statements."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .prose import Writer

NARROW = "\u202f"


@dataclass(frozen=True)
class Tongue:
    thousands: str
    decimal: str
    percent: str
    minus: str
    """How a negative amount is written."""
    subjects: tuple[str, ...]
    verbs: tuple[str, ...]
    objects: tuple[str, ...]
    tails: tuple[str, ...]
    groups: dict[str, str]
    """Rows of a statement by the group that they belong to."""
    total: str
    columns: tuple[str, ...]
    """Labels above columns; `{}` is a year."""
    unit: str
    titles: tuple[str, ...]
    note: str
    contents: str


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


TONGUES = {
    "en": Tongue(
        ",", ".", "%", "({})",
        _words("The adverse lease|The annual refund|The deferred contract|The regional warehouse|The prior audit"),
        _words("reduces|offsets|reflects|exceeds|replaces|limits|confirms"),
        _words("the nominal schedule|the foreign policy|the seasonal forecast|the unsecured ledger|the estimate"),
        _words("during the second half of the year|under the terms of the agreement|in every region that we serve"),
        {
            "Current assets": "Cash and cash equivalents|Accounts receivable, net|Inventories|Prepaid expenses",
            "Liabilities": "Accounts payable|Accrued compensation|Long-term debt, less current portion|Deferrals",
            "Operating activities": "Net income|Depreciation and amortization|Stock-based compensation|Deferred taxes",
            "Investing activities": "Purchases of property and equipment|Acquisitions, net of cash|Sales of securities",
        },
        "Total", _words("{}"), "(in thousands)",
        _words("Consolidated Balance Sheets|Statements of Cash Flows|Segment results|Selected financial data"),
        "Note", "Table of Contents",
    ),
    "de": Tongue(
        ".", ",", " %", "-{}",
        _words("Der Vorstand|Die Gesellschaft|Das Ergebnis|Der Umsatz|Die Beteiligung|Der Aufsichtsrat"),
        _words("verbessert|begrenzt|erhöht|übertrifft|ersetzt|bestätigt"),
        _words("die Rückstellung für Pensionen|den laufenden Vertrag|die Prognose|das Kerngeschäft|die Abschreibung"),
        _words("im zweiten Halbjahr|nach den Bedingungen der Vereinbarung|in allen Regionen|vor dem Bilanzstichtag"),
        {
            "Langfristige Vermögenswerte": "Geschäfts- oder Firmenwert|Sachanlagen|Finanzanlagen|Latente Steuern",
            "Kurzfristige Vermögenswerte": "Vorräte|Forderungen aus Lieferungen und Leistungen|Zahlungsmittel",
            "Eigenkapital": "Gezeichnetes Kapital|Kapitalrücklage|Gewinnrücklagen|Anteile anderer Gesellschafter",
            "Schulden": "Rückstellungen für Pensionen|Finanzschulden|Verbindlichkeiten aus Ertragsteuern",
        },
        "Summe", _words("31.12.{}|{}"), "in Tsd. €",
        _words("Konzernbilanz|Gewinn- und Verlustrechnung|Kapitalflussrechnung|Segmentbericht"),
        "Anhang", "Inhaltsverzeichnis",
    ),
    "fr": Tongue(
        NARROW, ",", f"{NARROW}%", "({})",
        _words("Le groupe|La direction|Le résultat|Le chiffre d’affaires|La filiale|Le conseil"),
        _words("améliore|limite|dépasse|remplace|confirme|réduit"),
        _words("la provision pour retraites|le contrat en cours|les prévisions|la trésorerie nette|l’amortissement"),
        _words("au second semestre|selon les termes de l’accord|dans toutes les régions|avant la date de clôture"),
        {
            "Actifs non courants": "Écarts d’acquisition|Immobilisations corporelles|Titres mis en équivalence",
            "Actifs courants": "Stocks et en-cours|Créances clients|Trésorerie et équivalents de trésorerie",
            "Capitaux propres": "Capital social|Primes d’émission|Réserves consolidées|Résultat de l’exercice",
            "Passifs": "Provisions pour retraites|Emprunts et dettes financières|Dettes fournisseurs",
        },
        "Total", _words("31 décembre {}|{}"), "(en milliers d’euros)",
        _words("Bilan consolidé|Compte de résultat|Tableau des flux de trésorerie|Information sectorielle"),
        "Note", "Sommaire",
    ),
    "es": Tongue(
        ".", ",", " %", "({})",
        _words("El grupo|La sociedad|El resultado|La filial|El consejo|La cifra de negocios"),
        _words("mejora|limita|supera|sustituye|confirma|reduce"),
        _words("la provisión para pensiones|el contrato vigente|las previsiones|la tesorería neta|la amortización"),
        _words("en el segundo semestre|según los términos del acuerdo|en todas las regiones|antes del cierre"),
        {
            "Activo no corriente": "Fondo de comercio|Inmovilizado material|Inversiones financieras",
            "Activo corriente": "Existencias|Deudores comerciales|Efectivo y otros activos líquidos",
            "Patrimonio neto": "Capital suscrito|Prima de emisión|Reservas|Resultado del ejercicio",
            "Pasivo": "Provisiones a largo plazo|Deudas con entidades de crédito|Acreedores comerciales",
        },
        "Total", _words("31/12/{}|{}"), "(en miles de euros)",
        _words("Balance consolidado|Cuenta de resultados|Estado de flujos de efectivo|Información por segmentos"),
        "Nota", "Índice",
    ),
}  # fmt: skip


TONGUES["si"] = replace(TONGUES["en"], thousands="\u2009", minus="-{}")
TONGUES["ch"] = replace(TONGUES["fr"], thousands="\u00a0", percent="\u00a0%", minus="-{}")


class TongueWriter(Writer):
    """Writes prose and numbers as one language does."""

    def __init__(self, seed: str, language: str = "en") -> None:
        super().__init__(seed)
        self.language = language
        self.tongue = TONGUES[language]

    def sentence(self) -> str:
        if self.language == "en":
            return super().sentence()
        tongue = self.tongue
        parts = (tongue.subjects, tongue.verbs, tongue.objects, tongue.tails)
        return f"{' '.join([self.random.choice(part) for part in parts])}."

    def phrase(self) -> str:
        """Return words that can be a heading."""
        if self.language == "en":
            return super().phrase()
        words = self.random.choice(self.tongue.objects).split()
        text = " ".join(words[1:] if len(words) > 2 else words)
        return self.once(f"{text[0].upper()}{text[1:]}")

    def once(self, text: str) -> str:
        if self.language == "en":
            return super().once(text)
        options = [word for each in self.tongue.groups.values() for word in each.split("|")]
        while text.casefold() in self._given:
            text = f"{text}: {self.random.choice(options)}"
        self._given.add(text.casefold())
        return text

    def amount(self, *, negative: float = 0.2, dollar: bool = False) -> str:
        text = f"{self.number():,}".replace(",", self.tongue.thousands)
        if self.random.random() < negative:
            text = self.tongue.minus.format(text)
        return f"${text}" if dollar and self.language == "en" else text

    def percent(self) -> str:
        return f"{self.decimal(0, 98).replace('.', self.tongue.decimal)}{self.tongue.percent}"
