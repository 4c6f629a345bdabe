from __future__ import annotations

import pytest
from tests.formats.office.docx.docx_files import body, pieces, run

from crosshead.pipeline import parse_document


def r(text: str) -> str:
    return f"<m:r><w:rPr><w:b/></w:rPr><m:t>{text}</m:t></m:r>"


def m(tag: str, *content: str) -> str:
    return f"<m:{tag}>{''.join(content)}</m:{tag}>"


def prop(tag: str, **values: str) -> str:
    return m(f"{tag}Pr", *[f'<m:{name} m:val="{value}"/>' for name, value in values.items()], m("ctrlPr", "<w:rPr/>"))


E, SUB, SUP = m("e", r("x")), m("sub", r("i")), m("sup", r("2"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (r("a+b=50%"), "a+b=50\\%"),
        (m("f", m("num", r("1")), m("den", r("2"))), "\\frac{1}{2}"),
        (m("f", prop("f", type="lin"), m("num", r("1")), m("den", r("2"))), "1/2"),
        (m("d", m("e", m("f", prop("f", type="noBar"), m("num", r("n")), m("den", r("k"))))), "\\binom{n}{k}"),
        (m("sSup", E, SUP), "x^{2}"),
        (m("sSub", m("e", r("ab")), SUB), "{ab}_{i}"),
        (m("sSubSup", E, SUB, SUP), "x_{i}^{2}"),
        (m("sPre", SUB, SUP, E), "{}_{i}^{2}x"),
        (m("rad", m("deg"), E), "\\sqrt{x}"),
        (m("rad", m("deg", r("3")), E), "\\sqrt[3]{x}"),
        (m("nary", prop("nary", chr="∑"), SUB, SUP, E), "\\sum_{i}^{2} x"),
        (m("nary", SUB, m("sup"), E), "∫_{i} x".replace("∫", "\\int")),
        (m("nary", prop("nary", chr="⊎"), m("sub"), m("sup"), E), "⊎ x"),
        (m("d", E), "\\left(x\\right)"),
        (m("d", prop("d", begChr="{", endChr=""), E), "\\left\\{x\\right."),
        (m("d", prop("d", begChr="[", endChr="]", sepChr=","), E, E), "\\left[x,x\\right]"),
        (m("func", m("fName", r("sin")), E), "\\sin x"),
        (m("func", m("fName", r("rank")), E), "\\operatorname{rank} x"),
        (m("func", m("fName", m("limLow", m("e", r("lim")), m("lim", r("n")))), E), "\\lim_{n} x"),
        (m("func", m("fName", m("sSup", m("e", r("cos")), SUP)), E), "\\cos^{2} x"),
        (m("limUpp", E, m("lim", r("n"))), "x^{n}"),
        (m("acc", E), "\\hat{x}"),
        (m("acc", prop("acc", chr="\u20d7"), E), "\\vec{x}"),
        (m("acc", prop("acc", chr="?"), E), "x"),
        (m("bar", prop("bar", pos="top"), E), "\\overline{x}"),
        (m("bar", E), "\\underline{x}"),
        (m("m", m("mr", E, E), m("mr", E, E)), "\\begin{matrix}x & x \\\\ x & x\\end{matrix}"),
        (m("eqArr", E, E), "\\begin{aligned}x \\\\ x\\end{aligned}"),
        (m("box", m("boxPr"), E), "x"),
        (m("sSup", E, m("sup", m("f", m("num", r("1")), m("den", r("2"))))), "x^{\\frac{1}{2}}"),
    ],
)
def test_equations_become_latex(content: str, expected: str) -> None:
    assert body(pieces(run("so ") + m("oMath", content))) == f"so ${expected}$\n"


def test_equation_of_its_own_is_a_block() -> None:
    text = body(pieces(run(" ") + m("oMathPara", m("oMath", r("a")))))
    assert text == "$$\na\n$$\n"
    assert [block.kind for block in parse_document(text).blocks] == ["math"]


def test_equation_of_its_own_between_words_is_in_line() -> None:
    assert body(pieces(run("so ") + m("oMathPara", m("oMath", r("a"))))) == "so $a$\n"


def test_empty_equations_are_nothing() -> None:
    assert body(pieces(run("a") + m("oMath") + m("oMathPara"))) == "a\n"
