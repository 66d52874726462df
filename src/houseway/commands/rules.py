"""``houseway games`` and ``houseway rules``: what is played here, and by which rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.commands.arguments import AsJson, HouseTables
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.games import Game
    from houseway.games.card import RuleChoice, RuleLaterDeal, RulePoint, RuleStreet


def games(as_json: AsJson = False) -> None:
    """List the games: the rule sets that can be played and proved, and every game the approval letters name."""
    from houseway.commands import screen
    from houseway.games import all_games
    from houseway.games.letters import letters

    known = list(all_games().values())
    if as_json:
        screen.print_json(
            {
                "games": [
                    {
                        "game": game.key,
                        "title": game.title,
                        "document": game.document,
                        "most_spots": game.most_spots,
                    }
                    for game in known
                ],
                "letters": [
                    {
                        "letter": letter.number,
                        "date": letter.date,
                        "games": [
                            {
                                "number": named.number,
                                "name": named.name,
                                "status": named.status,
                                "rules": named.rules,
                            }
                            for named in letter.games
                        ],
                    }
                    for letter in letters()
                ],
            }
        )
        return
    out = screen.console()
    rules = screen.table("Rule sets", "game", "title", "documents", "spots", right=("spots",))
    for game in known:
        rules.add_row(game.key, game.title, game.document, str(game.most_spots))
    screen.show(out, rules)
    for letter in letters():
        described = sum(1 for named in letter.games if named.rules)
        names = screen.table(
            f"Letter {letter.number} of {letter.date}: {len(letter.games)} games, {described} described here",
            "no.",
            "game",
            "what we have",
            right=("no.",),
        )
        for named in letter.games:
            names.add_row(str(named.number), named.name, f"{named.status} {', '.join(named.rules)}".strip())
        screen.show(out, names)


def rules(
    game: Annotated[str, typer.Argument(help="The game, as `houseway games` lists it.")],
    paytable: HouseTables = None,
    as_json: AsJson = False,
) -> None:
    """Show a game's rule card: the rules in words with their clauses, the house options, the pay tables."""
    import msgspec

    from houseway.api.pay_table import describe_table
    from houseway.commands import screen
    from houseway.commands.tables import book_with, pay_table, plural
    from houseway.games.card import rule_card

    chosen = named_game(game)
    tables = book_with(paytable or []).of(chosen.families)
    if as_json:
        screen.print_json(
            {
                **msgspec.to_builtins(rule_card(chosen)),
                "paytables": msgspec.to_builtins([describe_table(table) for table in tables]),
            }
        )
        return
    out = screen.console()
    out.print(f"[bold]{chosen.title}[/bold] ({chosen.key}), from {chosen.source_words}")
    shoe = f"a shoe of {chosen.defaults[chosen.shoe.decks]} decks with " if chosen.shoe is not None else ""
    dealt = [
        f"{count} {plural('card', count)} {where}"
        for count, where in (
            (chosen.player_cards, "a player"),
            (chosen.dealer_cards, "for the dealer"),
            (chosen.board_cards, "on the board"),
        )
        if count
    ]
    out.print(f"{', '.join([f'{shoe}{len(chosen.deck)} cards', f'up to {chosen.most_spots} spots', *dealt])}\n")
    for section in chosen.sections:
        lines = screen.table(section.title, "rule", "clauses")
        lines.columns[0].no_wrap = False  # a rule is a sentence, not a name
        for line in section.lines:
            note = " (the documents leave this open; fixed here)" if line.fixed else ""
            lines.add_row(line.text + note, " ".join(line.clauses))
        screen.show(out, lines)
    steps = screen.table("Decisions and streets", "step", "what happens")
    for step in rule_card(chosen).flow:
        steps.add_row(*_step(step))
    if chosen.flow:
        screen.show(out, steps)
    wagers = screen.table("Wagers", "wager", "name", "when")
    for wager in chosen.wagers:
        wagers.add_row(wager.key, wager.label, _when(wager.kind, wager.needs))
    screen.show(out, wagers)
    options = screen.table("House options", "option", "default", "allowed", "what it decides", "clauses")
    for option in chosen.options:
        options.add_row(option.name, _value(option.default), option.allowed, option.says, " ".join(option.clauses))
    screen.show(out, options)
    for table in tables:
        screen.show(out, pay_table(table))


def named_game(key: str) -> Game:
    """The game of that key, or a refusal that lists the games."""
    from houseway.games import all_games, find_game

    game = find_game(key)
    if game is None:
        raise Refusal("game", f"{key[:40]!r} is not a game here; known are {', '.join(all_games())}")
    return game


def _step(step: RulePoint | RuleStreet | RuleLaterDeal) -> tuple[str, str]:
    """A decision, a street or a later deal in words."""
    from houseway.games.card import RuleLaterDeal, RuleStreet

    if isinstance(step, RuleLaterDeal):
        burns = f"the dealer burns {step.burns} cards; then " if step.burns else ""
        why = f"where {step.wager} was wagered" if step.wager else "where the cards call for it"
        return step.name, f"{burns}one card each, face up, {why}"
    if isinstance(step, RuleStreet):
        return step.name or step.zone, f"the dealer turns over {len(step.places)} cards of the {step.zone}"
    return step.name, "; ".join(_choice(choice) for choice in step.choices)


def _choice(choice: RuleChoice) -> str:
    stakes = [
        f"{stake.wager.replace('_', ' ')} of {'up to ' if stake.optional else ''}{stake.times} x {stake.of}"
        for stake in choice.stakes
    ]
    if choice.takes_back:
        stakes.append(f"takes back {choice.takes_back}")
    if choice.surrenders:
        stakes.append(f"gives up half of {choice.surrenders}")
    words = f"{choice.name}: {', '.join(stakes)}" if stakes else choice.name
    return f"{words} (with some cards only)" if choice.conditional else words


def _when(kind: str, needs: str) -> str:
    if kind == "required":
        return "required to be dealt in"
    if kind == "follows":
        return "follows from the decision"
    if kind == "award":
        return "paid without a wager of its own"
    return f"optional, beside {needs}" if needs else "optional"


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
