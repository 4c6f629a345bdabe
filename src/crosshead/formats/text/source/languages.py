"""What definitions look like in programming languages, line by line.

A definition is a line that a pattern matches; indentation shows what it belongs to and where it ends. That holds for
code as people write it, and costs little.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

Ending = Literal["indent", "brace", "end", "next"]
"""A definition ends before a line that is indented less, with a brace or `end` below its beginning, or at the next."""


class SourceLanguage(NamedTuple):
    """What a file of one language looks like."""

    definition: re.Pattern[str]
    """Matches a line from its first character on; `kind` and `name` are the title of its section."""
    ending: Ending
    comment: re.Pattern[str]
    """Matches a line above a definition that belongs to it."""
    quoted: re.Pattern[str]
    """Matches strings and comments; what begins inside them is not code."""


CONTAINERS: Final = frozenset((
    "class", "interface", "struct", "enum", "trait", "impl", "mod", "module", "namespace", "record", "object", "union",
))  # fmt: skip
"""Kinds whose inner definitions are sections too."""

_BLOCK_COMMENT = r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_STRING = r'"(?:[^"\\\n]|\\.)*+"?'
_CHARACTER = r"'(?:[^'\\\n]|\\.)*+'?"
_TEMPLATE = r"`(?:[^`\\]|\\.)*+(?:`|\Z)"
_TRIPLE = r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)'
_TRIPLE_SINGLE = r"'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)"

_C_QUOTED = re.compile(rf"//[^\n]*|{_BLOCK_COMMENT}|{_STRING}|{_CHARACTER}", re.S)
_RUST_QUOTED = re.compile(rf'//[^\n]*|{_BLOCK_COMMENT}|"(?:[^"\\]|\\.)*+(?:"|\Z)', re.S)
_TEMPLATE_QUOTED = re.compile(rf"//[^\n]*|{_BLOCK_COMMENT}|{_STRING}|{_CHARACTER}|{_TEMPLATE}", re.S)
_PYTHON_QUOTED = re.compile(rf"#[^\n]*|{_TRIPLE}|{_TRIPLE_SINGLE}|{_STRING}|{_CHARACTER}", re.S)
_JAVA_QUOTED = re.compile(rf"//[^\n]*|{_BLOCK_COMMENT}|{_TRIPLE}|{_STRING}|{_CHARACTER}", re.S)
_PHP_QUOTED = re.compile(rf"(?://|#(?!\[))[^\n]*|{_BLOCK_COMMENT}|{_STRING}|{_CHARACTER}", re.S)
_RUBY_QUOTED = re.compile(rf"^=begin\b(?:[^\n]|\n(?!=end))*+(?:\n=end|\Z)|#[^\n]*|{_STRING}|{_CHARACTER}", re.S | re.M)
_SHELL_QUOTED = re.compile(r"(?<!\S)#[^\n]*|\"(?:[^\"\\]|\\.)*+(?:\"|\Z)|'[^']*+(?:'|\Z)|\\.", re.S)
_SQL_QUOTED = re.compile(rf"--[^\n]*|{_BLOCK_COMMENT}|'[^']*+(?:'|\Z)", re.S)

_C_COMMENT = re.compile(r"\s*(?://|/\*|\*|#\[|\[|@|template\b)")
_HASH_COMMENT = re.compile(r"\s*[#@]")

_NAME = r"(?P<name>[\w$]+)"
_NO_CONTROL = (
    r"(?!(?:if|for|foreach|while|switch|catch|return|else|do|try|using|lock|throw|new|case|goto|with|await)\b)"
)
_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|sealed|virtual|override|async|partial|readonly"
    r"|default|native|synchronized|unsafe|extern|strictfp|new|open|data)\s+)*+"
)
_TYPE = r"[\w.:]+(?:<[^;{}()\n]{0,200}>)?(?:\[\])*[?&*]*"
_JS_KINDS = r"(?P<kind>class|interface|enum|namespace|module|type|function)\b\*?"
_JS = re.compile(
    r"\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+(?=enum))?"
    rf"(?:{_JS_KINDS}\s*{_NAME}"
    r"|(?:(?:const|let|var)\s+)?(?P<constant>[\w$.]+)\s*(?::[^=\n]{1,200})?=\s*(?:async\s*)?"
    r"(?:function\b|\([^\n]{0,300}=>|[\w$]+\s*=>|\($)"
    r"|(?P<method>(?!(?:if|for|while|switch|catch|return|function|with|await|super|do|else|try|new|throw|import)\b)"
    r"(?:(?:public|private|protected|static|readonly|override|get|set)\s+)*+[*#]?[\w$]+)\s*(?:<[^\n()]{0,100}>)?"
    r"\((?=[^\n]{0,400}\{\s*(?://[^\n]*)?$))"
)
_JAVA = re.compile(
    rf"\s*{_MODIFIERS}(?:(?P<kind>class|interface|enum|record|@interface)\s+{_NAME}"
    rf"|{_NO_CONTROL}(?:<[^\n()]{{0,200}}>\s*)?(?:{_TYPE}\s+)?(?P<method>\w+)\s*\((?=[^;=]*$|[^;=\n]*\{{))"
)
_CSHARP = re.compile(
    rf"\s*{_MODIFIERS}(?:(?P<kind>class|interface|enum|record|struct|namespace)\s+(?P<name>[\w.]+)"
    rf"|{_NO_CONTROL}(?:{_TYPE}\s+)?(?P<method>\w+)\s*(?:<[^\n()]{{0,100}}>)?\((?=[^;=]*$|[^;\n]*\{{))"
)
_C_KINDS = (
    r"(?:typedef\s+)?(?P<kind>struct|union|enum(?:\s+class)?|class|namespace)\s+(?:[A-Z_]{3,}\s+)?(?P<name>[\w:]+)"
)
_C = re.compile(
    rf"(?:{_C_KINDS}[^;=()\n]*$"
    rf"|{_NO_CONTROL}(?:[A-Za-z_][\w:<>,]*[\s*&]+){{0,6}}+(?P<method>~?[A-Za-z_][\w:~]*)\s*\((?=[^;=]*$|[^;\n]*\{{))"
)
_CPP = re.compile(rf"\s*(?:(?:static|inline|virtual|explicit|constexpr|extern|friend)\s+)*+(?:{_C.pattern})")

LANGUAGES: Final = {
    "python": SourceLanguage(
        re.compile(rf"\s*(?:async\s+)?(?P<kind>def|class)\s+{_NAME}"), "indent", _HASH_COMMENT, _PYTHON_QUOTED
    ),
    "javascript": SourceLanguage(_JS, "brace", _C_COMMENT, _TEMPLATE_QUOTED),
    "typescript": SourceLanguage(_JS, "brace", _C_COMMENT, _TEMPLATE_QUOTED),
    "java": SourceLanguage(_JAVA, "brace", _C_COMMENT, _JAVA_QUOTED),
    "csharp": SourceLanguage(_CSHARP, "brace", _C_COMMENT, _JAVA_QUOTED),
    "c": SourceLanguage(_C, "brace", _C_COMMENT, _C_QUOTED),
    "cpp": SourceLanguage(_CPP, "brace", _C_COMMENT, _C_QUOTED),
    "go": SourceLanguage(
        re.compile(rf"(?P<kind>func|type)\s+(?:\((?:\w+\s+)?\*?(?P<owner>\w+)[^)\n]*\)\s*)?{_NAME}"),
        "brace",
        _C_COMMENT,
        _TEMPLATE_QUOTED,
    ),
    "rust": SourceLanguage(
        re.compile(
            r"\s*(?:pub(?:\([^)\n]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?"
            r'(?:extern\s+(?:"[^"\n]*"\s+)?)?(?:(?P<kind>fn|struct|enum|trait|mod|union)\s+(?P<name>\w+)'
            r"|(?P<impl>impl\b[^{\n]{0,200}))"
        ),
        "brace",
        _C_COMMENT,
        _RUST_QUOTED,
    ),
    "ruby": SourceLanguage(
        re.compile(r"\s*(?P<kind>def|class|module)\s+(?P<name>[\w.:?!=<\[\]+*/-]+)"), "end", _HASH_COMMENT, _RUBY_QUOTED
    ),
    "php": SourceLanguage(
        re.compile(
            rf"\s*(?:(?:public|private|protected|static|final|abstract|readonly)\s+)*+"
            rf"(?P<kind>class|interface|trait|enum|function)\s+&?{_NAME}"
        ),
        "brace",
        _C_COMMENT,
        _PHP_QUOTED,
    ),
    "shell": SourceLanguage(
        re.compile(r"(?:(?P<kind>function)\s+(?P<name>[\w:.-]+)|(?P<method>[\w:.-]+)\s*\(\s*\))"),
        "brace",
        _HASH_COMMENT,
        _SHELL_QUOTED,
    ),
    "sql": SourceLanguage(
        re.compile(
            r"(?:create|alter)\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unique|global|local|materialized)\s+)*"
            r"(?P<kind>table|view|function|procedure|trigger|index|type|schema|sequence|domain|package|event)\s+"
            r"(?:if\s+not\s+exists\s+)?(?:concurrently\s+)?(?P<name>[\w.\"`\[\]]+)",
            re.I,
        ),
        "next",
        re.compile(r"--"),
        _SQL_QUOTED,
    ),
    "toml": SourceLanguage(
        re.compile(r"\[\[?(?P<name>[^\[\]\n]{1,200})\]\]?\s*(?:#.*)?$"), "next", _HASH_COMMENT, _PYTHON_QUOTED
    ),
}
