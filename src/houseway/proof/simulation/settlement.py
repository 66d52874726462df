"""Writing the settlement of a block of rounds: the pay rules of the declaration, called as the table calls them."""

from __future__ import annotations

from itertools import groupby

from houseway.games.model import Rule, Wager
from houseway.proof.simulation.decisions import DecisionWriter
from houseway.rule import arguments_of


class SettlementWriter(DecisionWriter):
    """Writes ``settle``."""

    def _write_settle(self) -> None:
        declared, text = self.declared, self._text
        self._define(
            "settle",
            ["cards", "rounds", "spots", "amounts", "options", "num", "den", *self._flat_envies(), "progressive",
             *self.lookups, *self._stored_arrays(), *self._choice_arrays(), "nets", "won", "hands", "stayed",
             *self._envy_rows()],
            "What every wager of a block of rounds comes to; gives back how many hands made a wager that follows.",
            f"Lines of ``nets``: {', '.join(declared.lines)}.",
        )  # fmt: skip
        self._write_starts()
        self._read_options()
        self._read_amounts()
        for place, wager in enumerate(declared.with_tables):
            name = self._names[wager.key]
            text.line(f"num_{name}, den_{name} = num[{place}], den[{place}]")
        text.line("played = 0")
        with text.block("for at in range(rounds):"):
            known = {*declared.options}
            self._use([key for key in self._stored if declared.is_shared(key)], known)
            self._write_highest(known)
            with text.block("for spot in range(spots):"):
                text.line(f"c = {declared.spot_cards} * spot")
                self._write_spot(set(known))
            self._write_envy()
        text.line("return played")
        self._end()

    def _write_highest(self, known: set[str]) -> None:
        highest, text = self.game.highest, self._text
        if highest is None:
            return
        name = self._names[highest.key]
        known.add(highest.key)
        asking = [wager.key for wager in self.game.wagers if wager.pays and highest.key in arguments_of(wager.pays)]
        text.line(f"{name} = {self._names[highest.dealer]}")
        with text.block(f"if {' or '.join(f'{self._names[wager]} > 0' for wager in asking)}:"):
            raised = f"{name} = max({name}, {self._names[highest.of]}_of[spot, at])"
            with text.block(f"if {self._names[highest.counts_folded]} == 1:", "for spot in range(spots):"):
                text.line(raised)
            with text.block("else:", "for spot in range(spots):"):
                self._write_did(self.game.points)
                with text.block("if folded == 0:"):
                    text.line(raised)

    def _write_spot(self, known: set[str]) -> None:
        text, declared = self._text, self.declared
        self._write_did(self.game.points, known)
        follow = [f"({self._names[wager]} > 0)" for wager in declared.following]
        if follow:
            text.line(f"played += {' | '.join(follow)}")
        self._use([key for key in self._stored if not declared.is_shared(key)], known)
        self._write_common(known)
        for place, (line, wagers) in enumerate(declared.lines.items()):
            text.line()
            text.line(f"# {line}.")
            placed = [wager for wager in wagers if wager.kind != "award"]
            leader = declared.leader_of(line)
            sure = declared.is_sure(leader) or not declared.needs_leader(line)
            with text.block("" if sure else f"if {self._names[leader]} > 0:"):
                untouched = [wager for wager in placed if wager.key not in declared.taken_back]
                text.line(f"net = {' '.join(f'- {self._names[wager.key]}' for wager in untouched) or '0'}")
                for wager in placed:
                    if wager not in untouched:
                        with text.block(f"if taken_{self._names[wager.key]} == 0:"):
                            text.line(f"net -= {self._names[wager.key]}")
                for alive, group in groupby(wagers, key=self._is_alive):
                    with text.block(f"if {alive}:" if alive else ""):
                        for wager in group:
                            self._write_wager(wager, set(known), line)
                text.line(f"nets[{place}, spot, at] = net")
        if self.game.progressive is not None:
            text.line()
            with text.block("if progressive == 1:"):
                text.line("stayed[spot, at] = 1 - folded")
                self._use(arguments_of(self.game.progressive.row), set(known))
                text.line(f"hands[spot, at] = {self._call(self.game.progressive.row)}")
        for wager in declared.envied:
            with text.block(f"if len(flat_{self._names[wager.key]}) > 0:"):
                text.line("stayed[spot, at] = 1 - folded")
                row = self._envy_row(wager)
                self._use(arguments_of(row), set(known))
                text.line(f"rows_{self._names[wager.key]}[spot, at] = {self._call(row)}")

    def _write_common(self, known: set[str]) -> None:
        """Values that two or more side wagers ask for, where one of them is played."""
        text = self._text
        for key, wagers in self.declared.common.items():
            if key in known:
                continue
            if self.declared.deals_of(self.declared.hand(key)):
                self._use([key], known)
                continue
            name = self._names[key]
            text.line(f"{name} = 0")
            with text.block(f"if {' or '.join(f'{self._names[wager]} > 0' for wager in wagers)}:"):
                self._use([key], set(known))
            known.add(key)

    def _is_alive(self, wager: Wager) -> str:
        """The condition under which a wager still stands after what its spot did; empty where it always does."""
        if not self.declared.can_fold or wager.after_fold == "stays":
            return ""
        return "folded == 0" + ("" if wager.after_fold == "loses" else f" or {self._names[wager.after_fold]} == 1")

    def _write_wager(self, wager: Wager, known: set[str], line: str) -> None:
        text, name = self._text, self._names[wager.key]
        if wager.pays is None:
            return
        terms = []
        stake_key = wager.of if wager.kind == "award" else wager.key
        if not self.declared.is_made(stake_key, line):
            terms.append(f"{self._names[stake_key]} > 0")
        if wager.key in self.declared.taken_back:
            terms.append(f"taken_{name} == 0")
        with text.block(f"if {' and '.join(terms)}:" if terms else ""):
            stake = "0" if wager.kind == "award" else name
            halved = wager.key in self.declared.surrendered
            if halved:
                with text.block(f"if half_{name} == 1:"):
                    text.line(f"net += {name} // 2")
            with text.block("else:" if halved else ""):
                self._write_paid(wager, known, stake)

    def _write_paid(self, wager: Wager, known: set[str], stake: str) -> None:
        text, name = self._text, self._names[wager.key]
        if wager.pays is not None:
            self._use(arguments_of(wager.pays), known)
            text.line(f"net += {self._call(wager.pays, stake=stake, num=f'num_{name}', den=f'den_{name}')}")

    def _envy_row(self, wager: Wager) -> Rule:
        if wager.envy_row is None:
            raise ValueError(f"{wager.key} pays no envy")
        return wager.envy_row

    def _flat_envies(self) -> list[str]:
        return [f"flat_{self._names[wager.key]}" for wager in self.declared.envied]

    def _envy_rows(self) -> list[str]:
        return [f"rows_{self._names[wager.key]}" for wager in self.declared.envied]

    def _write_envy(self) -> None:
        """PGF-2: flat envy for the other spots' hands."""
        text = self._text
        for wager in self.declared.envied:
            name, line = self._names[wager.key], list(self.declared.lines).index(wager.key)
            alive = self._is_alive(wager).replace("folded == 0", "stayed[spot, at] == 1")
            with text.block(f"if len(flat_{name}) > 0:", "for spot in range(spots):"):
                text.line("envy = 0")
                with text.block(f"if {alive}:" if alive else "", "for other in range(spots):", "if other != spot:"):
                    text.line(f"envy += flat_{name}[rows_{name}[other, at]]")
                text.line(f"won[{line}, spot, at] = envy")
