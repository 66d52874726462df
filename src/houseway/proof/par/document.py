"""A par sheet for the eye: the data of the sheet in the words, columns and charts of the printed document."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.resources import files
from math import floor
from typing import Any, Final, Literal

from houseway.games import find_game
from houseway.money import dollars
from houseway.proof.figure import Claim, percent
from houseway.proof.par import charts, words
from houseway.proof.par.sheet import HASH
from houseway.proof.par.spread import LEVELS, ROUNDS

DIGITS: Final = 4
MINUS: Final = "\u2212"
NONE: Final = "\u2013"
NAMES: Final = {"house_edge": "house edge", "hit_frequency": "hit frequency"}


def render(data: Mapping[str, Any]) -> bytes:
    """The sheet as PDF; the same sheet gives the same bytes."""
    import typst

    pdf = typst.compile(_template(), sys_inputs=_inputs(data), ignore_system_fonts=True)
    if isinstance(pdf, list):
        raise TypeError("a PDF is one file, whatever its pages")
    return pdf


def pictures(data: Mapping[str, Any], format: Literal["png", "svg"] = "png", ppi: float = 100.0) -> list[bytes]:
    """The sheet as pictures, page by page."""
    import typst

    image = typst.compile(_template(), sys_inputs=_inputs(data), ignore_system_fonts=True, format=format, ppi=ppi)
    return image if isinstance(image, list) else [image]


def _template() -> bytes:
    return files("houseway.proof.par").joinpath("par.typ").read_bytes()


def _inputs(data: Mapping[str, Any]) -> dict[str, str]:
    return {"data": json.dumps(document(data), ensure_ascii=False)}


def document(data: Mapping[str, Any]) -> dict[str, Any]:
    """What the template shows."""
    game = data["game"]
    wagers = data["wagers"]
    return {
        "title": game["title"],
        "approved": all(wager["figures"].get("approved", True) for wager in wagers),
        "facts": _facts(data),
        "hash": data[HASH],
        "digest": data["digest"],
        "summary": [_summary(wager) for wager in wagers],
        "rules": game["rules"],
        "options": [
            {**option, "value": _plain(option["value"]), "clauses": " ".join(option["clauses"])}
            for option in game["options"]
        ],
        "wagers": [_wager(wager, data) for wager in wagers],
        "printed": [row for wager in wagers for row in _printed(wager)],
        "remarks": _remarks(wagers),
        "method": data["method"],
    }


def _facts(data: Mapping[str, Any]) -> list[list[str]]:
    game, request = data["game"], data["asked"]
    face_up = game["dealer_cards_face_up"]
    up = f", {face_up} of them face up before any decision" if face_up else ", all face down"
    facts = [
        ["Game", f"{game['title']} ({game['key']})"],
        ["Documents", game["documents"]],
        ["Cards", f"a deck of {game['deck']}; {game['player_cards']} to the player, {game['dealer_cards']} to the "
         f"dealer{up}"],
        ["Spots", f"up to {game['most_spots']}"],
        ["Rules and solvers", f"{data['program']['name']} {data['program']['version']}"],
    ]  # fmt: skip
    if request["tables"] or request["wagers"]:
        facts.append(["Selection", ", ".join([*request["wagers"], *request["tables"]])])
    if request["contribution"] is not None:
        facts.append(["Contribution given", charts.share_words(Fraction(request["contribution"]))])
    facts += [[f"Seed given, {meter}", dollars(cents)] for meter, cents in request["seeds_cents"].items()]
    if request["house_tables"]:
        facts.append(["House's own files", ", ".join(house_table["file"] for house_table in request["house_tables"])])
    return facts


# ------------------------------------------------------------------------------------------------------ how it is shown


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _signed(text: str) -> str:
    return text.replace("-", MINUS)


def share(quantity: Mapping[str, Any] | None, digits: int = DIGITS) -> str:
    """A share as a percentage, rounded from the exact fraction where there is one."""
    if quantity is None:
        return NONE
    exact = quantity["exact"]
    return _signed(percent(Fraction(exact) if exact is not None else Fraction(str(quantity["value"])), digits))


def chance(quantity: Mapping[str, Any]) -> str:
    """A probability with as many digits as leave three that say something."""
    value = float(quantity["value"])
    exact = Fraction(quantity["exact"]) if quantity["exact"] is not None else Fraction(str(quantity["value"]))
    if not exact:
        return "0%"
    digits = next((digits for digits in range(DIGITS, 12) if value * 100 * 10**digits >= 100), 12)
    return percent(exact, digits)


def _one_in(quantity: Mapping[str, Any]) -> str:
    exact = Fraction(quantity["exact"]) if quantity["exact"] is not None else Fraction(str(quantity["value"]))
    if not exact:
        return NONE
    often = 1 / exact
    return f"{float(often):,.2f}" if often < 1000 else f"{floor(often + Fraction(1, 2)):,}"


def _net(net: str | None) -> str:
    if net is None:
        return "by the meter"
    value = Fraction(net)
    return _signed(f"{'+' if value > 0 else ''}{value}")


def _number(value: float | None, digits: int = 4) -> str:
    return NONE if value is None else _signed(f"{value:,.{digits}f}")


def _summary(wager: Mapping[str, Any]) -> dict[str, Any]:
    figures, result = wager["figures"], wager["house_result"]
    return {
        "title": wager["title"],
        "edge": share(figures["house_edge"]),
        "hits": share(figures["hit_frequency"]),
        "deviation": NONE if result is None else _number(result["standard_deviation"]),
        "volatility": NONE if result is None else _number(result["volatility_index"]),
        "verdict": figures["verdict"],
        "below_zero": _below_zero(figures),
    }


def _below_zero(figures: Mapping[str, Any]) -> bool:
    return figures["house_edge"] is not None and float(figures["house_edge"]["value"]) < 0


# ---------------------------------------------------------------------------------------------------------- one wager


def _wager(wager: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    figures, result, progressive = wager["figures"], wager["house_result"], wager["progressive"]
    return {
        "title": wager["title"],
        "below_zero": _below_zero(figures),
        "pays": _pays(wager, data),
        "facts": _wager_facts(wager),
        "distribution": None if progressive else _distribution(wager),
        "awards": _awards(wager) if progressive else None,
        "confidence": None if result is None else _confidence(result),
        "funnel": None
        if result is None
        else charts.funnel(_middle(figures["house_edge"]), result["standard_deviation"]),
        "normal_from": f"{result['normal_from']:,}" if result and result["normal_from"] > ROUNDS[0] else "",
        "strategy": _strategy(wager),
        "meter": _meter(progressive) if progressive and progressive["player_edge"] else None,
        "assumptions": figures["assumptions"],
        "method": wager["method"],
    }


def _middle(quantity: Mapping[str, Any]) -> float:
    return float(quantity["value"])


def _pays(wager_data: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any] | None:
    """The pay table of a wager that pays odds; the awards of a progressive stand with their cases."""
    table = wager_data["pay_table"]
    if table is None or wager_data["progressive"]:
        return None
    rows = [
        [
            _capital(words.hand(row["hand"])),
            f"{row['num']:,} {table['pays']} {row['den']}" if row["num"] else "push",
        ]
        for row in table["rows"]
    ]
    rows += [[f"Envy on {words.hand(hand)}", dollars(cents)] for hand, cents in table["envy_cents"].items()]
    game = find_game(data["game"]["key"])
    wager = game.wager(table["wager"]) if game is not None else None
    called = wager.label if wager is not None else words.hand(table["wager"])
    dealt = f", {table['hands_dealt']} hands dealt" if table["hands_dealt"] else ""
    return {
        "title": f"{called} pays{dealt}",
        "by": _by(wager_data),
        "rows": rows,
        "below": f"Envy from a wager of {dollars(table['envy_minimum_cents'])} on." if table["envy_cents"] else "",
    }


def _by(wager: Mapping[str, Any]) -> str:
    """What the rows of the wager's pay table stand for."""
    table = wager["pay_table"]
    return _capital(table["by"] or "hand") if table is not None else "Hand"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _wager_facts(wager: Mapping[str, Any]) -> list[list[str]]:
    figures, result = wager["figures"], wager["house_result"]
    facts = [[f"House edge, of {wager['unit']}", share(figures["house_edge"])]]
    if figures["house_edge"] is not None:
        facts.append(_exactly(figures))
    if "element_of_risk" in figures:
        facts.append(["Element of risk", share(figures["element_of_risk"])])
    facts.append(["Hit frequency", f"{share(figures['hit_frequency'])}, one in {_one_in(figures['hit_frequency'])}"])
    if wager["strategy"] and wager["strategy"]["frequency"] and Fraction(wager["strategy"]["frequency"]["exact"]):
        facts.append(["Second wager made in", f"{share(wager['strategy']['frequency'], 2)} of hands"])
    if result is not None:
        facts += [
            *_deviations(figures["standard_deviation"], result["standard_deviation"]),
            ["Volatility index (90%)", _number(result["volatility_index"], 6)],
            ["Skewness of the house's win", _number(result["skewness"], 2)],
        ]
    if wager["progressive"]:
        facts += _progressive_facts(wager)
    if "simulation" in figures:
        simulation = figures["simulation"]
        edge, error = (percent(Fraction(str(simulation[name])), 2) for name in ("house_edge", "standard_error"))
        facts.append(["Simulated beside it", f"{_signed(edge)} ± {error}, {simulation['rounds']:,} rounds"])
    return facts


