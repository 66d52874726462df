"""Writing compiled loops: the names, values and actions of a declaration as lines of source."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from houseway.games.model import Choice, Decide, Derived, Game, Hand, LaterDeal, Rule, Value
from houseway.proof.simulation.declared import Declared, bit_tables, has_optional, sets_hands
from houseway.ranking.ranking import Ranking
from houseway.rule import arguments_of

INTERNAL: Final = frozenset(
    {
        "above", "account", "amounts", "appraise", "at", "awards", "b", "bank", "bankroll", "below", "board", "c",
        "cards", "choice", "choices", "choose", "class_key", "column_of", "cost", "count", "counts", "d",
        "deal_block", "dealt", "decide", "deck", "den", "down", "envy", "event", "events", "find_open", "first",
        "fits", "folded", "fractions", "given", "groups", "hand_number", "hands", "held", "here", "highs", "house",
        "key", "known", "liking", "line", "looked_up", "low_card", "low_value", "merit", "missing", "money", "most",
        "moved", "net", "nets", "node", "np", "num", "options", "order", "other", "own", "place", "places",
        "played", "prizes", "progressive", "ranks_key", "rest", "rewards", "rounds", "row", "rows", "rules",
        "sessions", "settings", "settle", "settle_given", "slots", "spot", "spots", "stakes", "start", "stayed",
        "sums", "swap", "table", "terms", "total", "unclear", "up", "way", "weights", "won",
        "choice_of_bits", "names", "number", "number_of_set", "renamed_card", "shown",
    }
)  # fmt: skip
"""Names that the loops use themselves."""


class Text:
    """Lines of source under construction."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0

    def line(self, text: str = "") -> None:
        self.lines.append("    " * self._depth + text if text else "")

    @contextmanager
    def block(self, *heads: str) -> Iterator[None]:
        """Lines under heads such as ``for spot in range(spots):``, each within the one before; an empty one is none."""
        depth = self._depth
        for head in heads:
            if head:
                self.line(head)
                self._depth += 1
        yield
        self._depth = depth

    def enter(self) -> None:
        """Indent what comes, as far as ``leave``."""
        self._depth += 1

    def leave(self) -> None:
        self._depth -= 1

    def call(self, head: str, arguments: Iterable[str], tail: str = ")") -> None:
        """A long list of arguments, wrapped."""
        self.line(head)
        row = ""
        for argument in arguments:
            if row and len(row) + len(argument) > 95:
                self.line(f"    {row.strip()}")
                row = ""
            row += f"{argument}, "
        if row:
            self.line(f"    {row.strip()}")
        self.line(tail)


