"""Documents of business: statements, annual reports, invoices, forms, letters."""

from __future__ import annotations

from .model import Block, Boxes, Break, Document, Heading, Items, Label, Paragraph, Table, TableRow
from .prose import Writer
from .statements import TITLES, segment_table, statement


def statements(writer: Writer) -> Document:
    """Two statements and their notes."""
    company = writer.company()
    blocks: list[Block] = [Heading(company, 1, is_title=True)]
    subjects = writer.random.sample(list(TITLES), 2)
    for number, subject in enumerate(subjects):
        if number:
            blocks.append(Break())
        blocks += [Heading(TITLES[subject], 2), statement(writer, subject)]
        blocks.append(Paragraph("The accompanying notes are an integral part of these statements.", is_small=True))
    blocks += [Break(), Heading("Notes to Consolidated Financial Statements", 2), *_notes(writer, 3, 4)]
    return Document("statement", blocks, foot=writer.pick(["", company]))


def long_statement(writer: Writer) -> Document:
    """A statement that goes on over pages."""
    subject = writer.pick(list(TITLES))
    labels = writer.pick(["plain", "spanned", "quarters"])
    blocks: list[Block] = [
        Heading(TITLES[subject], 1, is_title=True),
        Paragraph(writer.paragraph()),
        Heading(writer.phrase(), 2),
        statement(writer, subject, labels=labels, repeat=4 if subject == "cash" else 3),
        Heading(writer.phrase(), 2),
        Paragraph(writer.paragraph()),
    ]
    return Document("statement", blocks, head=writer.company())


def _notes(writer: Writer, level: int, count: int) -> list[Block]:
    blocks: list[Block] = []
    for number in range(1, count + 1):
        blocks += [Heading(f"Note {number}. {writer.phrase()}", level), Paragraph(writer.paragraph())]
        if number % 2:
            blocks.append(Paragraph(writer.paragraph(2), lead=f"{writer.phrase()}."))
            blocks.append(_bridge(writer))
        else:
            blocks += [segment_table(writer), Paragraph(writer.paragraph())]
    return blocks


def _bridge(writer: Writer) -> Paragraph:
    """A paragraph with signed amounts, one of them likely at the start of a line."""
    parts = [f"({writer.number(101, 989)}) {writer.phrase().lower()}" for _ in range(4)]
    return Paragraph(f"The difference to the prior year of ({writer.number(101, 989)}) consists of {', '.join(parts)}.")