def _deviations(own: float | None, house: float) -> list[list[str]]:
    """One deviation where the house's result is the player's turned round, else both."""
    if own == house:
        return [["Standard deviation", _number(house, 6)]]
    return [
        ["Standard deviation, house's result", _number(house, 6)],
        ["Standard deviation, own awards", _number(own, 6)],
    ]


def _exactly(figures: Mapping[str, Any]) -> list[str]:
    exact = figures["house_edge"]["exact"]
    if exact is not None:
        return ["exactly", _signed(str(exact))]
    low, high = (_signed(percent(Fraction(str(figures[name])), 8)) for name in ("low", "high"))
    return ["between", f"{low} and {high}"]


def _progressive_facts(wager: Mapping[str, Any]) -> list[list[str]]:
    figures, progressive = wager["figures"], wager["progressive"]
    returns, contribution = figures["returns"], figures["contribution"]
    stated = "stated by the table" if progressive["wager_stated"] else "taken for the figures"
    facts = [["Wager", f"{dollars(progressive['wager_cents'])}, {stated}"]]
    facts += [
        [f"Seed{'' if meter == 'main' else f', {meter}'}", "not printed" if cents is None else dollars(cents)]
        for meter, cents in progressive["seeds_cents"].items()
    ]
    facts.append(["Returned from the tray", share(returns["tray"])])
    if contribution is None:
        facts.append(["Contribution", "not printed"])
    else:
        rate = charts.share_words(Fraction(str(contribution["value"])))
        facts.append(["Contribution", f"{rate}, {'inferred' if contribution['inferred'] else 'given'}"])
    facts.append(["Seed cost", share(returns["seed"])])
    if "contribution_and_seed" in figures:
        facts.append(["Contribution and seed cost", share(figures["contribution_and_seed"])])
    if Fraction(progressive["fixed_from_meter"]["exact"]):
        facts.append(["Fixed awards from the meter", share(progressive["fixed_from_meter"])])
    if Fraction(returns["envy_per_other"]["exact"]):
        facts.append(["Envy, each other spot", f"{share(returns['envy_per_other'])}, {progressive['others']} of them"])
    for top in progressive["top_awards"]:
        often = Fraction(top["wagers_between"])
        meter = "" if top["meter"] == "main" else f" ({top['meter']})"
        facts.append([f"Top award{meter} once in", f"{_rounded(often)} wagers"])
    if progressive["mean_top_award_cents"] is not None:
        cents = progressive["mean_top_award_cents"]["cents"]
        dry = "" if cents >= 0 else ", so the meter runs dry"
        facts.append(["Mean top award", f"{_signed(dollars(cents))}{dry}"])
    if progressive["break_even_cents"] is not None:
        facts.append(["Break-even meter", dollars(floor(Fraction(progressive["break_even_cents"])))])
    return facts


