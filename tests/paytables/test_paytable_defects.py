"""Every defect a pay table file can have, each with the sentence its writer gets, and nothing beside it."""

from __future__ import annotations

import pytest

from houseway.games import all_schemas
from houseway.paytables import Book, Odds, PayTable, read

ODDS = '[[paytable]]\ngame = "three-card-poker"\nwager = "pair_plus"\nid = "H"\n'
COVER_ALL = '[[paytable]]\ngame = "caribbean-stud"\nwager = "cover_all"\nid = "H"\npays = "to"\n'
COLUMNS = "by_hands_in_round = [2, 3, 4, 5, 6, 7, 8]\n"
FORTUNE = (
    '[[paytable]]\ngame = "six-card-pai-gow"\nwager = "fortune"\nid = "H"\npays = "to"\n'
    'rows = { five_aces = "9", royal_flush = "8", flush = "2" }\n'
)
LINK = '[[paytable]]\ngame = "five-card-link"\nwager = "progressive"\nid = "H"\n'
TOP = "rows.royal_flush = { percent = 100 }\n"
SOUND = ODDS + 'pays = "to"\nrows = { flush = "4", pair = "1" }\n'

ODDS_AT = "three-card-poker pair_plus H"
COVER_AT = "caribbean-stud cover_all H"
FORTUNE_AT = "six-card-pai-gow fortune H"
LINK_AT = "five-card-link progressive H"
FILE = "house.toml"

NAME = "a text of 1 to 64 printable characters without blanks around it"
MONEY = "dollars in whole cents, from 0 to 1,000,000,000"
MONEY_ABOVE_ZERO = "dollars in whole cents, above 0 and up to 1,000,000,000"
EXACT = 'an exact fraction above zero, such as 40, "40" or "3/2", of numbers up to 1,000,000'
PAYS = '"to" (the wager is returned too) or "for" (it is not)'
FROM = '"meter", "tray" or "tray or meter"'
GAMES = (
    "baccarat, caribbean-stud, five-card-link, casino-war, crazy-four-poker, dj-wild, four-card-poker, let-it-ride, "
    "mississippi-stud, six-card-pai-gow, straight-edge-1, straight-edge, straight-edge-2, texas-holdem-bonus, "
    "three-card-poker, ultimate-texas-holdem"
)
PAIR_PLUS_HANDS = "straight_flush, three_of_a_kind, straight, flush, pair"
LINK_HANDS = "royal_flush, straight_flush, four_of_a_kind, full_house, flush, straight, three_of_a_kind, two_pair"
FORTUNE_HANDS = "five_aces, royal_flush, straight_flush, four_of_a_kind, full_house, flush, straight, three_of_a_kind"
WAGERS = "ante_bonus, pair_plus, six_card_bonus, progressive"
KEYS = "game, wager, id, alias, by, rows, printed"
AS_MUCH = "a better hand must get at least as much"
ONE_AWARD = "exactly one of percent, fixed and for_one is needed; it has"
LIST_OF_TABLES = "paytable must be a list of at least one table, each written under [[paytable]]"


def check(text: str | bytes) -> tuple[Book, list[str]]:
    book, defects = read(text, FILE, all_schemas(), approved=False)
    return book, [str(defect) for defect in defects]


def test_the_examples_below_are_sound_until_they_are_spoilt() -> None:
    rows = "".join(f"rows.{hand} = [3, 3, 3, 3, 3, 3, 3]\n" for hand in ("royal_flush", "flush"))
    fortune = FORTUNE + "envy = { five_aces = 5, royal_flush = 5 }\nenvy_minimum_wager = 0.5\n"
    book, defects = check(SOUND + COVER_ALL + COLUMNS + rows + fortune + LINK + TOP)
    assert defects == []
    assert len(book.tables) == 4


