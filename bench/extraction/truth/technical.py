"""Papers and manuals."""

from __future__ import annotations

from .model import Block, Code, Columns, Document, Heading, Items, Label, Paragraph, Table, TableRow
from .prose import NOUNS, Writer

WARNING = "Disconnect the power supply before you open the housing. Wait five minutes until the capacitors are empty."


def paper(writer: Writer, *, columns: int = 1) -> Document:
    """A title across the page, an abstract, numbered sections, a table in a column."""
    opening: list[Block] = [
        Heading(f"On the {writer.titled()} of {writer.titled()}", 1, is_title=True),
        Paragraph(f"{writer.person()}, {writer.person()}, University of {writer.place()}"),
    ]
    body: list[Block] = [Heading("Abstract", 2), Paragraph(writer.paragraph(5))]
    for number in range(1, 6):
        body.append(Heading(f"{number} {writer.titled()}", 2))
        body += [Paragraph(writer.paragraph()) for _ in range(writer.random.randint(2, 3))]
        if number in (2, 4):
            for part in (1, 2):
                body += [Heading(f"{number}.{part} {writer.phrase()}", 3), Paragraph(writer.paragraph())]
        if number in (3, 4):
            body += [_measurements(writer), Paragraph(f"Table {number - 2}: {writer.sentence()}", is_small=True)]
            body.append(Paragraph(writer.paragraph()))
    body.append(Heading("References", 2))
    body += [Paragraph(f"[{number}] {writer.person()}. {writer.sentence()}", is_small=True) for number in range(1, 7)]
    if columns == 1:
        return Document("paper", [*opening, *body])
    return Document(
        "paper, two columns", [*opening, Columns(body)], head=writer.pick(["", f"Journal of {writer.titled()}"])
    )


def two_column_paper(writer: Writer) -> Document:
    return paper(writer, columns=2)


def _measurements(writer: Writer) -> Table:
    names = writer.random.sample(NOUNS, 5)
    labels = [Label(name) for name in ("Mean", "Error", "Share")]
    rows = [
        TableRow(name.title(), [writer.decimal(11, 999), writer.decimal(11, 999), writer.percent()]) for name in names
    ]
    return Table([labels], rows, writer.pick(["Method", "Sample"]))


def manual(writer: Writer) -> Document:
    """Numbered chapters with steps, code, warnings that come again, tables of options."""
    product = f"{writer.pick(NOUNS).title()} {writer.number(100, 999)}"
    blocks: list[Block] = []
    for chapter in range(1, 6):
        blocks += [Heading(f"{chapter}. {writer.titled()}", 1), Paragraph(writer.paragraph())]
        for section in range(1, writer.random.randint(3, 4)):
            blocks.append(Heading(f"{chapter}.{section} {writer.phrase()}", 2))
            blocks += [Paragraph(WARNING, is_boxed=True), Paragraph(writer.paragraph())]
            blocks += _detail(writer, f"{chapter}.{section}.1")
    cover: list[Block] = [
        Heading(f"{product} User Manual", 1, is_title=True),
        Paragraph(f"Revision of {writer.date()}"),
    ]
    return Document("manual", blocks, head=f"{product} User Manual", foot="Keep for later use", cover=cover)


def _detail(writer: Writer, number: str) -> list[Block]:
    choice = writer.random.randrange(4)
    if choice == 0:
        return [
            Heading(f"{number} {writer.phrase()}", 3),
            Items([writer.sentence() for _ in range(4)], is_ordered=True),
        ]
    if choice == 1:
        return [Paragraph("Run these commands:"), Code(_commands(writer)), Paragraph(writer.paragraph(2))]
    if choice == 2:
        return [Items([writer.sentence() for _ in range(3)]), _settings(writer), Paragraph(writer.paragraph(2))]
    return [Heading(f"{number} {writer.phrase()}", 3), Paragraph(writer.paragraph(2), lead=f"{writer.phrase()}:")]


def _commands(writer: Writer) -> list[str]:
    return [
        f"unitctl {writer.pick(NOUNS)} --limit {writer.number(10, 9999)} --mode {writer.pick(NOUNS)}" for _ in range(3)
    ]


def _settings(writer: Writer) -> Table:
    names = writer.random.sample(NOUNS, 5)
    rows = [TableRow(f"{name}_limit", [str(writer.number(10, 99_999)), writer.phrase()]) for name in names]
    return Table([[Label("Default"), Label("Meaning")]], rows, "Setting")


def handbook(writer: Writer) -> Document:
    """Headings without numbers, prose, two headings in a row."""
    blocks: list[Block] = [Heading(f"{writer.titled()} Handbook", 1, is_title=True), Paragraph(writer.paragraph())]
    for _ in range(4):
        blocks.append(Heading(writer.titled(), 2))
        for number in range(writer.random.randint(2, 3)):
            blocks += [
                Heading(_question(writer) if number else writer.phrase(), 3),
                Paragraph(writer.paragraph()),
                Paragraph(writer.paragraph(2)),
            ]
        blocks += [
            Paragraph(writer.paragraph(2), lead=f"{writer.phrase()}."),
            Items([writer.sentence() for _ in range(2)]),
        ]
    return Document("handbook", blocks, foot=writer.company())


def _question(writer: Writer) -> str:
    """Return a heading that may need two lines."""
    cause = writer.sentence().rstrip(".").split(",")[0]
    return writer.once(f"What to do when {cause[0].lower()}{cause[1:]} and nobody is told")