def _rounded(number: Fraction) -> str:
    return f"{floor(number + Fraction(1, 2)):,}"


def _distribution(wager: Mapping[str, Any]) -> dict[str, Any]:
    outcomes, total = wager["distribution"]["outcomes"], wager["distribution"]["total"]
    least = min(float(row["chance"]["value"]) for row in outcomes)
    exact = total is not None
    named = any(row["hands"] for row in outcomes)
    return {
        "headings": [
            *([_by(wager)] if named else ["Result"]),
            *("Net", "Cases" if exact else "At least", "Probability" if exact else "At most", "One in"),
            *(["Share of the result"] if exact else []),
        ],
        "rows": [
            {"cells": _outcome_cells(row, exact), "bar": charts.bar(float(row["chance"]["value"]), least)}
            for row in outcomes
        ],
        "total": ["All", "", f"{total:,}", "100%", "", _total_share(wager)] if exact else None,
        "note": _distribution_note(wager, exact),
    }


def _outcome_cells(row: Mapping[str, Any], exact: bool) -> list[str]:
    hands = [words.hand(hand) for hand in row["hands"]]
    name = _capital(", ".join(hands) or str(row["what"]))
    if exact:
        return [name, _net(row["net"]), f"{row['ways']:,}", chance(row["chance"]), _one_in(row["chance"]),
                share(row["share"], 6)]  # fmt: skip
    low, high = (percent(Fraction(bound), 8) for bound in row["bounds"])
    return [name, _net(row["net"]), low, high, _one_in(row["chance"])]


def _shares(wager: Mapping[str, Any]) -> Fraction:
    shares = (Fraction(row["share"]["exact"]) for row in wager["distribution"]["outcomes"] if row["share"])
    return sum(shares, Fraction(0))


def _total_share(wager: Mapping[str, Any]) -> str:
    return _signed(percent(_shares(wager), 6))


