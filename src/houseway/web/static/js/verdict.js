// What came of checking a round, in words: the same at the seat and in the stand-alone checker.

import { h } from "./dom.js";
import { FIRST_PROCEDURE } from "./fair.js";
import { t } from "./page.js";

const MARKS = { good: "✓", bad: "✗", unknown: "?" };

function headline(result, record) {
  if (record.chosen && result.why === "deck") return "chosen";
  if (!result.good) return "bad";
  if (record.procedure === FIRST_PROCEDURE) return "first";
  return result.steps.every((one) => one.state === "good") ? "good" : "partly";
}

/** The verdict, and under it each step with what it was computed from. */
export function verdict(result, record) {
  const name = headline(result, record);
  return h("div", { class: "verdict" },
    h("p", { class: `verdict-head is-${name === "chosen" ? "unknown" : result.good ? "good" : "bad"}`, role: "status" }, h("strong", {}, t(`verdict.${name}`)), " ", t(`verdict.${name}_words`)),
    h("ol", { class: "verdict-steps", "aria-label": t("verdict.steps") }, result.steps.map((one) => h("li", { class: `is-${one.state}` },
      h("span", { class: "verdict-mark", "aria-hidden": "true" }, MARKS[one.state]), h("span", { class: "unseen" }, `${t(`state.${one.state}`)}: `), t(`step.${one.name}.${one.case}`, one.values)))),
    h("details", {}, h("summary", {}, t("verdict.details")), result.steps.filter((one) => one.facts.length).map((one) => [
      h("h3", {}, t(`step.${one.name}.${one.case}`, one.values)),
      h("dl", { class: "verdict-facts" }, one.facts.map(([label, text, values]) => [h("dt", {}, t(`fact.${label}`, values)), h("dd", {}, h("code", {}, text || "–"))]))])));
}
