"""The style of the house, as far as a program can check it (after TigerBeetle's `tidy.zig`).

    python tests/test_tidy.py             list every finding that the budget does not allow
    python tests/test_tidy.py --lower     lower the budget to what is there today

`tests/tidy_exceptions.toml` is the budget: for each rule, how many findings each file may still have. A file that is
not in the list may have none. A budget only goes down; when you move a file, move its line by hand.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
BUDGET: Final = Path(__file__).with_name("tidy_exceptions.toml")
REASON: Final = re.compile(r"over 500 lines:? because", re.IGNORECASE)

EMPTY_NAME: Final = re.compile(
    r"one|made|found|told|said|given|taken|asked|seen|kept|held|wanted|written|things?|stuff|tmp|res|obj|val"
)
"""Words that say nothing about a variable. A reader can search for `spot`, `wager` or `journal_line`."""
PARTICIPLE: Final = re.compile(
    r"_*(?!(?:seed|need|feed|speed|deed|listen|open|screen|seven|token|between|often)$)"
    r"(?:[a-z]+e[dn]|made|found|told|said|kept|held|shown|drawn|known|sent|left|lost)"
)
HARD_WORDS: Final = re.compile(
    r"\b(?:his|him|himself|he|she|hers?|herself|whosesoever|whosoever|whoso|how-manieth|thereof|wherein)\b"
    r"|(?:^ *|[.;:#] |\"\"\")Who (?!is\b|has\b|was\b)[a-z]+s\b(?![^.]*\?)|\bis none; (?:there are|known)\b",
    re.MULTILINE,
)
"""Words and turns of phrase that make an international reader stop."""
SMALL_WORDS: Final = re.compile(r"an?|the|of|to|in|on|for|and|or|is|are|it|this|that|with|by|from|be|a|at|we")


class Finding(NamedTuple):
    rule: str
    place: str
    """What the budget counts by: a file, or the name of a class."""
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.place}:{self.line}: {self.rule}: {self.sentence}"


def long_module(name: str, text: str) -> Iterator[Finding]:
    """A module fits on a few screens, or says in its first lines why it does not."""
    lines = text.splitlines()
    if len(lines) > 500 and not REASON.search("\n".join(lines[:12])):
        yield Finding("long_module", name, 1, f"{len(lines)} lines; split it, or write 'Over 500 lines because ...'")


def names(name: str, tree: ast.Module) -> Iterator[Finding]:
    """A variable says what it holds; a function is a verb or a noun."""
    fields = set()
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(body=body):
                fields |= {id(field.target) for field in body if isinstance(field, ast.AnnAssign)}
            case ast.arg(arg=word) if EMPTY_NAME.fullmatch(word):
                yield Finding("variable_name", name, node.lineno, f"say what '{word}' is")
            case ast.Name(id=word, ctx=ast.Store()) if EMPTY_NAME.fullmatch(word) and id(node) not in fields:
                yield Finding("variable_name", name, node.lineno, f"say what '{word}' is")
            case ast.FunctionDef(name=word) | ast.AsyncFunctionDef(name=word) if PARTICIPLE.fullmatch(word):
                # A property may be one: `claim.settled` is a fact.
                if not any("property" in ast.unparse(mark) for mark in node.decorator_list):
                    yield Finding("participle", name, node.lineno, f"'{word}': name it by a verb or a noun")


def class_names(trees: Mapping[str, ast.Module]) -> Iterator[Finding]:
    """A class name leads to one class in the program. A name with an underscore belongs to its module alone."""
    places: dict[str, str] = {}
    for name, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                first = places.setdefault(node.name, name)
                if first != name:
                    yield Finding("class_name", node.name, node.lineno, f"{name} takes the name of a class in {first}")


def comments(name: str, text: str) -> Iterator[Finding]:
    """A comment says why; where every word of it stands in its line, it says nothing."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        code, mark, comment = line.partition("# ")
        if not mark or '"' in comment or comment.startswith(("type:", "noqa", "fmt:")):
            continue
        words = {word for word in _stems(comment) if not SMALL_WORDS.fullmatch(word)}
        beside = code if code.strip() else "".join(lines[number + 1 : number + 2])
        if len(words) > 1 and words <= _stems(beside):
            yield Finding("comment", name, number + 1, f"'{comment}' repeats its line")


