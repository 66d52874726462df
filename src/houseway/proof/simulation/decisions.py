"""Writing the two passes before a settlement: what the cards are worth, and what every spot does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from houseway.games.model import Decide, Split
from houseway.proof.simulation.declared import BASE, has_optional, sets_hands
from houseway.proof.simulation.writer import LoopWriter
from houseway.ranking.ranking import Ranking
from houseway.rule import arguments_of

SETTING_TABLES: Final = ("settings", "choose", "setting_lines", "extra_lines")
"""How hands are set: a table of every hand with what its number is made of, or the lines of a rule of thumb."""
LOOK: Final = 255
"""A choice that a look-up by value does not know."""
COLUMNS: Final = 53
"""Of choices by up card."""
EXTRA: Final = 16
"""In a table of settings: added to the place of the low card where the optional wager is made."""


class DecisionWriter(LoopWriter):
    """Writes ``appraise`` and ``decide``."""

    def _write_setting(self, split: Split) -> None:
        size = self.declared.size_of(split.zone)
        high, low = (self.declared.hand(key) for key in split.given)
        self._define(
            f"set_{split.zone}",
            ["cards", "at", "first", "held", "highs", *self.lookups],
            f"The {split.zone} in rising order, and the value of the high hand by place of the low card.",
            "Gives back the place that the house way sets low.",
        )
        text = self._text
        with text.block(f"for place in range({size}):"):
            text.line("card = cards[first + place, at]")
            text.line("down = place")
            with text.block("while down > 0 and held[down - 1] > card:"):
                text.line("held[down] = held[down - 1]")
                text.line("down -= 1")
            text.line("held[down] = card")
        text.line("most = -1")
        text.line("house = 0")
        with text.block(f"for place in range({size}):"):
            text.line("low_card = held[place]")
            text.line("held[place] = held[0]")
            text.line(f"highs[place] = {self._ranked(high.ranking, [f'held[{at}]' for at in range(1, size)])}")
            text.line("held[place] = low_card")
            merit = self._function(split.merit)
            text.line(f"merit = {merit}(highs[place], {self._ranked(low.ranking, ['low_card'])})")
            with text.block("if merit > most:"):
                text.line("most = merit")
                text.line("house = place")
        text.line("return house")
        self._end()

    def _write_set_values(self, split: Split, known: set[str]) -> None:
        """The stored values of a hand that is set at ``place``."""
        text = self._text
        text.line("# The low card comes to the head, the high hand lies behind it.")
        text.line("swap = held[place]")
        text.line("held[place] = held[0]")
        text.line("held[0] = swap")
        for key in self._stored:
            hand = self.declared.hand(key)
            zones = {zone for zone, _ in hand.places}
            if not zones & {split.high, split.low}:
                continue
            known.add(key)
            name = self._names[key]
            if key == split.given[0]:
                text.line(f"{name} = highs[place]")
            else:
                text.line(f"{name} = {self._ranked(hand.ranking, self._cards_of(hand))}")

    def _write_appraise(self) -> None:
        given = ["given", *self._choice_arrays(), *SETTING_TABLES] if self.game.splits else []
        self._define(
            "appraise",
            ["cards", "rounds", "spots", *self.lookups, *given, *self._stored_arrays()],
            "What the cards of a block of rounds are worth.",
        )
        text = self._text
        self._write_starts()
        if self.game.splits:
            most = max(self.declared.size_of(split.zone) for split in self.game.splits)
            text.line(f"held = np.zeros({most}, dtype=np.int64)")
            text.line(f"highs = np.zeros({most}, dtype=np.int64)")
        with text.block("for at in range(rounds):"):
            shared = [key for key in self._stored if self.declared.is_shared(key)]
            self._write_values(shared, "d", "dealer")
            own = [key for key in self._stored if not self.declared.is_shared(key)]
            if own:
                with text.block("for spot in range(spots):"):
                    text.line(f"c = {self.declared.spot_cards} * spot")
                    self._write_values(own, "c", "spot")
            if not self._stored:
                text.line("pass")
        self._end()

    def _write_values(self, keys: Sequence[str], first: str, owner: str) -> None:
        text = self._text
        known: set[str] = set()
        zone = self.game.zone_of(owner)  # type: ignore[arg-type]  # spot or dealer
        split = self.game.split_of(zone.key) if zone else None
        if split is not None:
            lookups = "".join(f", {name}" for name in self.lookups)
            text.line(f"place = set_{split.zone}(cards, at, {first}, held, highs{lookups})")
            for key in keys:
                hand = self.declared.hand(key)
                if hand.places == ((split.zone, None),) and hand.ranking.best_of is self._high_ranking(split):
                    name = self._names[key]
                    known.add(key)
                    text.line(f"{name} = highs[0]")
                    with text.block(f"for other in range(1, {self.declared.size_of(split.zone)}):"):
                        text.line(f"{name} = max({name}, highs[other])")
            if owner == "spot":
                self._write_choice_of_setting(split)
            self._write_set_values(split, known)
        for key in keys:
            hand = self.declared.hand(key)
            name = self._names[key]
            place = "at" if self.declared.is_shared(key) else "spot, at"
            worth = name if key in known else self._ranked(hand.ranking, self._cards_of(hand))
            text.line(f"{name}_of[{place}] = {worth}")

    def _high_ranking(self, split: Split) -> Ranking:
        return self.declared.hand(split.given[0]).ranking

    def _write_choice_of_setting(self, split: Split) -> None:
        text = self._text
        point = next(point for point in self.game.points if sets_hands(point))
        key, size = self._point(point), self.declared.size_of(split.zone)
        chosen = {choice.sets: place for place, choice in enumerate(point.choices)}
        if "player" in chosen:
            asked = f"if chose_{key}[spot, at] == {chosen['player']}:"
            found = f"if held[other] == low_{key}[spot, at]:"
            with text.block("if given == 1:", asked, f"for other in range({size}):", found):
                text.line("place = other")
            with text.block("elif len(settings) > 0:"):
                text.line("way = settings[hand_number(held, choose)]")
                text.line(f"place = way & {EXTRA - 1}")
                text.line(f"chose_{key}[spot, at] = {chosen['player']}")
                if has_optional(point):
                    text.line(f"extra_{key}[spot, at] = way >> {EXTRA.bit_length() - 1}")
            with text.block("elif len(setting_lines) + len(extra_lines) > 0:"):
                self._write_setting_by_lines(point, split, chosen["player"])
        with text.block("elif given == 0:" if "player" in chosen else "if given == 0:"):
            text.line(f"chose_{key}[spot, at] = {chosen.get('house_way', 0)}")
            if has_optional(point):
                text.line(f"extra_{key}[spot, at] = 0")

    def _write_setting_by_lines(self, point: Decide, split: Split, player: int) -> None:
        """Of the settings that fit a line and do not foul the highest low card, then the better high hand; else house.

        A setting fits a line where its low card and its high hand are at least so good.
        """
        text, key = self._text, self._point(point)
        low = self._ranked(self.declared.hand(split.given[1]).ranking, ["held[other]"])
        text.line("most = -1")
        with text.block(f"for other in range({self.declared.size_of(split.zone)}):"):
            text.line(f"low_value = {low}")
            text.line("liking = low_value << 40 | highs[other]")
            merit = f"{self._function(split.merit)}(highs[other], low_value)"
            with text.block(f"if liking > most and fits(highs[other], low_value, setting_lines) and {merit} >= 0:"):
                text.line("most = liking")
                text.line("place = other")
        text.line(f"chose_{key}[spot, at] = {player}")
        if has_optional(point):
            text.line(f"extra_{key}[spot, at] = fits(highs[place], {low.replace('other', 'place')}, extra_lines)")

    def _write_decide(self) -> None:
        self._define(
            "decide",
            ["cards", "rounds", "spots", "amounts", "options", "rules", "limits", *self._point_tables(),
             *self.lookups, *self._stored_arrays(), *self._choice_arrays(), "unclear"],
            "What every spot of a block of rounds does; gives back how many hands the way to play does not know.",
            "At a point ``rules`` names a rule, the declared simple way first; where it names none, the value of the",
            "hand decides outside of ``limits``, and within them a look-up by value or by class of cards.",
        )  # fmt: skip
        text = self._text
        self._write_starts()
        self._read_options()
        self._read_amounts()
        if any(self.declared.by_board(point) for point in self.game.points):
            text.line(f"shown = np.zeros({max(self.game.board_cards, self.game.player_cards)}, dtype=np.int64)")
        text.line("missing = 0")
        for place, point in enumerate(self.game.points):
            if not sets_hands(point):
                self._write_point(place, point)
        text.line("return missing")
        self._end()

    def _write_point(self, place: int, point: Decide) -> None:
        text, key = self._text, self._point(point)
        text.line()
        text.line(f"# {point.key}: {', '.join(choice.key for choice in point.choices)}.")
        with text.block("for spot in range(spots):"):
            text.line(f"c = {self.declared.spot_cards} * spot")
            head = "if"
            for number, (words, rule) in enumerate(self.declared.rules_at(point)):
                with text.block(f"{head} rules[{place}] == {number}:  # {words}", "for at in range(rounds):"):
                    self._use(arguments_of(rule), set(self.declared.options))
                    text.line(f"chose_{key}[spot, at] = {self._call(rule)}")
                head = "elif"
            with text.block("else:"):
                self._write_look_up(place, point)

    def _write_look_up(self, place: int, point: Decide) -> None:
        text, key, game = self._text, self._point(point), self.game
        several = len(self.declared.nodes_at(point)) > 1
        by_board = self.declared.by_board(point)
        value = "" if several or by_board else self.declared.value_at(point)
        name = self._names[value] if value else ""
        asked = self._is_asked(point)
        text.line("count = 0")
        if value:
            text.line(f"below = limits[{place}, 0]")
            text.line(f"above = limits[{place}, 2]")
            with text.block("for at in range(rounds):"):
                self._use([value], set())
                text.line(f"chose_{key}[spot, at] = limits[{place}, 3] if {name} >= above else limits[{place}, 1]")
                text.line("unclear[count] = at")
                text.line(f"count += ({name} >= below) & ({name} < above)")
        else:
            with text.block("for at in range(rounds):"):
                text.line("unclear[at] = at")
            text.line("count = rounds")
        with text.block("for rest in range(count):"):
            text.line("at = unclear[rest]")
            if place:
                self._write_did(game.points[:place])
            if point.when is not None:
                self._use(arguments_of(point.when), set(self.declared.options))
            with text.block(f"if {asked}:" if asked else ""):
                text.line(f"choice = {LOOK}")
                if value:
                    self._use([value], set())
                    with text.block(f"if {name} < len(by_value_{key}):"):
                        text.line(f"choice = by_value_{key}[{name}]")
                    with text.block(f"if choice == {LOOK}:"):
                        self._write_class(place, point)
                elif by_board:
                    self._write_board(point)
                else:
                    self._write_class(place, point)
                text.line(f"chose_{key}[spot, at] = choice")
                with text.block(f"if choice == {LOOK}:"):
                    text.line("missing += 1")

    def _write_node(self, point: Decide) -> bool:
        """With which stakes a spot has come to a point, where that can be told apart."""
        nodes, text = self.declared.nodes_at(point), self._text
        if len(nodes) < 2:
            return False
        unit = self._names[self.declared.leader_of(BASE)]
        wagers = [wager for wager in self.declared.following if len({node.stakes.get(wager, 0) for node in nodes}) > 1]
        taken = sorted(
            wager for wager in self.declared.taken_back if len({wager in node.taken_back for node in nodes}) > 1
        )
        text.line("node = 0")
        for place, node in enumerate(nodes[1:], start=1):
            terms = [f"{self._names[wager]} == {node.stakes.get(wager, 0)} * {unit}" for wager in wagers]
            terms += [f"taken_{self._names[wager]} == {int(wager in node.taken_back)}" for wager in taken]
            with text.block(f"if {' and '.join(terms)}:"):
                text.line(f"node = {place}")
        return True

    def _write_class(self, place: int, point: Decide) -> None:
        """Look the seen cards up, whatever their suits are called."""
        text, key = self._text, self._point(point)
        seen = self.declared.seen_at(point)
        by_rank = self.declared.by_rank
        for name, cards in (("own", seen.own), ("board", seen.board)):
            text.line(f"{name} = np.int64(0)")
            for card in cards:
                bit = f"ranks_key({card})" if by_rank else f"np.int64(1) << np.int64({card})"
                text.line(f"{name} += {bit}")
        code = f"class_key(own, board, {int(by_rank)})"
        text.line(f"row = looked_up(classes_{key}, limits[{place}, 4], {code})")
        column = f"column_of(own, board, np.int64({seen.up}), {int(by_rank)})" if seen.up else "0"
        if self._write_node(point):
            column = f"{COLUMNS} * node + {column}" if seen.up else "node"
        text.line(f"choice = choices_{key}[row, {column}]")

    def _write_board(self, point: Decide) -> None:
        """Look the whole board up, and then the own cards, suits named as on the board of its class."""
        text, key, sight = self._text, self._point(point), self.declared.seen_at(point)
        planes = planes_of(point)
        for place, card in enumerate(sight.board):
            text.line(f"shown[{place}] = {card}")
        text.line(f"number = number_of_set(shown, {len(sight.board)})")
        with text.block(f"if number < len(classes_{key}):"):
            text.line(f"names = classes_{key}[number, 1]")
            for place, card in enumerate(sight.own):
                text.line(f"shown[{place}] = renamed_card({card}, names)")
            row = f"classes_{key}[number, 0]"
            nodes = len(self.declared.nodes_at(point))
            if self._write_node(point):
                row = f"({nodes} * {row} + node)"
            hole = f"number_of_set(shown, {len(sight.own)})"
            text.line(f"choice = choice_of_bits(choices_{key}, {planes} * {row}, {planes}, {hole})")


def planes_of(point: Decide) -> int:
    """How many bits a choice of a point has."""
    return max((len(point.choices) - 1).bit_length(), 1)
