// The stand-alone checker: a record is opened, pasted or typed in, and checked here. It asks nothing of anybody.

import { h, main, show } from "./dom.js";
import { PROCEDURE, recordOf, verifyRound } from "./fair.js";
import { t } from "./page.js";
import { verdict } from "./verdict.js";

const answer = h("div", { class: "check-answer", tabindex: -1 });
const pasted = h("textarea", { id: "record", rows: 6, spellcheck: "false", autocapitalize: "off", autocomplete: "off" });

function judge(record) {
  show(answer, verdict(verifyRound(record), record));
  answer.focus();
  answer.scrollIntoView({ block: "start" });
}

function judgeText(text) {
  let record = null;
  try {
    record = JSON.parse(text);
  } catch { /* said below */ }
  if (typeof record !== "object" || !record || Array.isArray(record)) show(answer, h("p", { class: "field-error", role: "alert" }, t("no_record")));
  else judge(withNotes(Array.isArray(record.steps) ? recordOf(record) : record));
}

const values = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));

/** What the reader noted by hand counts more than what a file says. */
function withNotes(record) {
  const noted = values(document.getElementById("noted"));
  if (!noted.commitment && !noted.part) return record;
  const seen = { player_seeds: {}, cards: {}, ...record.seen };
  if (noted.commitment) Object.assign(seen, { commitment: noted.commitment.toLowerCase(), late: false, changed: "" });
  if (noted.part) seen.player_seeds = { [noted.spot]: noted.part };
  return { ...record, seen };
}

function typedRecord(form) {
  const typed = values(form);
  const parts = typed.parts.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => line.match(/^(\S+) (.*)$/) ?? [line, line, ""]);
  return {
    procedure: PROCEDURE, table: typed.table, round: Number(typed.round), cards: Number(typed.deck),
    commitment: typed.commitment.toLowerCase(), seed: typed.seed.toLowerCase(), player_seeds: Object.fromEntries(parts.map(([, spot, text]) => [spot, text])),
    order: typed.order.split(/\s+/).filter(Boolean).join(" "), start: Number(typed.start), positions: Number(typed.positions), dealer_position: 1, dealt: [], chosen: false, voided: false, seen: null,
  };
}

function field(name, label, attributes = {}) {
  return h("label", {}, t(label), h(attributes.rows ? "textarea" : "input", { name, autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...attributes }));
}

main(h("h1", {}, t("title")), h("p", {}, t("check_words")),
  h("section", { class: "panel" }, h("h2", {}, t("record_title")), h("p", {}, t("record_words")),
    h("form", { onsubmit: (event) => { event.preventDefault(); judgeText(pasted.value); } },
      h("label", {}, t("record_file"), h("input", {
        type: "file", accept: ".json,application/json",
        onchange: async (event) => {
          const [file] = event.target.files;
          if (!file) return;
          pasted.value = await file.text();
          judgeText(pasted.value);
        },
      })),
      h("label", { for: "record" }, t("record_text")), pasted,
      h("button", { class: "button main big", type: "submit" }, t("record_check")))),
  answer,
  h("details", { class: "panel" }, h("summary", {}, t("noted_title")), h("p", {}, t("noted_words")),
    h("form", { id: "noted", onsubmit: (event) => event.preventDefault() }, field("commitment", "noted_commitment"), field("spot", "noted_spot", { inputmode: "numeric" }), field("part", "noted_part"))),
  h("details", { class: "panel" }, h("summary", {}, t("typed_title")),
    h("form", { id: "typed", onsubmit: (event) => { event.preventDefault(); judge(withNotes(typedRecord(event.target))); } },
      field("table", "typed_table"), field("round", "typed_round", { inputmode: "numeric" }), field("commitment", "typed_commitment"), field("seed", "typed_seed"), field("parts", "typed_parts", { rows: 4 }),
      h("label", {}, t("typed_deck"), h("select", { name: "deck" }, h("option", { value: "52" }, t("typed_deck_52")), h("option", { value: "53" }, t("typed_deck_53")))),
      field("positions", "typed_positions", { inputmode: "numeric", value: "0" }), field("start", "typed_start", { inputmode: "numeric", value: "0" }), field("order", "typed_order", { rows: 3 }),
      h("button", { class: "button main big", type: "submit" }, t("record_check")))));