def _distribution_note(wager: Mapping[str, Any], exact: bool) -> str:
    if not exact:
        return "Every chance lies between the two bounds; bars show their middle."
    envy = -_shares(wager) - Fraction(wager["figures"]["house_edge"]["exact"])
    if not envy:
        return ""
    return f"These are the results of the own hand. Envy gives back {percent(envy, DIGITS)} of the wager beside them."


def _awards(wager: Mapping[str, Any]) -> dict[str, Any]:
    progressive = wager["progressive"]
    outcomes = wager["distribution"]["outcomes"]
    least = min(float(row["chance"]["value"]) for row in outcomes)
    several = len(progressive["seeds_cents"]) > 1
    rows = [
        {
            "cells": [
                _capital(words.hand(row["hand"])),
                _award(row, progressive, several),
                "tray" if row["meter"] is None else "meter",
                f"{row['ways']:,}",
                chance(row["chance"]),
                _one_in(row["chance"]),
                NONE if row["returns"] is None else share(row["returns"]),
                _envy(row, progressive),
            ],
            "bar": charts.bar(float(row["chance"]["value"]), least),
        }
        for row in progressive["rows"]
    ]
    lost = outcomes[-1]
    rows.append(
        {
            "cells": ["No award", "", "", f"{lost['ways']:,}", chance(lost["chance"]), _one_in(lost["chance"]), "", ""],
            "bar": charts.bar(float(lost["chance"]["value"]), least),
        }
    )
    total = wager["distribution"]["total"]
    return {
        "headings": [_by(wager), "Award", "From", "Cases", "Probability", "One in", "Returns", "Envy"],
        "rows": rows,
        "total": ["All", "", "", f"{total:,}", "100%", "", "", ""],
    }


def _award(row: Mapping[str, Any], progressive: Mapping[str, Any], several: bool) -> str:
    if row["percent"] is not None:
        return f"{row['percent']}% of {row['meter']}" if several else f"{row['percent']}%"
    fixed = Fraction(row["fixed"])
    if progressive["wager_stated"]:
        return dollars(floor(fixed * progressive["wager_cents"]))
    return f"{fixed.numerator:,} for {fixed.denominator}"


def _envy(row: Mapping[str, Any], progressive: Mapping[str, Any]) -> str:
    envy = Fraction(row["envy"])
    return dollars(floor(envy * progressive["wager_cents"])) if envy else ""


def _confidence(result: Mapping[str, Any]) -> dict[str, Any]:
    def bound(value: float) -> str:
        return _signed(percent(Fraction(str(value)), 2))

    return {
        "rows": [
            {
                "rounds": f"{row['rounds']:,}",
                "normal": row["normal"],
                "cells": [bound(side) for level in LEVELS for side in row[level]],
                "behind": percent(Fraction(str(row["house_behind"])), 2),
            }
            for row in result["confidence"]
        ],
        "levels": list(LEVELS),
    }


def _strategy(wager: Mapping[str, Any]) -> dict[str, Any] | None:
    strategy = wager["strategy"]
    if strategy is None:
        return None
    return {
        "words": strategy["words"],
        "rows": [
            [_capital(rule["rule"]), share(rule["house_edge"]), share(rule["cost"])]
            for rule in strategy["rules_of_thumb"]
        ],
    }


def _meter(progressive: Mapping[str, Any]) -> dict[str, Any]:
    even = Fraction(progressive["break_even_cents"])
    return {
        "rows": [
            [dollars(row["meter_cents"]) + (" (seed)" if row["seed"] else ""), share(row["edge"], 2)]
            for row in progressive["player_edge"]
        ],
        "chart": charts.player_edge(progressive["player_edge"], even),
    }


# --------------------------------------------------------------------------------------------- printed against counted


def _printed(wager: Mapping[str, Any]) -> list[list[str]]:
    figures = wager["figures"]
    return [
        [wager["title"], NAMES[name], text, share(figures[name]), _whether(name, text, figures)]
        for name, text in figures["printed"].items()
        if text is not None and figures[name] is not None
    ]


def _whether(name: str, text: str, figures: Mapping[str, Any]) -> str:
    """Whether print is reproduced; where a contribution was inferred from the printed edge, that is said."""
    exact = figures[name]["exact"]
    counted = Fraction(exact) if exact is not None else Fraction(str(figures[name]["value"]))
    if not Claim.of(text).reproduced_by(counted):
        return "no"
    contribution = figures.get("contribution")
    if name == "house_edge" and contribution is not None and contribution["inferred"]:
        return f"with {charts.share_words(Fraction(str(contribution['value'])))} inferred"
    return "yes"


def _remarks(wagers: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    remarks: dict[str, list[str]] = {}
    for wager in wagers:
        for remark in wager["figures"]["remarks"]:
            remarks.setdefault(remark, []).append(wager["title"])
    return [{"titles": "; ".join(titles), "text": text} for text, titles in remarks.items()]