FILES = {
    "broken TOML": ("[[paytable]\n", f"{FILE}: the file cannot be read as TOML: ", "(at line 1, column 11)"),
    "a row twice": (SOUND + "rows.flush = 3\n", f"{FILE}: the file cannot be read as TOML: ", ""),
    "not UTF-8": (
        b'id = "\xff"',
        f"{FILE}: the file cannot be read as TOML: it is not UTF-8 text (byte 7)",
        "",
    ),
    "deep lists": (
        "x = " + "[" * 5000,
        f"{FILE}: the file cannot be read as TOML: it is nested too deeply",
        "",
    ),
    "deep keys": ("a." * 60 + "a = 1", f"{FILE}: the file cannot be read as TOML: ", "more than 50 dots"),
    "too long": (
        "#" * 200_001,
        f"{FILE}: the file cannot be read as TOML: ",
        "longer than 200,000 characters",
    ),
    "long integer": (f"x = {'9' * 5000}", f"{FILE}: the file cannot be read as TOML: ", "out of range"),
    "wild exponent": (
        "x = 1e99999999999999999999",
        f"{FILE}: the file cannot be read as TOML: ",
        "out of range",
    ),
}


@pytest.mark.parametrize(("text", "begins", "ends"), FILES.values(), ids=FILES)
def test_a_file_that_cannot_be_read_has_one_defect(text: str | bytes, begins: str, ends: str) -> None:
    book, defects = check(text)
    assert book == Book()
    assert len(defects) == 1
    assert defects[0].startswith(begins)
    assert defects[0].endswith(ends)


def test_a_byte_order_mark_is_no_defect() -> None:
    assert check(b"\xef\xbb\xbf" + SOUND.encode())[1] == []


def odds(rows: str, more: str = 'pays = "to"\n') -> str:
    return f"{ODDS}{more}rows = {rows}\n"


def link(*rows: str, more: str = "") -> str:
    return LINK + more + "".join(f"rows.{row}\n" for row in rows)


