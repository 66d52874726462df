"""The settlement of a spot as a function, written from the declaration: one for every course a spot can take.

What a spot did decides which wagers it has, which of them pay, and which values are worked out. So that is decided once
for a course, and the function reads as a person would write it for the game. Three Card Poker, a hand that was played:

    player = _value_player(*_zone_hand)
    ante = _spot.wagers['ante']
    play = 1 * ante
    _wagers['ante'] = _settled(ante, _pays_ante(player, dealer, ante, equal_hands))
    …
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final, Protocol, TypeAlias

from houseway.games.flow import SpotCourse
from houseway.games.model import Derived, Game, Hand, Rule, Value, Wager
from houseway.games.round import Round, Spot, SpotSettlement, WagerResult
from houseway.games.rules import FOUL, LOSE, PUSH, WIN
from houseway.paytables import PayTable
from houseway.rule import arguments_of

OUTCOMES: Final = {WIN: "win", PUSH: "push", LOSE: "lose", FOUL: "foul"}
Env: TypeAlias = dict[str, Any]
"""The values of the whole round, and the house options as rules take them."""
Envied: TypeAlias = Mapping[str, list[str]]
Zones: TypeAlias = Mapping[str, tuple[int, ...]]


class SettleSpot(Protocol):
    """Settles one spot, and adds to ``envied`` in which row its hand stands for the others, by wager.

    ``highest_of`` is its value where the game asks for the highest hand of the round.
    """

    def __call__(
        self, spot: Spot, round: Round, env: Env, zones: Zones, envied: Envied, highest_of: int | None = None, /
    ) -> SpotSettlement: ...


def settled(wagered: int, returned: int, table: PayTable | None = None) -> WagerResult:
    """The result of a wager: a win gives back more than was wagered, a push as much, a loss nothing.

    On a table that pays "for" one anything at all is a win.
    """
    if not returned:
        return WagerResult("lose", wagered, 0)
    if returned > wagered or (table is not None and not table.returns_wager):
        return WagerResult("win", wagered, returned)
    return WagerResult("push", wagered, returned)


def write_plan(game: Game, course: SpotCourse, shared: Collection[str], set_hand: Callable[..., Any]) -> SettleSpot:
    """The function that settles a spot that took this course; ``shared`` values it finds worked out."""
    writer = _Writer(game, course, shared, set_hand)
    text = "\n    ".join(["def settle_spot(_spot, _round, _env, _zones, _envied, _highest_of=None):", *writer.lines()])
    exec(compile(text, f"<{game.key}>", "exec"), writer.names)
    written: SettleSpot = writer.names["settle_spot"]
    return written


class _Writer:
    """Writes one function, and keeps what it calls."""

    def __init__(self, game: Game, course: SpotCourse, shared: Collection[str], set_hand: Callable[..., Any]) -> None:
        self._game = game
        self._course = course
        self._shared = shared
        spot = game.zone_of("spot")
        self._own_zone = spot.key if spot else ""
        self._split = game.split_of(self._own_zone)
        self.names: dict[str, Any] = {
            "_settled": settled,
            "_SpotSettlement": SpotSettlement,
            "_WagerResult": WagerResult,
            "_set_hand": set_hand,
            "_outcomes": OUTCOMES,
        }

    def lines(self) -> Iterator[str]:
        """The body of the function."""
        apart = ("", "loses", "taken_back", "surrender")
        paying = [wager for wager in self._game.wagers if self._fate(wager) not in apart]
        asked = [name for wager in paying if wager.pays for name in arguments_of(wager.pays)]
        if self._game.hand:
            asked.append(self._game.hand)
        if self._game.progressive is not None:
            asked += arguments_of(self._game.progressive.row)
        envied = [wager for wager in self._game.wagers if wager.envy_row is not None]
        asked += [name for wager in envied if wager.envy_row for name in arguments_of(wager.envy_row)]
        if self._game.outcome and self._game.wager(self._game.outcome) is None:
            asked.append(self._game.outcome)
        yield from self._cards()
        yield from self._values(asked)
        yield from self._amounts(asked)
        yield "_wagers = {}"
        for wager in self._game.wagers:
            yield from self._wager(wager)
        for wager in envied:
            if wager.envy_row is not None:
                self.names[f"_hands_{wager.key}"] = wager.hands
                row = self._call("_envy_", wager.key, wager.envy_row)
                yield f"_envied[{wager.key!r}].append(_hands_{wager.key}[{row}])"
        yield from self._settlement()

    def _fate(self, wager: Wager) -> str:
        """``pays``, ``loses``, ``taken_back``, ``surrender``, the option that says so after a fold, or nothing: it was not made."""
        if wager.pays is None or (wager.of or wager.key) not in self._course.wagers:
            return ""
        if wager.key in self._course.taken_back:
            return "taken_back"
        if wager.key in self._course.surrendered:
            return "surrender"
        return "pays" if not self._course.folded or wager.after_fold == "stays" else wager.after_fold

    def _cards(self) -> Iterator[str]:
        yield f"_zone_{self._own_zone} = _spot.cards"
        if self._split is None:
            yield "_setting = None"
            return
        at = self._course.set_at
        low = "None" if at is None else f"_spot.actions[{at}].card"
        yield f"_setting, _zone_{self._split.high}, _zone_{self._split.low} = _set_hand(_spot.cards, {low})"

    def _values(self, asked: Collection[str]) -> Iterator[str]:
        needed = with_what_they_need(self._game, asked)
        given = [value.key for value in self._game.values if value.key in self._shared]
        given += [option.name for option in self._game.options]
        given += [self._game.highest.key] if self._game.highest else []
        for name in given:
            if name in needed:
                yield f"{name} = _env[{name!r}]"
        for value in self._game.values:
            if value.key in needed and value.key not in self._shared:
                is_ranked = self._game.highest is not None and self._game.highest.of == value.key
                yield f"{value.key} = {'_highest_of' if is_ranked else self._worked_out(value)}"

    def _worked_out(self, value: Value) -> str:
        if isinstance(value, Derived):
            return self._call("_derived_", value.key, value.rule)
        self.names[f"_value_{value.key}"] = value.ranking.value
        return f"_value_{value.key}({', '.join(self._given_to(value))})"

    def _given_to(self, hand: Hand) -> Iterator[str]:
        own = {self._own_zone, *((self._split.high, self._split.low) if self._split else ())}
        for zone, places in hand.places:
            cards = f"_zone_{zone}" if zone in own else f"_zones[{zone!r}]"
            if places is None:
                yield f"*{cards}"
            else:
                yield from (f"{cards}[{place}]" for place in places)

    def _call(self, prefix: str, key: str, rule: Rule, **instead: str) -> str:
        self.names[prefix + key] = rule
        return f"{prefix}{key}({', '.join(instead.get(name, name) for name in arguments_of(rule))})"

    def _amounts(self, asked: Collection[str]) -> Iterator[str]:
        made = {stake.wager: (stake, at) for stake, at in self._course.stakes}
        for wager in self._game.wagers:
            key = wager.key
            if key not in self._course.wagers:
                if key in asked:  # a rule asks for a wager that this spot has not made
                    yield f"{key} = 0"
            elif key not in made:
                yield f"{key} = _spot.wagers[{key!r}]"
        for key, (stake, at) in made.items():
            yield f"{key} = _spot.actions[{at}].cents" if stake.optional else f"{key} = {stake.times} * {stake.of}"

    def _wager(self, wager: Wager) -> Iterator[str]:
        """The lines that settle one wager."""
        key, fate = wager.key, self._fate(wager)
        amount = "0" if wager.kind == "award" else key
        entry = f"_wagers[{key!r}]"
        if fate == "taken_back":
            yield f"{entry} = _WagerResult('taken_back', {amount}, {amount})"
            return
        if fate == "surrender":
            yield f"{entry} = _WagerResult('surrender', {amount}, {amount} // 2)"
            return
        if not fate or wager.pays is None or (fate == "loses" and wager.kind == "award"):
            return
        loses = f"{entry} = _settled({amount}, 0)"
        if fate == "loses":
            yield loses
            return
        indent = ""
        if fate != "pays":
            yield f"if _round.options[{fate!r}]:"
            indent = "    "
        table = "None"
        if wager.hands:
            self.names[f"_hands_{key}"] = wager.hands
            column = ", len(_round.spots) + 1" if wager.by_hands_dealt else ""
            yield f"{indent}_table = _round.tables[{wager.table_key!r}]"
            yield f"{indent}_num, _den = _table.schedule(_hands_{key}{column})"
            table = "_table"
        paid = self._call("_pays_", key, wager.pays, stake=amount, num="_num", den="_den")
        if wager.kind == "award":
            yield f"{indent}_paid = {paid}"
            yield f"{indent}if _paid: {entry} = _settled(0, _paid)"
            return
        yield f"{indent}{entry} = _settled({amount}, {paid}, {table})"
        if indent:
            yield f"else: {loses}"

    def _settlement(self) -> Iterator[str]:
        game = self._game
        called = "'', None"
        if game.hand:
            hand = game.value_of(game.hand)
            if not isinstance(hand, Hand):
                raise TypeError(f"{game.key}: {game.hand} is no value of cards")
            self.names |= {"_name": hand.ranking.name, "_category": hand.ranking.category}
            called = f"_name({game.hand}), _category({game.hand})"
        row = "''"
        if game.progressive is not None:
            self.names["_rows"] = game.progressive.hands
            row = f"_rows[{self._call('_row', '', game.progressive.row)}]"
        yield (
            f"return _SpotSettlement(_spot.number, {called}, {self._outcome()}, "
            f"_wagers, {row}, {self._course.folded}, _setting)"
        )

    def _outcome(self) -> str:
        key, course = self._game.outcome, self._course
        if course.folded:
            return "'fold'"
        if course.surrendered:
            return "'surrender'"
        if not key:
            return "None"
        if self._game.wager(key) is None:
            return f"_outcomes[{key}]"
        return "None" if key not in course.wagers or key in course.taken_back else f"_wagers[{key!r}].result"


def with_what_they_need(game: Game, wanted: Collection[str]) -> set[str]:
    """These names, and those that the values among them follow from."""
    needed: set[str] = set()
    waiting = list(wanted)
    while waiting:
        key = waiting.pop()
        if key not in needed:
            needed.add(key)
            value = game.value_of(key)
            if isinstance(value, Derived):
                waiting += arguments_of(value.rule)
    return needed
