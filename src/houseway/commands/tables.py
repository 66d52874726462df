"""``houseway paytables`` and ``houseway check``: the known pay tables, and what is wrong with a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.commands.arguments import AsJson, HouseTables
from houseway.money import dollars
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.paytables import Book, PayTable, ProgressiveRow, ProgressiveTable


def book_with(files: list[Path]) -> Book:
    """The approved tables, with those of the house's own files beside them."""
    from houseway.games import all_schemas, approved_book
    from houseway.paytables import load_house_file

    book = approved_book()
    for file in files:
        book = book.with_house_tables(load_house_file(file, all_schemas()))
    return book


def paytables(
    game: Annotated[str | None, typer.Argument(help="Only the tables this game can use.")] = None,
    paytable: HouseTables = None,
    as_json: AsJson = False,
) -> None:
    """List the pay tables: what each hand pays, and the figures printed beside them."""
    import msgspec

    from houseway.api.pay_table import describe_table
    from houseway.commands.screen import console, print_json, show
    from houseway.games import all_games

    book = book_with(paytable or [])
    if game is not None:
        from houseway.commands.rules import named_game

        tables = book.of(named_game(game).families)
    else:
        families = dict.fromkeys(family for known in all_games().values() for family in known.families)
        tables = book.of(tuple(families))
    if as_json:
        print_json(msgspec.to_builtins([describe_table(table) for table in tables]))
        return
    screen = console()
    for table in tables:
        show(screen, pay_table(table))
    for designator in book.designators:
        if game in (None, designator.game):
            pairs = ", ".join(f"{wager} {table}" for wager, table in designator.tables.items())
            screen.print(f"{designator.id}: {pairs}")


def check(
    file: Annotated[
        Path, typer.Argument(help="A floor file (docs/floor.md) or a file of pay tables (docs/paytables.md).")
    ],
    as_json: AsJson = False,
) -> None:
    """Check a floor file or a pay table file and list every defect in it. Exit code 1 when there is one."""
    from houseway.commands.floor_file import check_floor
    from houseway.manager.floor_file import is_floor

    try:
        text = file.read_bytes()
    except OSError as error:
        raise Refusal(str(file), f"cannot be read: {error.strerror}") from None
    defects = check_floor(file, text, as_json) if is_floor(text) else _check_pay_tables(file, text, as_json)
    if defects:
        raise typer.Exit(1)


def _check_pay_tables(file: Path, text: bytes, as_json: bool) -> int:
    """Show what is wrong with a file of pay tables; answers how many defects it has."""
    from houseway.commands.screen import print_json
    from houseway.games import all_schemas
    from houseway.paytables import read

    book, defects = read(text, file.name, all_schemas(), approved=False)
    if as_json:
        print_json(
            {
                "file": str(file),
                "tables": [{"game": table.game, "wager": table.wager, "id": table.id} for table in book.tables],
                "defects": [{"where": defect.where, "what": defect.what} for defect in defects],
            }
        )
        return len(defects)
    for defect in defects:
        sys.stdout.write(f"{defect}\n")
    verdict = f"{len(defects)} {plural('defect', len(defects))}" if defects else "no defect"
    sys.stdout.write(
        f"{file}: {verdict}, {len(book.tables)} {plural('table', len(book.tables))} in order, not approved\n"
    )
    return len(defects)


def pay_table(table: PayTable | ProgressiveTable) -> Any:
    """One pay table as a Rich table."""
    from houseway.commands import screen
    from houseway.paytables import PayTable
    from houseway.paytables.words import odds_words

    names = " / ".join((table.id, *table.aliases))
    title = f"{table.game} · {table.wager} · {names}{'' if table.approved else '  (not approved)'}"
    if isinstance(table, PayTable):
        columns = [f"{column} hands" for column in table.columns] or ["pays"]
        grid = screen.table(title, table.by or "hand", *columns, right=tuple(columns))
        for row in table.rows:
            grid.add_row(hand_words(row.hand), *(odds_words(table, odds) for odds in row.odds))
        for hand, cents in table.envy_cents.items():
            grid.add_row(f"envy on {hand_words(hand)}", dollars(cents))
    else:
        grid = screen.table(title, table.by or "hand", "pays", "from", "envy", right=("pays", "envy"))
        for award in table.rows:
            envy = dollars(award.envy_cents) if award.envy_cents else ""
            grid.add_row(hand_words(award.hand), award_words(award), _source(award), envy)
    notes = [f"{key.replace('_', ' ')} {value}" for key, value in table.printed.items()]
    if not isinstance(table, PayTable):
        stated = table.stated_wager_cents
        notes = [
            *([f"wager {dollars(stated)}"] if stated else []),
            *([f"seed {dollars(table.seed_cents)}"] if table.seed_cents is not None else []),
            *notes,
        ]
    if notes:
        grid.caption = "printed: " + ", ".join(notes)
    return grid


def award_words(row: ProgressiveRow) -> str:
    """What a progressive row awards, such as "10% of the meter" or "300 for 1"."""
    if row.percent is not None:
        return f"{row.percent}% of {row.meter}"
    if row.for_one is not None:
        return f"{row.for_one.num} for {row.for_one.den}"
    return dollars(row.fixed_cents or 0)


def _source(row: ProgressiveRow) -> str:
    return "tray or meter" if row.source == "open" else row.source


def hand_words(key: str) -> str:
    """A row key for people."""
    return key.replace("_", " ")


def plural(word: str, count: int) -> str:
    """A word for one or for several."""
    return word if count == 1 else word + "s"