CASES: dict[str, tuple[str, list[str]]] = {
    # the file
    "nothing in it": ("", [f"{FILE}: {LIST_OF_TABLES}"]),
    "unknown top level": (
        SOUND + "[paytables]\n",
        [f'{FILE}: unknown key "paytables"; allowed are paytable, designators'],
    ),
    "one table instead of a list": ('[paytable]\nid = "A"\n', [f"{FILE}: {LIST_OF_TABLES}"]),
    "an entry that is no table": ("paytable = [1]\n", [f"{FILE}: paytable 1 is 1; it must be a table"]),
    # what the table is
    "nothing in the table": (
        "[[paytable]]\n",
        [
            f"paytable 1: game is missing; it must be {NAME}",
            f"paytable 1: wager is missing; it must be {NAME}",
            f"paytable 1: id is missing; it must be {NAME}",
            "paytable 1: rows is missing; it must be a table with at least one row",
        ],
    ),
    "unknown game": (
        SOUND.replace("three-card-poker", "whist"),
        [f'paytable 1: unknown game "whist"; known are {GAMES}'],
    ),
    "unknown wager": (
        SOUND.replace("pair_plus", "fortune"),
        [f'paytable 1: unknown wager "fortune"; known for three-card-poker are {WAGERS}'],
    ),
    "id of the wrong type": (SOUND.replace('"H"', "7"), [f"paytable 1: id is 7; it must be {NAME}"]),
    "id with a line break": (
        SOUND.replace('"H"', '"H\\n"'),
        [f"paytable 1: id is 'H\\n'; it must be {NAME}"],
    ),
    "id with a blank": (SOUND.replace('"H"', '" H"'), [f'paytable 1: id is " H"; it must be {NAME}']),
    "id with a bell": (
        SOUND.replace('"H"', '"H\\u0007I"'),
        [f"paytable 1: id is 'H\\x07I'; it must be {NAME}"],
    ),
    "alias of the wrong type": (
        odds('{ pair = "1" }', 'pays = "to"\nalias = 1\n'),
        [f"{ODDS_AT}: alias is 1; it must be a name, or a list of names"],
    ),
    "by of the wrong type": (
        odds('{ pair = "1" }', 'pays = "to"\nby = 1\n'),
        [f"{ODDS_AT}: by is 1; it must be a text of at most 200 printable characters"],
    ),
    "unknown key": (
        odds('{ pair = "1" }', 'pays = "to"\nseed = 1\n'),
        [f'{ODDS_AT}: unknown key "seed"; allowed are {KEYS}, pays, envy, envy_minimum_wager'],
    ),
    "unknown key of an unknown game": (
        SOUND.replace("three-card-poker", "whist") + "seeds = 1\n",
        [
            f'paytable 1: unknown game "whist"; known are {GAMES}',
            f'paytable 1: unknown key "seeds"; allowed are {KEYS}, pays, envy, envy_minimum_wager, '
            "by_hands_in_round, stated_wager, figures_for_wager, seed, multi_game",
        ],
    ),
    "odds key on a progressive": (
        link(TOP[5:-1], more='pays = "for"\n'),
        [f'{LINK_AT}: unknown key "pays"; allowed are {KEYS}, stated_wager, figures_for_wager, seed, multi_game'],
    ),
    "id twice": (
        SOUND + SOUND,
        [f'{ODDS_AT}: id "H" is already a name of {ODDS_AT}; every name of a game and wager must be used once'],
    ),
    "alias of another table": (
        SOUND + SOUND.replace('"H"', '"I"\nalias = "H"'),
        [
            f'three-card-poker pair_plus I: alias "H" is already a name of {ODDS_AT}; every name of a game '
            "and "
            "wager must be used once"
        ],
    ),
    "own name twice": (
        SOUND.replace('"H"', '"H"\nalias = ["I", "H"]'),
        [f'{ODDS_AT}: alias "H" names this table twice; write each name once'],
    ),
    # rows of odds
    "pays missing": (odds('{ pair = "1" }', ""), [f"{ODDS_AT}: pays is missing; it must be {PAYS}"]),
    "pays unknown": (
        odds('{ pair = "1" }', 'pays = "at"\n'),
        [f'{ODDS_AT}: pays is "at"; it must be {PAYS}'],
    ),
    "rows missing": (
        ODDS + 'pays = "to"\n',
        [f"{ODDS_AT}: rows is missing; it must be a table with at least one row"],
    ),
    "rows empty": (
        odds("{}"),
        [f"{ODDS_AT}: rows is an empty table; it must be a table with at least one row"],
    ),
    "rows no table": (odds("[1]"), [f"{ODDS_AT}: rows is a list; it must be a table with at least one row"]),
    "unknown hand": (
        odds('{ flush = "4", pear = "1" }'),
        [f'{ODDS_AT}: rows names an unknown hand "pear"; allowed are {PAIR_PLUS_HANDS}'],
    ),
    "a float": (odds("{ pair = 1.5 }"), [f"{ODDS_AT}, row pair: the pay is 1.5; it must be {EXACT}"]),
    "a float in quotes": (
        odds('{ pair = "1.5" }'),
        [f'{ODDS_AT}, row pair: the pay is "1.5"; it must be {EXACT}'],
    ),
    "zero": (odds('{ pair = "0" }'), [f'{ODDS_AT}, row pair: the pay is "0"; it must be {EXACT}']),
    "zero as a number": (odds("{ pair = 0 }"), [f"{ODDS_AT}, row pair: the pay is 0; it must be {EXACT}"]),
    "over nothing": (
        odds('{ pair = "3/0" }'),
        [f'{ODDS_AT}, row pair: the pay is "3/0"; it must be {EXACT}'],
    ),
    "negative": (odds("{ pair = -1 }"), [f"{ODDS_AT}, row pair: the pay is -1; it must be {EXACT}"]),
    "a truth": (odds("{ pair = true }"), [f"{ODDS_AT}, row pair: the pay is true; it must be {EXACT}"]),
    "words": (odds('{ pair = "one" }'), [f'{ODDS_AT}, row pair: the pay is "one"; it must be {EXACT}']),
    "digits of another script": (
        odds('{ pair = "\u0663" }'),
        [f'{ODDS_AT}, row pair: the pay is "\u0663"; it must be {EXACT}'],
    ),
    "too much": (
        odds("{ pair = 0xffffffffffffffffffff }"),
        [f"{ODDS_AT}, row pair: the pay is a number too large; it must be {EXACT}"],
    ),
    "rows out of order": (
        odds('{ pair = "1", flush = "4" }'),
        [f"{ODDS_AT}, row flush: stands below the weaker pair; rows go from the best hand down: {PAIR_PLUS_HANDS}"],
    ),
    "a weaker hand pays more": (
        odds('{ flush = "4/3", pair = "3/2" }'),
        [f"{ODDS_AT}, row flush: pays 4/3, less than 3/2 for the weaker pair; {AS_MUCH}"],
    ),
    # columns
    "columns missing": (
        COVER_ALL + "rows.flush = [7, 6, 5, 4, 3, 2, 1]\n",
        [f"{COVER_AT}: by_hands_in_round is missing; it must be a list of whole numbers from 1 to 100"],
    ),
    "columns of the wrong type": (
        COVER_ALL + "by_hands_in_round = [2.0]\nrows.flush = [7, 6, 5, 4, 3, 2, 1]\n",
        [f"{COVER_AT}: by_hands_in_round is a list; it must be a list of whole numbers from 1 to 100"],
    ),
    "other columns": (
        COVER_ALL + "by_hands_in_round = [2, 3]\nrows.flush = [7, 6]\n",
        [f"{COVER_AT}: by_hands_in_round is 2, 3; it must be 2, 3, 4, 5, 6, 7, 8"],
    ),
    "too few entries": (
        COVER_ALL + COLUMNS + "rows.flush = [7, 6]\n",
        [f"{COVER_AT}, row flush: a list of 7 pays is needed, one for each of 2, 3, 4, 5, 6, 7, 8 hands; it has 2"],
    ),
    "no list of entries": (
        COVER_ALL + COLUMNS + 'rows.flush = "7"\n',
        [f"{COVER_AT}, row flush: a list of 7 pays is needed, one for each of 2, 3, 4, 5, 6, 7, 8 hands; it has none"],
    ),
    "a wrong entry": (
        COVER_ALL + COLUMNS + "rows.flush = [7, 6, 5, 4, 3, 2, 0]\n",
        [f"{COVER_AT}, row flush: the pay with 8 hands is 0; it must be {EXACT}"],
    ),
    "a weaker hand pays more in one column": (
        COVER_ALL + COLUMNS + "rows.flush = [7, 6, 5, 4, 3, 2, 1]\nrows.straight = [7, 6, 5, 4, 3, 2, 2]\n",
        [f"{COVER_AT}, row flush: with 8 hands in the round pays 1, less than 2 for the weaker straight; {AS_MUCH}"],
    ),
    # flat envy
    "envy without its least wager": (
        FORTUNE + "envy = { five_aces = 1 }\n",
        [f"{FORTUNE_AT}: envy_minimum_wager is missing; a table with envy must say the least wager that takes part"],
    ),
    "a least wager without envy": (
        FORTUNE + "envy_minimum_wager = 5\n",
        [f"{FORTUNE_AT}: envy_minimum_wager is given without envy; write both or neither"],
    ),
    "a least wager of nothing": (
        FORTUNE + "envy = { five_aces = 1 }\nenvy_minimum_wager = 0\n",
        [f"{FORTUNE_AT}: envy_minimum_wager is 0; it must be {MONEY_ABOVE_ZERO}"],
    ),
    "envy for an unknown hand": (
        FORTUNE + "envy = { five_aces = 1, six_aces = 1 }\nenvy_minimum_wager = 5\n",
        [f'{FORTUNE_AT}: envy names an unknown hand "six_aces"; allowed are {FORTUNE_HANDS}'],
    ),
    "envy no table": (
        FORTUNE + "envy = 1\nenvy_minimum_wager = 5\n",
        [f"{FORTUNE_AT}: envy is 1; it must be a table"],
    ),
    "negative flat envy": (
        FORTUNE + "envy = { five_aces = -1 }\nenvy_minimum_wager = 5\n",
        [f"{FORTUNE_AT}, row five_aces: envy is -1; it must be {MONEY}"],
    ),
    "more flat envy for a weaker hand": (
        FORTUNE + "envy = { five_aces = 1, royal_flush = 2.5 }\nenvy_minimum_wager = 5\n",
        [f"{FORTUNE_AT}, row five_aces: has envy of $1.00, less than $2.50 for the weaker royal_flush; {AS_MUCH}"],
    ),
    "flat envy for a weaker hand alone": (
        FORTUNE + "envy = { royal_flush = 2 }\nenvy_minimum_wager = 5\n",
        [f"{FORTUNE_AT}, row five_aces: has envy of $0.00, less than $2.00 for the weaker royal_flush; {AS_MUCH}"],
    ),
    # rows of a progressive
    "row no table": (link('flush = "5"'), [f'{LINK_AT}, row flush: the row is "5"; it must be a table']),
    "unknown key in a row": (
        link("flush = { percent = 1, odds = 2 }"),
        [f'{LINK_AT}, row flush: unknown key "odds"; allowed are percent, meter, fixed, for_one, from, envy'],
    ),
    "no award": (link("flush = { envy = 1 }"), [f"{LINK_AT}, row flush: {ONE_AWARD} none"]),
    "two awards": (
        link('flush = { fixed = 5, for_one = 5, from = "tray" }', more="stated_wager = 1\n"),
        [f"{LINK_AT}, row flush: {ONE_AWARD} fixed and for_one"],
    ),
    "a share and an award": (
        link('flush = { percent = 5, for_one = 5, from = "tray" }'),
        [f"{LINK_AT}, row flush: {ONE_AWARD} percent and for_one"],
    ),
    "percent of nothing": (
        link("flush = { percent = 0 }"),
        [f"{LINK_AT}, row flush: percent is 0; it must be a whole number from 1 to 100"],
    ),
    "more than everything": (
        link("flush = { percent = 101 }"),
        [f"{LINK_AT}, row flush: percent is 101; it must be a whole number from 1 to 100"],
    ),
    "half a percent": (
        link("flush = { percent = 0.5 }"),
        [f"{LINK_AT}, row flush: percent is 0.5; it must be a whole number from 1 to 100"],
    ),
    "a true percent": (
        link("flush = { percent = true }"),
        [f"{LINK_AT}, row flush: percent is true; it must be a whole number from 1 to 100"],
    ),
    "for_one not exact": (
        link('flush = { for_one = 1.5, from = "tray" }'),
        [f"{LINK_AT}, row flush: for_one is 1.5; it must be {EXACT}"],
    ),
    "from missing": (
        link("flush = { for_one = 5 }"),
        [f"{LINK_AT}, row flush: from is missing; it must be {FROM}"],
    ),
    "from missing on fixed": (
        link("flush = { fixed = 5 }", more="stated_wager = 1\n"),
        [f"{LINK_AT}, row flush: from is missing; it must be {FROM}"],
    ),
    "from unknown": (
        link('flush = { for_one = 5, from = "bank" }'),
        [f'{LINK_AT}, row flush: from is "bank"; it must be {FROM}'],
    ),
    "from on a percentage": (
        link('flush = { percent = 5, from = "meter" }'),
        [f"{LINK_AT}, row flush: from is given, but a percentage always comes from its meter; leave from out"],
    ),
    "meter on a fixed row": (
        link('flush = { for_one = 5, from = "tray", meter = "mega" }'),
        [f"{LINK_AT}, row flush: meter is given, but only a percentage names its meter; leave meter out"],
    ),
    "meter of the wrong type": (
        link("flush = { percent = 5, meter = 1 }"),
        [f"{LINK_AT}, row flush: meter is 1; it must be {NAME}"],
    ),
    "unknown progressive hand": (
        link("pair = { percent = 5 }"),
        [f'{LINK_AT}: rows names an unknown hand "pair"; allowed are {LINK_HANDS}'],
    ),
    "progressive rows out of order": (
        link("flush = { percent = 5 }", "royal_flush = { percent = 100 }"),
        [f"{LINK_AT}, row royal_flush: stands below the weaker flush; rows go from the best hand down: {LINK_HANDS}"],
    ),
    # money
    "fixed without a stated wager": (
        link('flush = { fixed = 5, from = "tray" }'),
        [
            f"{LINK_AT}, row flush: fixed is dollars for the table's stated wager, which is missing; give "
            "stated_wager, or pay a multiple of the wager with for_one"
        ],
    ),
    "fixed with a wager that cannot be read": (
        link('flush = { fixed = 5, from = "tray" }', more='stated_wager = "1"\n'),
        [f'{LINK_AT}: stated_wager is "1"; it must be {MONEY_ABOVE_ZERO}'],
    ),
    "fixed of half a cent": (
        link('flush = { fixed = 7.505, from = "tray" }', more="stated_wager = 1\n"),
        [f"{LINK_AT}, row flush: fixed is 7.505; it must be {MONEY_ABOVE_ZERO}"],
    ),
    "fixed just off a cent": (
        link(f'flush = {{ fixed = 7.5{"0" * 32}1, from = "tray" }}', more="stated_wager = 1\n"),
        [f"{LINK_AT}, row flush: fixed is 7.5{'0' * 32}1; it must be {MONEY_ABOVE_ZERO}"],
    ),
    "fixed of nothing": (
        link('flush = { fixed = 0, from = "tray" }', more="stated_wager = 1\n"),
        [f"{LINK_AT}, row flush: fixed is 0; it must be {MONEY_ABOVE_ZERO}"],
    ),
    "negative fixed": (
        link('flush = { fixed = -5, from = "tray" }', more="stated_wager = 1\n"),
        [f"{LINK_AT}, row flush: fixed is -5; it must be {MONEY_ABOVE_ZERO}"],
    ),
    "money that is no number": (
        link(TOP[5:-1], more="seed = nan\n"),
        [f"{LINK_AT}: seed is NaN; it must be {MONEY}"],
    ),
    "money beyond reason": (
        link(TOP[5:-1], more="seed = 1e999999\n"),
        [f"{LINK_AT}: seed is 1E+999999; it must be {MONEY}"],
    ),
    "negative seed": (link(TOP[5:-1], more="seed = -1\n"), [f"{LINK_AT}: seed is -1; it must be {MONEY}"]),
    "stated wager of nothing": (
        link(TOP[5:-1], more="stated_wager = 0\n"),
        [f"{LINK_AT}: stated_wager is 0; it must be {MONEY_ABOVE_ZERO}"],
    ),
    "figures for a fraction of a cent": (
        link(TOP[5:-1], more="figures_for_wager = 0.001\n"),
        [f"{LINK_AT}: figures_for_wager is 0.001; it must be {MONEY_ABOVE_ZERO}"],
    ),
    "multi_game in words": (
        link(TOP[5:-1], more='multi_game = "yes"\n'),
        [f'{LINK_AT}: multi_game is "yes"; it must be true or false'],
    ),
    "negative envy": (
        link("flush = { percent = 5, envy = -1 }"),
        [f"{LINK_AT}, row flush: envy is -1; it must be {MONEY}"],
    ),
    # a progressive as a whole
    "a weaker hand wins a larger multiple": (
        link('flush = { for_one = 5, from = "tray" }', 'straight = { for_one = 6, from = "meter" }'),
        [f"{LINK_AT}, row flush: pays 5, less than 6 for the weaker straight; {AS_MUCH}"],
    ),
    "a weaker hand wins more dollars": (
        link(
            'flush = { fixed = 5, from = "tray" }',
            "straight = { percent = 1 }",
            'two_pair = { fixed = 1250.5, from = "tray" }',
            more="stated_wager = 1\n",
        ),
        [f"{LINK_AT}, row flush: pays $5.00, less than $1,250.50 for the weaker two_pair; {AS_MUCH}"],
    ),
    "a weaker hand wins more, in dollars against a multiple": (
        link(
            'flush = { for_one = 5, from = "tray" }',
            'straight = { fixed = 11, from = "tray" }',
            more="stated_wager = 2\n",
        ),
        [f"{LINK_AT}, row flush: pays $10.00, less than $11.00 for the weaker straight; {AS_MUCH}"],
    ),
    "a weaker hand wins a larger share": (
        link("flush = { percent = 5 }", "straight = { percent = 6 }"),
        [f"{LINK_AT}, row flush: takes 5%, less than 6% for the weaker straight; {AS_MUCH}"],
    ),
    "a weaker hand has more envy": (
        link("flush = { percent = 5 }", "straight = { percent = 5, envy = 0.5 }"),
        [f"{LINK_AT}, row flush: has envy of $0.00, less than $0.50 for the weaker straight; {AS_MUCH}"],
    ),
    "a meter that is not named": (
        link('royal_flush = { percent = 100, meter = "mega" }', "flush = { percent = 100 }"),
        [
            f"{LINK_AT}, row flush: meter is missing while other percentages name theirs; name it on every "
            "percentage or on none"
        ],
    ),
    "a share of a meter that is not named": (
        link('royal_flush = { percent = 100, meter = "mega" }', "flush = { percent = 10 }"),
        [
            f"{LINK_AT}, row flush: meter is missing while other percentages name theirs; name it on every "
            "percentage or on none"
        ],
    ),
    "one meter won by two hands": (
        link('royal_flush = { percent = 100, meter = "mega" }', 'flush = { percent = 100, meter = "mega" }'),
        [
            f'{LINK_AT}, row flush: takes 100% of the meter "mega", as royal_flush does; a meter has one '
            "100% "
            "row, so name another meter"
        ],
    ),
    "the only meter won by two hands": (
        link("royal_flush = { percent = 100 }", "flush = { percent = 100 }"),
        [
            f'{LINK_AT}, row flush: takes 100% of the meter "main", as royal_flush does; a meter has one '
            "100% "
            "row, so name another meter"
        ],
    ),
    "a share of a misspelt meter": (
        link('royal_flush = { percent = 100, meter = "mega" }', 'flush = { percent = 10, meter = "mgea" }'),
        [f'{LINK_AT}, row flush: meter "mgea" has no 100% row in this table; allowed are mega'],
    ),
    "from one of several meters": (
        link(
            'royal_flush = { percent = 100, meter = "mega" }',
            'straight_flush = { percent = 100, meter = "major" }',
            'flush = { for_one = 5, from = "meter" }',
        ),
        [
            f'{LINK_AT}, row flush: from is "meter", but the table has several (mega, major); write "tray" '
            "or "
            '"tray or meter"'
        ],
    ),
    "one seed for several meters": (
        link(
            'royal_flush = { percent = 100, meter = "mega" }',
            'straight_flush = { percent = 100, meter = "major" }',
            more="seed = 1000\n",
        ),
        [
            f"{LINK_AT}: seed does not say which meter it is for (mega, major); leave it out of a table with "
            "several meters"
        ],
    ),
    # printed figures
    "printed no table": (
        SOUND + 'printed = "3%"\n',
        [f'{ODDS_AT}: printed is "3%"; it must be a table'],
    ),
    "a house edge that is no percentage": (
        SOUND + 'printed = { house_edge = "3,37%" }\n',
        [f'{ODDS_AT}: printed "house_edge" is "3,37%"; it must be a percentage as printed, such as "3.37%"'],
    ),
    "a hit frequency as a number": (
        SOUND + "printed = { hit_frequency = 3.37 }\n",
        [f'{ODDS_AT}: printed "hit_frequency" is 3.37; it must be a percentage as printed, such as "3.37%"'],
    ),
    "a printed list": (
        SOUND + "printed = { note = [1] }\n",
        [f'{ODDS_AT}: printed "note" is a list; it must be a text of at most 200 printable characters, or a number'],
    ),
    "a printed truth": (
        SOUND + "printed = { note = true }\n",
        [f'{ODDS_AT}: printed "note" is true; it must be a text of at most 200 printable characters, or a number'],
    ),
    # designators
    "designators no table": ("designators = 1\n" + SOUND, [f"{FILE}: designators is 1; it must be a table"]),
    "designators of an unknown game": (
        SOUND + '[designators.whist]\n"W" = { pair_plus = "H" }\n',
        [f'{FILE}: designators names an unknown game "whist"; known are {GAMES}'],
    ),
    "designators of a game no table": (
        SOUND + "[designators]\nthree-card-poker = 1\n",
        [f"{FILE}: designators.three-card-poker is 1; it must be a table"],
    ),
    "a designator that names nothing": (
        SOUND + "[designators.three-card-poker]\nT = {}\n",
        ["designators three-card-poker T: the designator is an empty table; it must be a table with at least one row"],
    ),
    "a designator without a name": (
        SOUND + '[designators.three-card-poker]\n"" = { pair_plus = "H" }\n',
        [f'designators three-card-poker "": the designator is ""; it must be {NAME}'],
    ),
    "a designator of an unknown wager": (
        SOUND + '[designators.three-card-poker]\nT = { pare_plus = "H" }\n',
        [f'designators three-card-poker T: unknown wager "pare_plus"; known are {WAGERS}'],
    ),
    "a designator of an unknown table": (
        SOUND + '[designators.three-card-poker]\nT = { pair_plus = "A" }\n',
        ['designators three-card-poker T: pair_plus names an unknown table "A"; the file has H'],
    ),
    "a designator of a table in numbers": (
        SOUND + "[designators.three-card-poker]\nT = { pair_plus = 1 }\n",
        ["designators three-card-poker T: pair_plus names an unknown table 1; the file has H"],
    ),
    "a designator of a faulty table": (
        odds('{ pair = "0" }') + '[designators.three-card-poker]\nT = { pair_plus = "H" }\n',
        [f'{ODDS_AT}, row pair: the pay is "0"; it must be {EXACT}'],
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_each_defect_is_said_once_and_clearly(text: str, expected: list[str]) -> None:
    assert check(text)[1] == expected


def test_all_defects_are_said_at_once_and_the_sound_tables_remain() -> None:
    twice_wrong = odds('{ pair = "1.5", flush = "4", pear = "1" }', 'pays = "at"\ncolour = "red"\n')
    book, defects = check(SOUND.replace('"H"', '"I"') + twice_wrong + link("flush = {}"))
    assert [table.id for table in book.tables] == ["I"]
    assert len(defects) == 6
    assert {defect.split(":")[0] for defect in defects} == {
        ODDS_AT,
        f"{ODDS_AT}, row pair",
        f"{ODDS_AT}, row flush",
        f"{LINK_AT}, row flush",
    }


def test_of_two_tables_with_one_name_the_first_remains() -> None:
    book, _ = check(SOUND + SOUND.replace('"4"', '"3"'))
    (table,) = book.tables
    assert isinstance(table, PayTable)
    assert table.odds("flush") == Odds(4, 1)


def test_a_designator_may_use_an_alias_and_holds_the_id() -> None:
    text = SOUND.replace('"H"', '"H"\nalias = ["I", "J"]')
    book, defects = check(text + '[designators.three-card-poker]\nT = { pair_plus = "J" }\n')
    assert defects == []
    assert [one.tables for one in book.designators] == [{"pair_plus": "H"}]


def test_equal_pays_and_sums_in_lower_terms_are_no_defect() -> None:
    book, defects = check(odds('{ straight = 4, flush = "8/2", pair = "6/4" }', 'pays = "for"\n'))
    assert defects == []
    (table,) = book.tables
    assert isinstance(table, PayTable)
    assert table.returns_wager is False
    assert table.odds("pair") == Odds(3, 2)


def test_a_bet_table_needs_every_hand() -> None:
    _, made = check(
        """
        [[paytable]]
        game = "straight-edge-1"
        wager = "play"
        id = "SHORT"
        pays = "to"
        rows = { 6 = "200", 5 = "25", 4 = "8", 3 = "3", 2 = "2", 1 = "1" }
        """
    )
    assert made == ["straight-edge-1 play SHORT: rows has nothing for 0; a play table needs every hand"]


def test_an_award_without_a_wager_pays_to() -> None:
    _, made = check(
        """
        [[paytable]]
        game = "three-card-poker"
        wager = "ante_bonus"
        id = "FOR"
        pays = "for"
        rows = { straight_flush = "5" }
        """
    )
    assert made == [
        'three-card-poker ante_bonus FOR: pays is "for", but ante_bonus has no wager of its own; it must be "to"'
    ]


def test_envy_that_no_rule_pays_is_a_defect() -> None:
    _, made = check(
        """
        [[paytable]]
        game = "three-card-poker"
        wager = "pair_plus"
        id = "ENVY"
        pays = "to"
        rows = { straight_flush = "40" }
        envy = { straight_flush = 10 }
        envy_minimum_wager = 5
        """
    )
    assert made == ["three-card-poker pair_plus ENVY: envy is given, but pair_plus pays none; leave envy out"]