def _stems(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", re.sub(r"([A-Z])", r" \1", text).lower())}


def words(name: str, text: str) -> Iterator[Finding]:
    """Plain English, wherever a person reads."""
    for match in HARD_WORDS.finditer(text):
        line = text.count("\n", 0, match.end()) + 1
        yield Finding("words", name, line, f"'{match.group().strip('.;: ')}': write it in plain English")


def texts(*patterns: str) -> dict[str, str]:
    """Every file that matches, but this one: it names what it looks for."""
    paths = sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path != Path(__file__).resolve())
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def findings() -> Iterator[Finding]:
    program = texts("src/houseway/**/*.py", "tools/**/*.py")
    modules = program | texts("tests/**/*.py")
    trees = {name: ast.parse(text) for name, text in program.items()}
    prose = texts(*(f"src/houseway/**/*.{kind}" for kind in ("js", "html", "toml", "typ")), "docs/**/*.md", "*.md")
    for name, text in modules.items():
        yield from long_module(name, text)
        yield from comments(name, text)
    for name, tree in trees.items():
        yield from names(name, tree)
    yield from class_names({name: tree for name, tree in trees.items() if name.startswith("src/")})
    for name, text in (modules | prose).items():
        yield from words(name, text)


Budget = Mapping[str, Mapping[str, int]]


def over_budget(every: list[Finding], budget: Budget) -> list[Finding]:
    """The findings in each place that has more of them than its budget."""
    counts = Counter((finding.rule, finding.place) for finding in every)
    return [f for f in every if counts[f.rule, f.place] > budget.get(f.rule, {}).get(f.place, 0)]


def lower_budget(every: list[Finding], budget: Budget) -> str:
    """The list with every budget cut to what is there today, and none raised."""
    counts = Counter((finding.rule, finding.place) for finding in every)
    text = "# What tests/test_tidy.py still allows: how many findings of each rule, in which file.\n"
    for rule, places in budget.items():
        text += f"\n[{rule}]\n"
        for place, most in places.items():
            if now := min(most, counts[rule, place]):
                text += f'"{place}" = {now}\n'
    return text


def test_nothing_got_worse() -> None:
    worse = over_budget(list(findings()), tomllib.loads(BUDGET.read_text("utf-8")))
    assert not worse, f"more than {BUDGET.name} allows:\n" + "\n".join(map(str, worse))


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("long_module", "x = 1\n" * 501),
        ("", '"""Over 500 lines because it is a list."""\n' + "x = 1\n" * 501),
        ("variable_name", "def seed(found): pass"),
        ("participle", "def _settled(): pass"),
        ("participle", "def written(): pass"),
        ("", "class Row:\n    found: int\n    @property\n    def settled(self): ..."),
        ("comment", "spots.add(spot)  # add the spot to the spots"),
        ("comment", "# close the table\nclose(table)"),
        ("", "spots.add(spot)  # FL-6: hands of folded spots count"),
        ("words", "# the dealer takes his chips"),
        ("words", "# Who waits is told."),
        ("", "# Who is next?"),
    ],
)
def test_each_rule_finds_what_it_is_for_and_no_more(rule: str, text: str) -> None:
    every = [*long_module("m", text), *names("m", ast.parse(text)), *comments("m", text), *words("m", text)]
    assert [finding.rule for finding in every] == ([rule] if rule else [])


def test_a_class_name_is_used_once() -> None:
    tree = ast.parse("class Line: ...\nclass _Row: ...")
    assert [finding.place for finding in class_names({"a": tree, "b": tree})] == ["Line"]


def test_a_budget_is_spent_by_rule_and_file_and_only_goes_down() -> None:
    every = [Finding("words", "a.py", line, "") for line in (1, 2)] + [Finding("words", "b.py", 1, "")]
    assert over_budget(every, {"words": {"a.py": 2, "b.py": 1}}) == []
    assert over_budget(every, {"words": {"a.py": 1, "b.py": 5}}) == every[:2]
    assert lower_budget(every, {"words": {"a.py": 1, "b.py": 5, "c.py": 3}}).endswith(
        '[words]\n"a.py" = 1\n"b.py" = 1\n'
    )


if __name__ == "__main__":
    listed = list(findings())
    allowed = tomllib.loads(BUDGET.read_text("utf-8"))
    if "--lower" in sys.argv:
        BUDGET.write_text(lower_budget(listed, allowed), "utf-8")
    print("\n".join(map(str, over_budget(listed, allowed))) or "nothing is over budget")
