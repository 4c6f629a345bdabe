"""Tables of financial statements: groups, totals, years in one or two rows of labels."""

from __future__ import annotations

from .model import Label, Table, TableRow
from .prose import Writer

BALANCE = {
    "Current assets:": "Cash and cash equivalents|Accounts receivable, net|Inventories|Prepaid expenses and other",
    "Noncurrent assets:": "Property, net|Goodwill|Operating lease right-of-use assets|Deferred tax assets",
    "Current liabilities:": "Accounts payable|Accrued compensation|Current portion of long-term debt|Deferred revenue",
    "Long-term liabilities:": "Long-term debt, less current portion|Pension obligations|Other long-term liabilities",
    "Stockholders’ equity:": "Common stock|Additional paid-in capital|Retained earnings|Treasury stock, at cost",
}
INCOME = {
    "Revenue:": "Products|Services|Licenses and royalties",
    "Costs and expenses:": "Cost of products sold|Cost of services|Research and development|Selling and marketing|"
    "General and administrative expenses, including amortization of acquired intangible assets",
    "Other income (expense):": "Interest income|Interest expense|Foreign exchange losses, net",
    "Earnings:": "Income before income taxes|Provision for income taxes|Net income",
}
CASH = {
    "Cash flows from operating activities:": "Net income|Depreciation and amortization|Stock-based compensation|"
    "Deferred income taxes|Changes in accounts receivable|Changes in inventories",
    "Cash flows from investing activities:": "Purchases of property and equipment|Acquisitions, net of cash acquired|"
    "Proceeds from maturities of securities",
    "Cash flows from financing activities:": "Repayment of debt|Dividends paid|Repurchases of common stock|"
    "Proceeds from issuance of common stock",
}
SUBJECTS = {"balance": BALANCE, "income": INCOME, "cash": CASH}
TITLES = {
    "balance": "Consolidated Balance Sheets",
    "income": "Consolidated Statements of Operations",
    "cash": "Consolidated Statements of Cash Flows",
}


def statement(writer: Writer, subject: str, *, labels: str = "", repeat: int = 1) -> Table:
    """Return a statement; `repeat` makes it as long as several."""
    style = labels or writer.pick(["plain", "spanned", "lines", "change"])
    rows_of_labels = year_labels(writer, style)
    columns = sum(label.span for label in rows_of_labels[0])
    percents = {columns - 1} if style == "change" else set()
    rows: list[TableRow] = []
    for turn in range(repeat):
        for group, names in SUBJECTS[subject].items():
            rows.append(TableRow(group if not turn else f"{group[:-1]}, {writer.titled()}:"))
            rows += [_line(writer, _vary(writer, name, turn), columns, percents) for name in names.split("|")]
            rows.append(_total(writer, group, turn, columns, percents))
    first = next(number for number, row in enumerate(rows) if row.cells)
    rows[first] = _line(writer, rows[first].label, columns, percents, dollar=True)
    return Table(rows_of_labels, rows, writer.pick(["", "(in thousands)", "(in millions, except per share data)"]))


def _vary(writer: Writer, name: str, turn: int) -> str:
    if turn or writer.random.random() < 0.1:
        return f"{name}, {writer.pick(['related parties', 'discontinued operations', 'other regions', 'net of fees'])}"
    return name


def _line(writer: Writer, label: str, columns: int, percents: set[int], *, dollar: bool = False) -> TableRow:
    return TableRow(label, _cells(writer, columns, percents, dollar=dollar), indent=1)


def _total(writer: Writer, group: str, turn: int, columns: int, percents: set[int]) -> TableRow:
    name = f"Total {group[0].lower()}{group[1:-1]}" + (
        f", {writer.pick(['continued', 'other', 'restated'])}" if turn else ""
    )
    return TableRow(name, _cells(writer, columns, percents, dollar=writer.random.random() < 0.5), is_total=True)


def _cells(writer: Writer, columns: int, percents: set[int], *, dollar: bool) -> list[str]:
    return [
        writer.percent()
        if column in percents
        else "—"
        if not dollar and writer.random.random() < 0.05
        else writer.amount(dollar=dollar)
        for column in range(columns)
    ]


def year_labels(writer: Writer, style: str) -> list[list[Label]]:
    """Return labels in one of several customs."""
    year = writer.random.randint(2019, 2024)
    years = [Label(str(year - past)) for past in range(writer.random.choice([2, 3]))]
    if style == "plain":
        return [years]
    if style == "lines":
        return [[Label(f"December 31, {label.text}") for label in years]]
    if style == "change":
        return [[*years[:2], Label("Change"), Label("% Change")]]
    if style == "quarters":
        months = [Label("Three Months Ended June 30,", 2), Label("Six Months Ended June 30,", 2)]
        return [months, [*years[:2], *years[:2]]]
    return [[Label(writer.pick(["Year Ended December 31,", "Fiscal Years"]), len(years))], years]


def segment_table(writer: Writer) -> Table:
    """Return amounts by region, without groups."""
    columns = writer.random.sample(["Americas", "Europe", "Asia Pacific", "Corporate", "Total"], 4)
    names = [writer.titled() for _ in range(writer.random.randint(4, 9))]
    return Table(
        [[Label(column) for column in columns]],
        [TableRow(name, [writer.amount(dollar=not number) for _ in columns]) for number, name in enumerate(names)],
        "Segment",
    )
