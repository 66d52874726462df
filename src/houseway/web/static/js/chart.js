// Small charts as SVG, drawn from figures that stand beside them in a table. Nothing is added up here.

import { h } from "./dom.js";

const WIDE = 640;
const HIGH = 280;
const LEFT = 84;
const RIGHT = 12;
const TOP = 14;
const BOTTOM = 34;
const ACROSS = WIDE - LEFT - RIGHT;
const DOWN = HIGH - TOP - BOTTOM;
const MOST_LABELS = 8;
const MOST_MARKED = 60;

/** Round values to rule a chart by, from at or below the least to at or above the most. */
export function scale(least, most, lines = 4) {
  const span = most - least || Math.abs(most) || 1;
  const rough = span / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((one) => one * power >= rough) * power;
  const ticks = [];
  for (let number = Math.floor(least / step); ; number += 1) {
    ticks.push(number * step);
    if (number * step >= most && ticks.length > 1) return ticks;
  }
}

/**
 * Columns, one for each point. `made` has name, what the chart says in one sentence; columns, the headings of the
 * figures; points, each {label, value, text, short}; and tick, which writes a value of the axis.
 */
export function bars(made) {
  const values = made.points.map((point) => point.value);
  const ticks = scale(Math.min(0, ...values), Math.max(0, ...values));
  const y = height(ticks);
  const wide = ACROSS / made.points.length;
  const shapes = made.points.map((point, number) => h("rect", {
    class: "bar", x: round(LEFT + number * wide + wide * 0.15), width: round(wide * 0.7), y: round(Math.min(y(0), y(point.value))), height: round(Math.abs(y(0) - y(point.value))),
  }, h("title", {}, `${point.label}: ${point.text}`)));
  const x = (number) => LEFT + (number + 0.5) * wide;
  return figure(made, ticks, y, [shapes, names(made.points, x)]);
}

/** A line through the points, at their places `at` where they have one; a step at each where `steps` is set. */
export function line(made) {
  const values = made.points.map((point) => point.value);
  const ticks = scale(Math.min(...values), Math.max(...values));
  const y = height(ticks);
  const places = made.points.map((point, number) => point.at ?? number);
  const span = places[places.length - 1] - places[0] || 1;
  const x = (number) => (places.length > 1 ? LEFT + ((places[number] - places[0]) / span) * ACROSS : LEFT + ACROSS / 2);
  let path = "";
  made.points.forEach((point, number) => {
    const [across, down] = [round(x(number)), round(y(point.value))];
    if (!number) path = `M${across} ${down}`;
    else path += made.steps ? `H${across}V${down}` : `L${across} ${down}`;
  });
  const floor = HIGH - BOTTOM;
  const under = `${path}V${floor}H${round(x(0))}Z`;
  const marks = made.points.length > MOST_MARKED ? [] : made.points.map((point, number) => h("circle", { class: "point", cx: round(x(number)), cy: round(y(point.value)), r: 5 }, h("title", {}, `${point.label}: ${point.text}`)));
  return figure(made, ticks, y, [h("path", { class: "under", d: under }), h("path", { class: "curve", d: path }), marks, names(made.points, x)]);
}

function height(ticks) {
  const [least, most] = [ticks[0], ticks[ticks.length - 1]];
  return (value) => TOP + DOWN * (1 - (value - least) / (most - least));
}

function round(value) {
  return Math.round(value * 10) / 10;
}

/** The labels under the axis, as many as there is room for. */
function names(points, x) {
  let free = -Infinity;
  return points.map((point, number) => {
    if (x(number) < free) return null;
    free = x(number) + ACROSS / MOST_LABELS;
    const side = x(number) > WIDE - 40 ? "end" : x(number) < LEFT + 10 ? "start" : "middle";
    return h("text", { x: round(x(number)), y: HIGH - 12, "text-anchor": side }, point.short ?? point.label);
  });
}

function figure(made, ticks, y, shapes) {
  return h("figure", { class: "chart", key: made.key },
    h("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": made.name },
      ticks.map((tick) => [h("line", { class: "grid-line", x1: LEFT, x2: WIDE - RIGHT, y1: round(y(tick)), y2: round(y(tick)) }),
        h("text", { x: LEFT - 8, y: round(y(tick) + 4), "text-anchor": "end" }, made.tick(tick))]),
      shapes, h("line", { class: "axis", x1: LEFT, x2: WIDE - RIGHT, y1: HIGH - BOTTOM, y2: HIGH - BOTTOM })),
    h("div", { class: "figures", tabindex: 0, role: "region", "aria-label": made.name }, h("table", {},
      h("thead", {}, h("tr", {}, made.columns.map((name, number) => h("th", { scope: "col", class: number ? "money" : null }, name)))),
      h("tbody", {}, made.points.map((point) => h("tr", { "data-value": point.value }, h("th", { scope: "row" }, point.label), h("td", { class: "money" }, point.text)))))));
}