def annual_report(writer: Writer) -> Document:
    """A cover page, parts, items, statements and notes that go on over pages."""
    company = writer.company()
    cover: list[Block] = [
        Heading(f"{company} Annual Report", 1, is_title=True),
        Paragraph(f"For the fiscal year ended {writer.date()}"),
        Paragraph(f"Commission file number 001-{writer.number(10_000, 99_000)}"),
        Paragraph(f"{writer.place()}, telephone {writer.phone()}"),
    ]
    blocks: list[Block] = []
    item = 0
    for part in ("PART I", "PART II", "PART III"):
        blocks.append(Heading(part, 2))
        for _ in range(writer.random.randint(2, 3)):
            item += 1
            blocks += [Heading(f"Item {item}. {writer.titled()}", 3), *_prose(writer)]
    blocks += [Heading(f"Item {item + 1}. Financial Statements", 3)]
    for subject in writer.random.sample(list(TITLES), 2):
        blocks += [Break(), Heading(TITLES[subject], 4), statement(writer, subject)]
    blocks += [Break(), Heading("Notes to Consolidated Financial Statements", 4)]
    notes = _notes(writer, 5, 4)
    half = max(number for number, block in enumerate(notes[: len(notes) // 2 + 2]) if isinstance(block, Heading))
    continued = "Notes to Consolidated Financial Statements (Continued)"
    blocks += [*notes[:half], Break(continued), *notes[half:]]
    return Document("report", blocks, head=company, foot="Annual Report", cover=cover)


def _prose(writer: Writer) -> list[Block]:
    blocks: list[Block] = [Paragraph(writer.paragraph()) for _ in range(writer.random.randint(1, 3))]
    if writer.random.random() < 0.5:
        blocks += [Heading(writer.phrase(), 4), Paragraph(writer.paragraph())]
        blocks += [Heading(writer.phrase(), 4), Paragraph(writer.paragraph())]
    if writer.random.random() < 0.4:
        blocks.append(Items([writer.sentence() for _ in range(3)]))
    if writer.random.random() < 0.4:
        blocks.append(Paragraph(writer.paragraph(2), lead=f"{writer.phrase()}."))
    return blocks


def invoice(writer: Writer) -> Document:
    """Addresses, lines with quantities and prices, totals."""
    names = [f"{writer.titled()}, model {writer.pick(['A', 'B', 'K'])}{writer.number(100, 999)}" for _ in range(9)]
    rows = [TableRow(name, [str(writer.number(2, 99)), f"${writer.price()}", f"${writer.price()}"]) for name in names]
    rows += [
        TableRow(name, ["", "", f"${writer.price()}"], is_total=True) for name in ("Subtotal", "Sales tax", "Total due")
    ]
    labels = [[Label("Quantity"), Label("Unit price"), Label("Amount")]]
    blocks: list[Block] = [
        Heading(f"Invoice {writer.number(10_000, 99_999)}", 1, is_title=True),
        Boxes([[("Bill to", writer.company()), ("Ship to", f"{writer.place()}, dock {writer.number(11, 99)}")]]),
        Paragraph(f"Date of issue: {writer.date()}. Questions? Call {writer.phone()} or write to {writer.person()}."),
        Table(labels, rows, "Description"),
        Heading("Terms of payment", 2),
        Paragraph(writer.paragraph(3)),
        Heading("Returns", 2),
        Paragraph(writer.paragraph(3)),
    ]
    return Document("invoice", blocks)


def form(writer: Writer) -> Document:
    """Bordered boxes with a label above each value."""
    blocks: list[Block] = [
        Heading(f"Application for {writer.titled()}", 1, is_title=True),
        Paragraph(writer.paragraph(2)),
    ]
    for number in range(1, 4):
        blocks.append(Heading(f"Section {number}: {writer.phrase()}", 2))
        rows = [[_field(writer) for _ in range(writer.random.randint(2, 4))] for _ in range(3)]
        blocks.append(Boxes(rows, is_stacked=number == 2))
        blocks.append(Paragraph(writer.paragraph(2)))
    return Document("form", blocks, foot=f"Form {writer.number(1000, 9999)}")


def _field(writer: Writer) -> tuple[str, str]:
    values = [writer.date, writer.phone, writer.person, lambda: writer.amount(dollar=True), writer.company]
    return writer.titled(), writer.random.choice(values)()


def letter(writer: Writer) -> Document:
    """Lines that begin with numbers in parentheses, and no heading but the subject."""
    changes = [f"({writer.number(101, 989)}) {writer.phrase()}" for _ in range(2)]
    blocks: list[Block] = [
        Paragraph(f"{writer.company()}, {writer.place()}"),
        Paragraph(writer.phone()),
        Paragraph(writer.date()),
        Heading(f"Re: {writer.titled()}", 1),
        Paragraph(f"Dear {writer.person()},"),
        Paragraph(writer.paragraph()),
        *[Paragraph(change) for change in changes],
        Paragraph(writer.paragraph()),
        Items([writer.sentence() for _ in range(3)], is_ordered=True),
        Paragraph(f"Call me at {writer.phone()} or {writer.phone()} before {writer.date()}."),
        Paragraph("Sincerely,"),
        Paragraph(writer.person()),
        Paragraph(f"{writer.phone()} ext. {writer.number(100, 999)}"),
    ]
    return Document("letter", blocks)
