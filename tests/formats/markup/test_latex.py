"""LaTeX becomes Markdown with the lines of the file beside it; formulas stay as they are."""

from __future__ import annotations

import logging

import pytest
from tests.formats.sound import headings, read_soundly

import crosshead

PAPER = r"""\documentclass{article}
\usepackage{amsmath} % a comment
\newcommand{\product}{Crosshead}
\newcommand{\code}[1]{\texttt{#1}}
\title{The \emph{Guide}}
\begin{document}
\maketitle
\section{Intro}\label{sec:intro}
Hello \textbf{world}, ``quoted'' caf\'e --- see~\cite{knuth,lamport}
and $a_1 * b$. % trailing
% whole line
We use \product{}.\footnote{With
care.} End.

\subsection{Lists}
\begin{itemize}
\item One
  \begin{enumerate}
  \item inner
  \end{enumerate}
\item[Term] Two
\end{itemize}
\subsection{Code}
\begin{lstlisting}[language=Python]
def f(): % no comment
    return {1}
\end{lstlisting}
\begin{tabular}{l|r}
\toprule
Name & Price \\
\midrule
A \& B & 10 \\ \hline
\end{tabular}
\begin{align*}
a &= b \\
c &= d
\end{align*}
\end{document}
\section{Not read}
"""


def markdown(text: str) -> str:
    return read_soundly(text, "latex").text


def test_paper() -> None:
    document = read_soundly(PAPER, "latex")
    assert document.title == "Intro"
    assert document.text == (
        "# Intro\n\nHello **world**, “quoted” café — see \\[knuth, lamport\\]\nand $a_1 * b$.\nWe use Crosshead.[^1]\n"
        "End.\n\n[^1]: With care.\n\n## Lists\n\n- One\n\n  1. inner\n- **Term** Two\n\n## Code\n\n"
        "```python\ndef f(): % no comment\n    return {1}\n```\n\n"
        "| Name | Price |\n| --- | --- |\n| A & B | 10 |\n\n"
        "$$\n\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}\n$$\n"
    )


def test_every_line_knows_its_line_in_the_file() -> None:
    document = read_soundly(PAPER, "latex", source="paper.tex")
    written, lines = document.text.split("\n"), ["", *PAPER.split("\n")]
    places = {
        "# Intro": "\\section{Intro}",
        "End.": "care.}",
        "    return {1}": "    return {1}",
        "| A & B | 10 |": "A \\& B",
        "c &= d": "c &= d",
        "- **Term** Two": "\\item[Term]",
    }
    for sought, begun in places.items():
        assert lines[document.source_line(written.index(sought) + 1)].startswith(begun)
    last = crosshead.chunk(document, max_tokens=60, min_tokens=0, overlap_tokens=0)[-1]
    assert last.citation.endswith(f"-{lines.index(chr(92) + 'end{align*}')}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"100\% \& \_x\_ \#1 \$5", r"100% & \_x\_ #1 $5"),
        (r"M\"uller, \o re, \v{s}, \ss", "Müller, øre, š, ß"),
        (r"\verb|a_b| and \url{http://x.org}", "`a_b` and `http://x.org`"),
        (r"\href{http://x.org/a_b}{A \emph{link}}", "[A *link*](http://x.org/a_b)"),
        (r"see \ref{fig:a} \unknown{kept} \vspace{1cm}x", "see fig:a kept x"),
        ("\\[ x = 1 \\]", "$$\nx = 1\n$$"),
        ("$$\ny\n$$", "$$\ny\n$$"),
        (r"\begin{quote}Said.\end{quote}", "> Said."),
        (r"\begin{theorem}[Euler] True. \end{theorem}", "**Theorem (Euler)**\n\nTrue."),
        (r"\begin{figure}[h]\includegraphics[width=1cm]{a.png}\caption{A plot}\end{figure}", "A plot"),
        (r"\begin{tabular}{ll}a & b \\ \multicolumn{2}{c}{c}\end{tabular}", "| a | b |\n| --- | --- |\n| c |  |"),
        (r"\begin{verbatim}x % y\end{verbatim}", "```\nx % y\n```"),
        (r"\begin{thebibliography}{9}\bibitem{k} Knuth\end{thebibliography}", r"- \[k\] Knuth"),
        (r"{\bf old} style", "old style"),
        (r"\begin{comment}gone\end{comment}kept", "kept"),
    ],
)  # fmt: skip
def test_markup(text: str, expected: str) -> None:
    assert markdown(text + "\n") == expected + "\n"


def test_levels_begin_with_the_highest_that_is_used() -> None:
    text = "\\chapter{A}\n\\section{B}\n\\subsection{C}\n\\paragraph{D}\n"
    assert headings(read_soundly(text, "latex")) == [(1, "A"), (2, "B"), (3, "C"), (5, "D")]


def test_other_files_are_not_read_but_named(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "crosshead"):
        assert markdown("Text.\n\n\\input{/etc/passwd}\n") == "Text.\n\n`\\input{/etc/passwd}`\n"
    assert "included files are not read: \\input{/etc/passwd}" in caplog.text


@pytest.mark.parametrize(
    "text",
    [
        "\\newcommand{\\a}{\\a\\a}\\a text",
        "\\newcommand{\\a}{\\b\\b\\b\\b}\\newcommand{\\b}{\\a\\a\\a\\a}" + "\\a text " * 100,
        "\\begin{itemize}\\item x " * 2_000,
        "\\emph{" * 5_000 + "x" + "}" * 5_000,
        "{" * 5_000 + "x",
        "x" + "}" * 5_000,
        "\\footnote{" * 2_000 + "x",
        "\\begin{tabular}{l}" * 2_000 + "x",
        "x $" * 3_000,
    ],
)
def test_odd_files_are_read(text: str) -> None:
    assert "x" in markdown(text)
