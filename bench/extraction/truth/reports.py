"""Reports for layouts: headings in one numbering, prose, and one kind of table on every page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .model import Beside, Block, Break, Columns, Contents, Document, Heading, Items, Label, Paragraph, Table, TableRow
from .tongues import TongueWriter

Draw = Callable[[TongueWriter], Block]


@dataclass(frozen=True)
class Report:
    """What a report holds."""

    draw: Draw
    numbering: str = "none"
    """decimal: 1, 1.1, 1.1.1; items: PART I, Item 7A., headings; notes: Note 4."""
    language: str = "en"
    has_contents: bool = False
    has_drop_caps: bool = False
    in_columns: bool = False
    """Text in two columns above and below each table."""
    table_in_columns: bool = False
    """The table is in the columns, too, between text."""
    sections: int = 3

    def __call__(self, seed: str) -> Document:
        writer = TongueWriter(seed, self.language)
        company = writer.company()
        blocks = [block for number in range(1, self.sections + 1) for block in self._section(writer, number)]
        cover: list[Block] = []
        if self.has_contents:
            entries = [block for block in blocks if isinstance(block, Heading)]
            places = [3 + 2 * number for number in range(len(entries))]
            cover = [Contents(writer.tongue.contents, entries, places)]
        title = Heading(f"{company} {writer.number(100, 999)}", 1, is_title=True)
        opening: list[Block] = [title, self._paragraph(writer)]
        # Filings link every page to their contents.
        head = writer.tongue.contents if self.numbering == "items" else f"{company} – {writer.phrase()}"
        body = [*cover, Break(), *blocks] if cover else blocks
        return Document("report", [*opening, *body], head=head, foot=company, language=self.language)

    def _section(self, writer: TongueWriter, number: int) -> Iterator[Block]:
        names = self._names(writer, number)
        if number > 1 and number % 2:
            yield Break()
        yield from self._prose(writer, next(names))
        table = self.draw(writer)
        yield next(names)
        yield Paragraph(writer.paragraph(2))
        if self.table_in_columns:
            text = [Paragraph(writer.paragraph(5)) for _ in range(4)]
            yield Columns([*text[:2], table, *text[2:]])
        else:
            yield table
        yield from self._prose(writer, next(names))
        if number == 2:
            yield Items([writer.sentence() for _ in range(3)])

    def _prose(self, writer: TongueWriter, heading: Heading) -> list[Block]:
        paragraphs: list[Block] = [self._paragraph(writer), Paragraph(writer.paragraph(4))]
        if self.in_columns:
            return [heading, Columns([*paragraphs, Paragraph(writer.paragraph(5))])]
        return [heading, *paragraphs]

    def _paragraph(self, writer: TongueWriter) -> Paragraph:
        return Paragraph(writer.paragraph(), has_drop_cap=self.has_drop_caps)

    def _names(self, writer: TongueWriter, number: int) -> Iterator[Heading]:
        """Return headings of a section: its own, and two below it."""
        if self.numbering == "decimal":
            forms, levels = (f"{number} {{}}", f"{number}.1 {{}}", f"{number}.1.1 {{}}"), (2, 3, 4)
        elif self.numbering == "items":
            forms, levels = (f"PART {'I' * number}", f"Item {2 * number}A. {{}}", "{}"), (2, 3, 4)
        elif self.numbering == "notes":
            note = writer.tongue.note
            forms, levels = ("{}", f"{note} {2 * number}. {{}}", f"{note} {2 * number + 1}. {{}}"), (2, 3, 3)
        else:
            forms, levels = ("{}", "{}", "{}"), (2, 3, 3)
        for form, level in zip(forms, levels, strict=True):
            yield Heading(form.format(writer.phrase()), level)


def draw_statement(
    *, years: int = 2, label: str = "", spanned: str = "", notes: bool = False, percents: bool = False,
    titled: bool = False, groups: int = 3, repeat: int = 1, dollar: bool = True, marks: bool = False,
) -> Draw:  # fmt: skip
    """Return a function that draws statements; `label` and `spanned` are forms of labels, `{}` is a year."""

    def draw(writer: TongueWriter) -> Table:
        tongue = writer.tongue
        first = writer.random.randint(2016, 2024)
        form = label or writer.random.choice(tongue.columns)
        lowest = [Label(form.format(first - past)) for past in range(years)]
        lowest += [Label("%")] if percents else []
        labels = [[Label("")] * notes + lowest]
        if spanned:
            labels.insert(0, [*[Label("")] * notes, Label(spanned, years), *[Label("")] * percents])
        if notes:
            labels[-1][0] = Label(tongue.note)
        rows: list[TableRow] = []
        for turn in range(repeat):
            for group in writer.random.sample(sorted(tongue.groups), min(groups, len(tongue.groups))):
                rows += _group(writer, group, turn, years, notes=notes, percents=percents, dollar=dollar, marks=marks)
        title = [writer.random.choice(tongue.titles), tongue.unit] if titled else []
        return Table(labels, rows, "" if titled else tongue.unit, title)

    return draw


def _group(
    writer: TongueWriter, group: str, turn: int, years: int, *, notes: bool, percents: bool, dollar: bool, marks: bool
) -> Iterator[TableRow]:
    def cells(number: int, *, note: bool) -> list[str]:
        amounts = [writer.amount(dollar=dollar and not number) for _ in range(years)]
        front = [str(writer.random.randint(1, 29)) if note else ""] if notes else []
        return [*front, *amounts, *([writer.percent()] if percents else [])]

    suffix = f", {writer.phrase().lower()}" if turn else ""
    yield TableRow(f"{group}{suffix}:")
    for number, name in enumerate(writer.tongue.groups[group].split("|")):
        given = cells(number, note=writer.random.random() < 0.6)
        raised = ["", "(1)"] if marks and number == 1 else ["2"] if marks and number == 2 else []
        yield TableRow(f"{name}{suffix}", given, indent=1, marks=raised)
    yield TableRow(f"{writer.tongue.total} {group.lower()}{suffix}", cells(0, note=False), is_total=True)


def draw_quarters(writer: TongueWriter) -> Table:
    """Amounts below two levels of labels, the lower ones alike."""
    year = writer.random.randint(2017, 2024)
    years = [Label(str(year)), Label(str(year - 1))]
    labels = [[Label("Three Months Ended June 30,", 2), Label("Six Months Ended June 30,", 2)], [*years, *years]]
    groups = writer.random.sample(sorted(writer.tongue.groups), 3)
    rows = [
        row for group in groups
        for row in _group(writer, group, 0, 4, notes=False, percents=False, dollar=True, marks=False)
    ]  # fmt: skip
    return Table(labels, rows, writer.tongue.unit)


def draw_segments(writer: TongueWriter) -> Table:
    """Labels of several lines, rows without groups, percents and decimals."""
    labels = ["Americas\nand Canada", "Europe,\nMiddle East\nand Africa", "Asia\nPacific", "Change\nin %"]
    rows = []
    for _ in range(writer.random.randint(6, 9)):
        amounts = [writer.amount() for _ in labels[:-1]]
        rows.append(TableRow(writer.phrase(), [*amounts, writer.percent()]))
    rows.append(TableRow("Total", [*[writer.amount() for _ in labels[:-1]], writer.percent()], is_total=True))
    return Table([[Label(text) for text in labels]], rows, "Segment")


def draw_text_cells(writer: TongueWriter) -> Table:
    """Cells of several lines, bullets in cells, one column of amounts."""
    rows = []
    for number in range(writer.random.randint(5, 7)):
        phrases = [writer.phrase() for _ in range(2 + number % 2)]
        text = "\n".join([f"• {phrase}" for phrase in phrases]) if number % 2 else writer.sentence()
        rows.append(TableRow(writer.phrase(), [text, writer.amount(dollar=True)]))
    return Table([[Label("Measures"), Label("Amount")]], rows, "Risk")


def draw_wrapped(writer: TongueWriter) -> Table:
    """Row labels of two or three lines in a column of half the width."""
    year = writer.random.randint(2016, 2024)
    rows = []
    for number in range(writer.random.randint(6, 8)):
        label = writer.sentence().rstrip(".") if number % 3 else writer.phrase()
        rows.append(TableRow(label, [writer.amount(dollar=not number) for _ in range(3)]))
    rows.append(TableRow("Total", [writer.amount(dollar=True) for _ in range(3)], is_total=True))
    return Table([[Label(str(year - past)) for past in range(3)]], rows, writer.tongue.unit)


def draw_beside(writer: TongueWriter) -> Beside:
    return Beside(*(_narrow(writer) for _ in range(2)))


def draw_beside_titled(writer: TongueWriter) -> Beside:
    """Two statements with titles, of different years and heights, one of them with notes."""
    return Beside(
        draw_statement(titled=True, groups=1 + writer.random.randint(0, 1), dollar=False)(writer),
        draw_statement(titled=True, years=1, groups=2, notes=True)(writer),
    )


def _narrow(writer: TongueWriter) -> Table:
    year = writer.random.randint(2016, 2024)
    group = writer.random.choice(sorted(writer.tongue.groups))
    rows = [TableRow(name, [writer.amount(), writer.amount()]) for name in writer.tongue.groups[group].split("|")]
    rows.append(TableRow(f"{writer.tongue.total} {writer.phrase().lower()}", [writer.amount(), writer.amount()], True))
    return Table([[Label(str(year)), Label(str(year - 1))]], rows, writer.phrase())
