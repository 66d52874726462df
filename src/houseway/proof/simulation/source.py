"""The source of a game's compiled loops, written from its declaration.

A round has three passes over a block of rounds: what the cards are worth (``appraise``), what every spot does
(``decide``), and what every wager gives back (``settle``). ``play`` deals random rounds and keeps the books;
``settle_given`` settles rounds whose cards and actions are given. Rankings and pay rules are the functions of the
declaration itself, called by what they ask for, as the interpreter in ``houseway.games.settle`` does at the table.

Options, amounts and odds come in as arrays, so one loop plays every table of its game.
"""

from __future__ import annotations

from houseway.proof.simulation.decisions import SETTING_TABLES
from houseway.proof.simulation.settlement import SettlementWriter
from houseway.proof.simulation.writer import Text
from houseway.rule import arguments_of


class LoopSource(SettlementWriter):
    """Writes the loops of one game."""

    def source(self) -> str:
        """The whole module."""
        game, text = self.game, self._text
        body = Text()
        self._text = body
        for split in game.splits:
            self._write_setting(split)
        self._write_appraise()
        self._write_decide()
        self._write_settle()
        self._write_openings()
        self._write_play()
        self._write_settle_given()
        self._text = text
        text.line(f'"""The compiled loops of {game.title}, written from its declaration by {__name__}.')
        text.line()
        text.line("The functions of the declaration are put under these names when the module is loaded:")
        text.line()
        for name, function in sorted(self.functions.items()):
            text.line(f"{name}: {function.__module__}.{function.__qualname__}")
        text.line('"""')
        text.line()
        text.line("import numpy as np")
        text.line()
        text.line(
            "from houseway.proof.simulation.search import choice_of_bits, class_key, column_of, fits, hand_number, "
            "looked_up, number_of_set, ranks_key, renamed_card"
        )
        text.line("from houseway.proof.simulation.stream import BLOCK, deal_block, deal_shoe")
        text.line("from houseway.proof.simulation.tally import account")
        text.lines += body.lines
        return "\n".join(text.lines) + "\n"

    def _write_buffers(self) -> None:
        """What one block of rounds is written to."""
        text, declared = self._text, self.declared
        text.line(f"cards = np.zeros(({declared.spot_cards} * spots + {declared.table_cards}, BLOCK), dtype=np.uint8)")
        for key, name in zip(self._stored, self._stored_arrays(), strict=True):
            shape = "BLOCK" if declared.is_shared(key) else "(spots, BLOCK)"
            text.line(f"{name} = np.zeros({shape}, dtype=np.int64)")
        for name in self._choice_arrays():
            text.line(f"{name} = np.zeros((spots, BLOCK), dtype=np.uint8)")
        for name in self._envy_rows():
            text.line(f"{name} = np.zeros((spots, BLOCK), dtype=np.int64)")
        text.line(f"nets = np.zeros(({len(declared.lines)}, spots, BLOCK), dtype=np.int64)")
        text.line("hands = np.zeros((spots, BLOCK), dtype=np.int64)")
        text.line("stayed = np.zeros((spots, BLOCK), dtype=np.int64)")

    def _write_play(self) -> None:
        text, declared = self._text, self.declared
        self._define(
            "play",
            [*("first", "rounds", "key", "other", "deck", "groups", "spots", "amounts", "options", "num", "den"),
             *self._flat_envies(), *("stakes", "money", "weights", "slots", "order", "terms", "cost", "envy", "event"),
             *("counts", "sums", "bankroll", "sessions", "rows", "awards", "events"),
             *("rules", "limits"), *self._point_tables(), *SETTING_TABLES, *self.lookups],
            "Play rounds from number ``first`` on.",
            "Gives back how many hands made a wager that follows, how many events there are, and how many hands the",
            "way to play does not know.",
        )  # fmt: skip
        self._write_buffers()
        text.line("dealt = len(cards)")
        if self.game.shoe is None:
            text.line("fractions = np.empty(BLOCK, dtype=np.int64)")
            text.line("places = np.empty((dealt, BLOCK), dtype=np.uint8)")
            text.line("moved = np.empty((dealt, BLOCK), dtype=np.uint8)")
        else:
            text.line("places = np.empty(dealt, dtype=np.int64)")
            text.line("moved = np.empty(dealt, dtype=np.int64)")
        text.line("bank = np.zeros(BLOCK, dtype=np.int64)")
        text.line("unclear = np.zeros(BLOCK + 1, dtype=np.int64)")
        text.line("won = np.zeros((0, spots, BLOCK), dtype=np.int64)")
        for wager in declared.envied:
            line = list(declared.lines).index(wager.key)
            with text.block(f"if len(flat_{self._names[wager.key]}) > 0:"):
                text.line(f"won = np.zeros(({line + 1}, spots, BLOCK), dtype=np.int64)")
        text.line("progressive = 1 if len(cost) > 0 else 0")
        text.line("played = 0")
        text.line("known = 0")
        text.line("missing = 0")
        with text.block("for start in range(0, rounds, BLOCK):"):
            text.line("here = min(BLOCK, rounds - start)")
            if self.game.shoe is None:
                text.line("deal_block(first + start, key, other, deck, groups, fractions, places, moved, cards)")
            else:
                text.line(f"deal_shoe(first + start, key, other, deck, {len(self.game.deck)}, places, moved, cards)")
            given = ["0", *self._choice_arrays(), *SETTING_TABLES] if self.game.splits else []
            text.call("appraise(", ["cards", "here", "spots", *self.lookups, *given, *self._stored_arrays()])
            text.call("missing += decide(", [
                "cards", "here", "spots", "amounts", "options", "rules", "limits", *self._point_tables(),
                *self.lookups, *self._stored_arrays(), *self._choice_arrays(), "unclear",
            ])  # fmt: skip
            self._call_settle("played += settle(", "here")
            text.call("known = account(", [
                *("start", "here", "nets", "won", "hands", "stayed", "bank", "stakes", "money", "weights", "slots"),
                *("order", "terms", "cost", "envy", "event", "counts", "sums", "bankroll", "sessions", "rows"),
                *("awards", "events", "known"),
            ])  # fmt: skip
        text.line("return played, known, missing")
        self._end()

    def _call_settle(self, head: str, rounds: str) -> None:
        self._text.call(head, [
            "cards", rounds, "spots", "amounts", "options", "num", "den", *self._flat_envies(), "progressive",
            *self.lookups, *self._stored_arrays(), *self._choice_arrays(), "nets", "won", "hands", "stayed",
            *self._envy_rows(),
        ])  # fmt: skip

    def _write_settle_given(self) -> None:
        text = self._text
        given = self._choice_arrays()
        self._define(
            "settle_given",
            ["table", *(f"all_{name}" for name in given), "amounts", "options", "num", "den", "prizes", "rewards",
             *self.lookups],
            "Settle rounds of one spot: in each row of ``table`` its cards, the dealer's and the board.",
            "``prizes`` are what the progressive pays by row, for a spot that folded and for one that did not.",
        )  # fmt: skip
        text.line("spots = 1")
        self._write_buffers()
        text.line("won = np.zeros((0, spots, BLOCK), dtype=np.int64)")
        for name in self._flat_envies():
            text.line(f"{name} = np.zeros(0, dtype=np.int64)")
        if self.game.splits:
            text.line("settings = np.zeros(0, dtype=np.uint8)")
            for name in SETTING_TABLES[1:]:
                text.line(f"{name} = np.zeros((0, 0), dtype=np.int64)")
        text.line("progressive = 1 if prizes.shape[1] > 0 else 0")
        with text.block("for start in range(0, len(table), BLOCK):"):
            text.line("here = min(BLOCK, len(table) - start)")
            with text.block("for at in range(here):"):
                with text.block("for place in range(len(cards)):"):
                    text.line("cards[place, at] = table[start + at, place]")
                for name in given:
                    text.line(f"{name}[0, at] = all_{name}[start + at]")
            chosen = ["1", *given, *SETTING_TABLES] if self.game.splits else []
            text.call("appraise(", ["cards", "here", "spots", *self.lookups, *chosen, *self._stored_arrays()])
            self._call_settle("settle(", "here")
            with text.block("for at in range(here):"):
                text.line("total = 0")
                with text.block("for line in range(len(nets)):"):
                    text.line("total += nets[line, 0, at]")
                with text.block("if progressive == 1:"):
                    text.line("total += prizes[stayed[0, at], hands[0, at]]")
                text.line("rewards[start + at] = total")
        self._end()

    def _write_openings(self) -> None:
        text, game = self._text, self.game
        self._define(
            "find_open",
            ["cards", "options", "is_open", *self.lookups],
            "Which choices are open with the cards in each column.",
            "Point after point, then by card of a hand that is set whether it may lie low without a foul.",
        )
        text.line("spots = 1")
        self._write_starts()
        self._read_options()
        # Nothing is stored here: every value is computed from the cards.
        stored, self._stored = self._stored, ()
        choices = [(point, choice) for point in game.points for choice in point.choices]
        with text.block("for at in range(len(is_open)):"):
            text.line("c = 0")
            for column, (point, choice) in enumerate(choices):
                rules = [rule for rule in (point.when, choice.when) if rule is not None]
                if rules:
                    self._use([name for rule in rules for name in arguments_of(rule)], set(self.declared.options))
                    text.line(f"is_open[at, {column}] = {' and '.join(map(self._call, rules))}")
            split = game.split_of(self.declared.spot_zone)
            if split is not None:
                high, low = (self.declared.hand(key).ranking for key in split.given)
                cards = self.declared.places_of(split.zone)
                for place, card in enumerate(cards):
                    others = [other for other in cards if other != card]
                    merit = f"{self._function(split.merit)}({self._ranked(high, others)}, {self._ranked(low, [card])})"
                    text.line(f"is_open[at, {len(choices) + place}] = {merit} >= 0")
        self._stored = stored
        self._end()