class LoopWriter:
    """What all passes are written with. ``functions`` and ``lookups`` say what the names in the source stand for."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.declared = Declared(game)
        self.functions: dict[str, Callable[..., Any]] = {}
        self.lookups: dict[str, Any] = {}
        """Arrays of the rankings, by name; every loop takes them in this order."""
        self._text = Text()
        self._taken = set(INTERNAL)
        self._names = {key: self._free(key) for key in self.declared.names}
        self._rankings: dict[str, tuple[str, ...]] = {}
        self._stored = self.declared.stored
        for value in game.values:
            if isinstance(value, Hand):
                self._add_lookups(value.ranking)

    def _free(self, key: str) -> str:
        """A name for a value, wager or option, or for a function."""
        name = "".join(letter if letter.isalnum() else "_" for letter in key)
        if not name.isidentifier():
            name = f"_{name}"
        while name in self._taken or keyword.iskeyword(name):
            name += "_"
        self._taken.add(name)
        return name

    def _function(self, function: Callable[..., Any]) -> str:
        for name, known in self.functions.items():
            if known is function:
                return name
        name = self._free(getattr(function, "__name__", "rule").strip("<>"))
        self.functions[name] = function
        return name

    def _add_lookups(self, ranking: Ranking) -> None:
        if ranking.key in self._rankings:
            return
        if ranking.card_bit is not None:
            tables = bit_tables(ranking, self.game.deck)
            arrays: Sequence[Any] = tables if tables is not None else ranking.lookups()
        else:
            arrays = ranking.lookups()
        names = []
        for place, array in enumerate(arrays):
            known = next((name for name, other in self.lookups.items() if other is array), None)
            if known is None:
                known = self._free(f"{ranking.key}_{place}")
                self.lookups[known] = array
            names.append(known)
        self._rankings[ranking.key] = tuple(names)

    def _call(self, rule: Rule, **others: str) -> str:
        """A call of a rule with what it asks for."""
        given = [others.get(name) or self._names[name] for name in arguments_of(rule)]
        return f"{self._function(rule)}({', '.join(given)})"

    def _ranked(self, ranking: Ranking, cards: Sequence[str]) -> str:
        """The value of cards by a ranking."""
        lookups = self._rankings[ranking.key]
        if ranking.card_bit is None:
            return f"{self._function(ranking.compiled)}({', '.join([*cards, *lookups])})"
        if bit_tables(ranking, self.game.deck) is not None:
            bits, worth = lookups
            return f"{worth}[{' | '.join(f'{bits}[{card}]' for card in cards)}]"
        bit = self._function(ranking.card_bit)
        together = " | ".join(f"{bit}({card})" for card in cards)
        return f"{self._function(ranking.compiled)}({', '.join([together, *lookups])})"

    def _cards_of(self, hand: Hand) -> list[str]:
        """The cards that a value is judged on."""
        found = []
        filled = {place: deal for deal in self.declared.deals_of(hand) for place in deal.to}
        for zone, places in hand.places:
            every = self.declared.places_of(zone)
            for place in range(len(every)) if places is None else places:
                deal = filled.get((zone, place))
                if deal is None:
                    found.append(every[place])
                    continue
                called = f"{self._names[deal.wager]} > 0" if deal.wager else f"{self._call_name(deal)} == 1"
                found.append(f"(np.int64({every[place]}) if {called} else np.int64(-1))")
        return found

    def _use(self, names: Iterable[str], known: set[str]) -> None:
        """Lines that give these values their names, each once; ``known`` has those that are there already."""
        needed = self.declared.with_what_they_need(names)
        for value in self.game.values:
            if value.key in needed and value.key not in known:
                if isinstance(value, Hand):
                    self._use_deals(value, known)
                known.add(value.key)
                self._text.line(f"{self._names[value.key]} = {self._expression(value)}")

    def _use_deals(self, hand: Hand, known: set[str]) -> None:
        """Whether the cards lie there that a value looks at and that a rule calls for."""
        for deal in self.declared.deals_of(hand):
            name = self._call_name(deal)
            if deal.when is not None and name not in known:
                self._use(arguments_of(deal.when), known)
                known.add(name)
                self._text.line(f"{name} = 1 if {self._call(deal.when)} else 0")

    def _call_name(self, deal: LaterDeal) -> str:
        return f"called_{self.game.later_deals.index(deal)}"

    def _expression(self, value: Value) -> str:
        if isinstance(value, Derived):
            return self._call(value.rule)
        if value.key in self._stored:
            place = "at" if self.declared.is_shared(value.key) else "spot, at"
            return f"{self._names[value.key]}_of[{place}]"
        return self._ranked(value.ranking, self._cards_of(value))

    def _stored_arrays(self) -> list[str]:
        return [f"{self._names[key]}_of" for key in self._stored]

    def _choice_arrays(self) -> list[str]:
        """By point what every spot chose, whether it made the optional wager, and which card it set low."""
        found = []
        for point in self.game.points:
            found.append(f"chose_{self._point(point)}")
            if has_optional(point):
                found.append(f"extra_{self._point(point)}")
            if sets_hands(point):
                found.append(f"low_{self._point(point)}")
        return found

    def _point(self, point: Decide) -> str:
        return "".join(letter if letter.isalnum() else "_" for letter in point.key)

    def _point_tables(self) -> list[str]:
        """The look-ups that a way to play has for each point, in the order in which ``decide`` takes them."""
        found = []
        for point in self.game.points:
            if not sets_hands(point):
                key = self._point(point)
                found += [f"by_value_{key}", f"classes_{key}", f"choices_{key}"]
        return found

    def _define(self, name: str, arguments: Sequence[str], *says: str) -> None:
        self._text.line()
        self._text.line()
        self._text.call(f"def {name}(", arguments, "):")
        self._text.enter()
        head, *more = says
        self._text.line(f'"""{head}' + ('"""' if not more else ""))
        if more:
            self._text.line()
            for line in more:
                self._text.line(line)
            self._text.line('"""')

    def _end(self) -> None:
        self._text.leave()

    def _write_starts(self) -> None:
        """Where the dealer's cards and the board begin in a round."""
        game = self.game
        own = self.declared.spot_cards
        dealer = game.zone_of("dealer")
        if dealer is not None:
            self._text.line(f"d = {own} * spots")
        if game.board_cards:
            self._text.line(f"b = {own} * spots + {dealer.places if dealer else 0}")

    def _read_options(self) -> None:
        for place, name in enumerate(self.declared.options):
            self._text.line(f"{self._names[name]} = options[{place}]")

    def _read_amounts(self) -> None:
        for place, wager in enumerate(self.game.wagers):
            if wager.key in self.declared.placed:
                self._text.line(f"{self._names[wager.key]} = amounts[{place}]")

    def _is_asked(self, point: Decide) -> str:
        """The condition under which a spot comes to a point; empty where it always does."""
        terms = []
        earlier = self.game.points[: self.game.points.index(point)]
        if any(choice.folds for other in earlier for choice in other.choices):
            terms.append("folded == 0")
        if point.needs and not self.declared.is_sure(point.needs):
            terms.append(f"{self._names[point.needs]} > 0")
        terms += [f"{self._names[wager]} == 0" for wager in point.unless]
        terms += [self._call(point.when)] if point.when is not None else []
        return " and ".join(terms)

    def _write_did(self, points: Sequence[Decide], known: set[str] | None = None) -> None:
        """What a spot did at these points: the wagers that follow, and whether it folded."""
        text = self._text
        there = set(self.declared.options) if known is None else known
        self._use([name for point in points if point.when is not None for name in arguments_of(point.when)], there)
        choices = [choice for point in points for choice in point.choices]
        wagers = dict.fromkeys(stake.wager for choice in choices for stake in choice.stakes)
        for wager in wagers:
            text.line(f"{self._names[wager]} = 0")
        for wager in dict.fromkeys(choice.takes_back for choice in choices if choice.takes_back):
            text.line(f"taken_{self._names[wager]} = 0")
        for wager in dict.fromkeys(choice.surrenders for choice in choices if choice.surrenders):
            text.line(f"half_{self._names[wager]} = 0")
        text.line("folded = 0")
        for point in points:
            asked = self._is_asked(point)
            with text.block(f"if {asked}:" if asked else ""):
                self._write_choices(point)

    def _write_choices(self, point: Decide) -> None:
        text, key = self._text, self._point(point)
        head = "if"
        for place, choice in enumerate(point.choices):
            lines = list(self._effects(choice))
            if not lines:
                continue
            with text.block(f"{head} chose_{key}[spot, at] == {place}:  # {choice.key}"):
                for line in lines:
                    text.line(line)
            head = "elif"
        optional = {stake.wager: stake for choice in point.choices for stake in choice.stakes if stake.optional}
        for stake in optional.values():
            with text.block(f"if extra_{key}[spot, at] == 1:"):
                text.line(f"{self._names[stake.wager]} = {_times(stake.times, self._names[stake.of])}")
        if head == "if" and not optional:
            text.line("pass")

    def _effects(self, choice: Choice) -> Iterator[str]:
        for stake in choice.stakes:
            if not stake.optional:
                yield f"{self._names[stake.wager]} = {_times(stake.times, self._names[stake.of])}"
        if choice.folds:
            yield "folded = 1"
        if choice.takes_back:
            yield f"taken_{self._names[choice.takes_back]} = 1"
        if choice.surrenders:
            yield f"half_{self._names[choice.surrenders]} = 1"


def _times(number: int, name: str) -> str:
    return name if number == 1 else f"{number} * {name}"
